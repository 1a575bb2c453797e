//! Tables that `make tables` writes.

pub(super) mod messages;
