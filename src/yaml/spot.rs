//! Where the parts of a value stand: a tree beside the value, or nothing where nobody asks.

use super::scalar::Scalar;

/// What a key was before it became text: two keys are the same to the reference only where this is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyKind {
    Text,
    Int,
    Float,
    Bool,
    /// Not a number: equal to nothing.
    Unequal,
    Other,
}

impl KeyKind {
    pub(super) fn of(key: &Scalar<'_>) -> Self {
        match key {
            Scalar::Text(_) => Self::Text,
            Scalar::Int(_) => Self::Int,
            Scalar::Float(float) if float.is_nan() => Self::Unequal,
            Scalar::Float(_) => Self::Float,
            Scalar::Bool(_) => Self::Bool,
            Scalar::Null | Scalar::Uint(_) => Self::Other,
        }
    }
}

/// A stretch of a text, in bytes.
pub(super) type Bytes = (u32, u32);

/// How to note places.
pub(super) trait Spots {
    /// The place of one value and of all it holds.
    type Spot;
    /// Whether anything is noted.
    const TRACKED: bool;

    fn leaf(span: Bytes) -> Self::Spot;
    fn branch(span: Bytes, children: Vec<Self::Spot>) -> Self::Spot;
    /// The same, at another place.
    fn moved(spot: Self::Spot, span: Bytes) -> Self::Spot;
    /// The same, under a key.
    fn keyed(spot: Self::Spot, key: Bytes, kind: KeyKind) -> Self::Spot;
    /// The key.
    fn key(spot: &Self::Spot) -> Option<(Bytes, KeyKind)>;
}

/// Note nothing.
#[derive(Debug)]
pub(super) struct Nowhere;

impl Spots for Nowhere {
    type Spot = ();
    const TRACKED: bool = false;

    fn leaf(_: Bytes) {}
    fn branch(_: Bytes, _: Vec<()>) {}
    fn moved((): (), _: Bytes) {}
    fn keyed((): (), _: Bytes, _: KeyKind) {}
    fn key((): &()) -> Option<(Bytes, KeyKind)> {
        None
    }
}

/// The place of a value, of its key where it has one, and of what it holds, in the value's order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) value: Bytes,
    pub(super) key: Option<(Bytes, KeyKind)>,
    pub(super) children: Box<[Spot]>,
}

/// Note everything.
#[derive(Debug)]
pub(super) struct Everywhere;

impl Spots for Everywhere {
    type Spot = Spot;
    const TRACKED: bool = true;

    fn leaf(span: Bytes) -> Spot {
        Spot { value: span, key: None, children: Box::default() }
    }

    fn branch(span: Bytes, children: Vec<Spot>) -> Spot {
        Spot { value: span, key: None, children: children.into_boxed_slice() }
    }

    fn moved(spot: Spot, span: Bytes) -> Spot {
        Spot { value: span, ..spot }
    }

    fn keyed(spot: Spot, key: Bytes, kind: KeyKind) -> Spot {
        Spot { key: Some((key, kind)), ..spot }
    }

    fn key(spot: &Spot) -> Option<(Bytes, KeyKind)> {
        spot.key
    }
}
