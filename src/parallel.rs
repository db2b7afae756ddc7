//! Work on many things side by side, on threads that are there for nothing else.
//!
//! For work that waits, be it for a disk, a registry, or other such work. In a pool, a thread that waits for its share takes up
//! somebody else's meanwhile; where two of them need the same image, it would come to wait for itself. Pools are for pure work.

use std::sync::{Mutex, PoisonError};
use std::{panic, thread};

/// What `work` makes of each of `items`, in their order. A thread is started for every `share` of them, up to one a core.
pub(crate) fn map<T: Send, R: Send>(items: Vec<T>, share: usize, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let worth = items.len() / share.max(1);
    let threads = if worth > 1 { worth.min(thread::available_parallelism().map_or(1, usize::from)) } else { 1 };
    if threads == 1 {
        return items.into_iter().map(work).collect();
    }
    let queue = Mutex::new(items.into_iter().enumerate());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let run = || {
        let mut made = Vec::new();
        while let Some((at, item)) = next() {
            made.push((at, work(item)));
        }
        made
    };
    let mut made = thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(run)).collect();
        let mut made = run();
        for other in others {
            made.extend(other.join().unwrap_or_else(|panic| panic::resume_unwind(panic)));
        }
        made
    });
    made.sort_unstable_by_key(|(at, _)| *at);
    made.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        for share in [0, 1, 7, 1000] {
            let doubled = map((0..500).collect(), share, |n: u32| n * 2);
            assert_eq!(doubled, (0..500).map(|n| n * 2).collect::<Vec<_>>());
        }
        assert!(map(Vec::new(), 1, |n: u32| n).is_empty());
    }

    #[test]
    #[should_panic(expected = "seven")]
    fn a_panic_comes_through() {
        map((0..100).collect(), 1, |n: u32| assert!(n != 7, "seven"));
    }
}
