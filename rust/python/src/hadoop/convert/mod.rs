//! Conversion between the fields of Hadoop's messages and Python objects or Arrow columns.

pub(super) mod arguments;
mod column;
pub(super) mod columns;
pub(super) mod lists;
pub(super) mod messages;
pub(super) mod objects;
pub(super) mod records;
