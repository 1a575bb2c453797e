//! Protocols that are detected or selected by name, and a decoder of any of them.

use jvmwire_codec::{
    Scan,
    expectation::{Expectation, expectation},
    hadoop, hama, hazelcast,
    message::{Decoded, ProtocolDecoder, Side},
    pravega, storm,
    visit::Visitor,
};
use serde::{Deserialize, Serialize};

/// Protocol that can be detected, or selected by name.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub enum Protocol {
    /// Hadoop RPC, version 9.
    Hadoop,
    /// Hazelcast's client protocol, 1.x.
    Hazelcast,
    /// Pravega's segment store, versions 5 to 17.
    Pravega,
    /// The first proposal of the segment store's protocol.
    PravegaEarly,
    /// Hama streaming, of a child's standard streams.
    Hama,
    /// Storm's multi-lang protocol, of a component's standard streams.
    Storm,
}

impl Protocol {
    /// Every protocol.
    pub const ALL: [Self; 6] =
        [Self::Hadoop, Self::Hazelcast, Self::Pravega, Self::PravegaEarly, Self::Hama, Self::Storm];

    /// Protocols that are detected by content; the others must be selected by name.
    pub(crate) const TOLD: [Self; 5] =
        [Self::Hadoop, Self::Hazelcast, Self::Pravega, Self::Hama, Self::Storm];

    /// Names of the protocols in the user interface.
    pub const NAMES: [&'static str; Self::ALL.len()] = {
        let mut names = [""; Self::ALL.len()];
        let mut at = 0;
        while at < names.len() {
            names[at] = Self::ALL[at].name();
            at += 1;
        }
        names
    };

    /// Name of the protocol in the user interface.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hadoop => "hadoop",
            Self::Hazelcast => "hazelcast",
            Self::Pravega => "pravega",
            Self::PravegaEarly => "pravega-early",
            Self::Hama => "hama",
            Self::Storm => "storm",
        }
    }

    /// Whether this is a default port of servers of any of the protocols. It is only a hint which side is the
    /// server: the protocol is detected by content.
    #[must_use]
    pub fn is_port(port: u16) -> bool {
        Self::ALL.into_iter().any(|protocol| match protocol {
            Self::Hadoop => hadoop::PORTS.contains(&port),
            Self::Hazelcast => hazelcast::PORTS.contains(&port),
            Self::Pravega => pravega::PORTS.contains(&port),
            Self::PravegaEarly | Self::Hama | Self::Storm => false,
        })
    }

    /// Returns the protocol with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|protocol| protocol.name() == name)
    }

    /// Returns the expected behaviour of a method, by its name in the table `calls`.
    pub(crate) fn expectation(self, method: &str) -> Expectation {
        let table = match self {
            Self::Hadoop => hadoop::EXPECTED,
            Self::Hazelcast => hazelcast::EXPECTED,
            Self::Pravega | Self::PravegaEarly => pravega::EXPECTED,
            Self::Hama => hama::EXPECTED,
            Self::Storm => storm::EXPECTED,
        };
        expectation(table, method)
    }

    /// Whether `bytes`, the first of `side`, begin a conversation; `None` if there are too few, or if the bytes
    /// of the other side are needed. `all` states that no more bytes are awaited.
    pub(crate) fn probe(
        self,
        side: Side,
        bytes: &[u8],
        all: bool,
        scan: &mut Scan,
    ) -> Option<bool> {
        match (self, side) {
            // Both sides begin alike.
            (Self::Pravega, _) => pravega::Connection::probe(bytes),
            (Self::PravegaEarly, _) | (Self::Hama | Self::Storm, Side::Client) => Some(false),
            (Self::Hadoop, Side::Client) => hadoop::Connection::probe(bytes),
            // The client sends first, but none of its bytes may have been captured.
            (Self::Hadoop, Side::Server) => {
                all.then(|| is_front_certain(&hadoop::Connection::new(), side, bytes))
            }
            (Self::Hazelcast, Side::Client) => hazelcast::Connection::probe(bytes),
            (Self::Hazelcast, Side::Server) => {
                all.then(|| is_front_certain(&hazelcast::Connection::new(), side, bytes))
            }
            // The JVM speaks first.
            (Self::Hama, Side::Server) => hama::Connection::probe(bytes),
            (Self::Storm, Side::Server) => storm::Connection::probe(bytes, scan),
        }
    }
}

/// Protocol that is assumed without detection.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Assumed {
    protocol: Protocol,
    /// Types of Pravega's messages, if they differ from those of `protocol`.
    dialect: Option<pravega::Dialect>,
}

/// Error of an invalid selection of a protocol.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum AssumedError {
    /// Message types for a protocol without configurable types.
    #[error("the types of messages can be chosen in pravega-early, not in {0}")]
    OtherProtocol(&'static str),
    /// Message types that are invalid.
    #[error(transparent)]
    Types(#[from] pravega::DialectError),
}

impl Assumed {
    /// Selects the first proposal of Pravega's protocol, with other type numbers for messages than the built-in
    /// ones, by name.
    ///
    /// # Errors
    /// [`AssumedError`] for another `protocol`, and for invalid types.
    pub fn with_types<'a>(
        protocol: Protocol,
        types: impl IntoIterator<Item = (&'a str, i32)>,
    ) -> Result<Self, AssumedError> {
        if protocol != Protocol::PravegaEarly {
            return Err(AssumedError::OtherProtocol(protocol.name()));
        }
        Ok(Self { protocol, dialect: Some(pravega::Dialect::early(types)?) })
    }

    /// Whether a loaded state can have been saved.
    pub(crate) fn is_sound(&self) -> bool {
        self.dialect.is_none_or(|dialect| {
            self.protocol == Protocol::PravegaEarly && dialect.is_early() && dialect.is_sound()
        })
    }

    /// Creates a decoder in its initial state.
    pub(crate) fn decoder(self) -> AnyDecoder {
        match self.dialect {
            Some(dialect) => {
                AnyDecoder::PravegaEarly(Box::new(pravega::Connection::with_dialect(dialect)))
            }
            None => AnyDecoder::new(self.protocol),
        }
    }
}

impl From<Protocol> for Assumed {
    fn from(protocol: Protocol) -> Self {
        Self { protocol, dialect: None }
    }
}

/// Whether messages of `side` certainly begin at the start of all its bytes.
fn is_front_certain(decoder: &impl ProtocolDecoder, side: Side, bytes: &[u8]) -> bool {
    let mut scan = Scan::default();
    decoder.resync(Some(side), bytes, true, &mut scan) == Ok(0) && scan.is_certain()
}

/// Decoder of any of the protocols.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) enum AnyDecoder {
    Hadoop(Box<hadoop::Connection>),
    Hazelcast(Box<hazelcast::Connection>),
    Pravega(Box<pravega::Connection>),
    PravegaEarly(Box<pravega::Connection>),
    Hama(Box<hama::Connection>),
    Storm(Box<storm::Connection>),
}

impl AnyDecoder {
    /// Creates a decoder in its initial state.
    pub(crate) fn new(protocol: Protocol) -> Self {
        match protocol {
            Protocol::Hadoop => Self::Hadoop(Box::default()),
            Protocol::Hazelcast => Self::Hazelcast(Box::default()),
            Protocol::Pravega => Self::Pravega(Box::default()),
            Protocol::PravegaEarly => Self::PravegaEarly(Box::new(
                pravega::Connection::with_dialect(pravega::Dialect::proposed()),
            )),
            Protocol::Hama => Self::Hama(Box::default()),
            Protocol::Storm => Self::Storm(Box::default()),
        }
    }

    pub(crate) fn protocol(&self) -> Protocol {
        match self {
            Self::Hadoop(_) => Protocol::Hadoop,
            Self::Hazelcast(_) => Protocol::Hazelcast,
            Self::Pravega(_) => Protocol::Pravega,
            Self::PravegaEarly(_) => Protocol::PravegaEarly,
            Self::Hama(_) => Protocol::Hama,
            Self::Storm(_) => Protocol::Storm,
        }
    }
}

impl ProtocolDecoder for AnyDecoder {
    fn decode<'a, V: Visitor>(
        &mut self,
        side: Option<Side>,
        bytes: &'a [u8],
        end: bool,
        scan: &mut Scan,
        visitor: &mut V,
    ) -> Decoded<'a> {
        dispatch!(self, decoder => decoder.decode(side, bytes, end, scan, visitor))
    }

    fn decode_carried<'a, V: Visitor>(
        &mut self,
        side: Option<Side>,
        bytes: &'a [u8],
        scan: &mut Scan,
        visitor: &mut V,
    ) -> Decoded<'a> {
        dispatch!(self, decoder => decoder.decode_carried(side, bytes, scan, visitor))
    }

    fn resync(
        &self,
        side: Option<Side>,
        bytes: &[u8],
        end: bool,
        scan: &mut Scan,
    ) -> Result<usize, usize> {
        dispatch!(self, decoder => decoder.resync(side, bytes, end, scan))
    }

    fn damaged(&self, bytes: &[u8]) -> usize {
        dispatch!(self, decoder => decoder.damaged(bytes))
    }

    fn awaits_peer(&self, side: Side, bytes: &[u8], scan: &mut Scan) -> bool {
        dispatch!(self, decoder => decoder.awaits_peer(side, bytes, scan))
    }

    fn user(&self) -> Option<&str> {
        dispatch!(self, decoder => decoder.user())
    }

    fn held(&self) -> usize {
        dispatch!(self, decoder => decoder.held())
    }

    fn validate(&self) -> Option<u64> {
        dispatch!(self, decoder => decoder.validate())
    }
}

/// Calls a method of the decoder of any protocol.
macro_rules! dispatch {
    ($any:expr, $decoder:ident => $call:expr) => {
        match $any {
            AnyDecoder::Hadoop($decoder) => $call,
            AnyDecoder::Hazelcast($decoder) => $call,
            AnyDecoder::Pravega($decoder) | AnyDecoder::PravegaEarly($decoder) => $call,
            AnyDecoder::Hama($decoder) => $call,
            AnyDecoder::Storm($decoder) => $call,
        }
    };
}
use dispatch;
