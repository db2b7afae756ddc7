//! The thread that speaks to registries; everybody else waits for it.

use std::future::Future;
use std::thread::{self, JoinHandle};

use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;

use super::error::ErrorKind;

/// A runtime on a thread of its own, which ends with it.
pub(super) struct Network {
    handle: Handle,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Network {
    pub(super) fn start() -> Result<Self, ErrorKind> {
        let failed = |error: std::io::Error| ErrorKind::Client(error.to_string());
        let runtime = Builder::new_current_thread().enable_all().build().map_err(failed)?;
        let handle = runtime.handle().clone();
        let (stop, stopped) = oneshot::channel::<()>();
        let thread = thread::Builder::new().name("registry".to_owned()).spawn(move || {
            let _ = runtime.block_on(stopped);
            runtime.shutdown_background();
        });
        Ok(Self { handle, stop: Some(stop), thread: Some(thread.map_err(failed)?) })
    }

    /// Runs something in the background.
    pub(super) fn spawn(&self, future: impl Future<Output = ()> + Send + 'static) {
        drop(self.handle.spawn(future));
    }

    /// Runs something and waits for what comes of it.
    pub(super) fn run<T: Send + 'static>(
        &self,
        future: impl Future<Output = Result<T, ErrorKind>> + Send + 'static,
    ) -> Result<T, ErrorKind> {
        let (sender, receiver) = std::sync::mpsc::sync_channel(1);
        self.spawn(async move {
            let _ = sender.send(future.await);
        });
        receiver.recv().unwrap_or_else(|_| Err(ErrorKind::Client("it stopped".to_owned())))
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
