//! From packets to the bytes of TCP connections: link layers, tunnels, IP fragments, reassembly.

pub(crate) mod connection;
pub(crate) mod connection_table;
pub(crate) mod fragments;
pub(crate) mod held_segment;
pub(crate) mod lru_table;
pub(crate) mod packet;
pub(crate) mod skipped;
pub(crate) mod tcp;
pub(crate) mod tunnel;
