//! Python objects and Arrow columns, from and to the fields of Hadoop's messages.

pub(super) mod arguments;
mod column;
pub(super) mod columns;
pub(super) mod lists;
pub(super) mod messages;
pub(super) mod objects;
pub(super) mod records;
