//! The secret fields of Hadoop's messages, reviewed by hand, by message and field name.
//!
//! `messages.rs` is generated, this list is not: [`message`] joins the two when the tables are compiled.
//! `tests/properties/test_secrets.py` fails for a field that resembles a secret and is neither listed here nor
//! excused there.

use super::tables::TOKEN;
use crate::{
    Cursor,
    proto::{self, Field, MessageType, Raw, is_same_name},
};

/// Creates a message type of Hadoop with its secret fields marked.
pub(super) const fn message(name: &'static str, fields: &'static [Field]) -> MessageType {
    let mut secrets: &'static [&'static str] = &[];
    let mut i = 0;
    while i < SECRETS.len() {
        if is_same_name(SECRETS[i].0, name) {
            secrets = SECRETS[i].1;
        }
        i += 1;
    }
    MessageType::with_secrets(name, fields, secrets)
}

/// Returns the type of a message of unknown type if its bytes identify it: a token, which has four texts.
/// Methods without a table return tokens, and so do replies whose request was not captured.
pub(super) fn kind_of_unknown(bytes: &[u8]) -> Option<&'static MessageType> {
    let mut cursor = Cursor::new(bytes);
    for field in TOKEN.fields {
        let (number, Raw::Bytes(content, _), _) = proto::field(&mut cursor).ok()? else {
            return None;
        };
        let is_text = matches!(field.name, "kind" | "service");
        if number != field.number || is_text && std::str::from_utf8(content).is_err() {
            return None;
        }
    }
    cursor.is_empty().then_some(&TOKEN)
}

/// Per message, the fields that no output shows.
const SECRETS: &[(&str, &[&str])] = &[
    // A token is used by whoever has both; its kind and its service are shown.
    ("TokenProto", &["identifier", "password"]),
    // The key that signs block tokens: whoever has it makes a token for any block.
    ("BlockKeyProto", &["key_bytes"]),
    // Keys that encrypt data transfer between clients and DataNodes.
    ("DataEncryptionKeyProto", &["nonce", "encryption_key"]),
    // A file's encrypted data key and its initialisation vector.
    ("FileEncryptionInfoProto", &["key", "iv"]),
    // `raw.hdfs.crypto.*` is key material, and users keep credentials in `user.*` and `trusted.*`.
    ("XAttrProto", &["value"]),
    // The keys that sign container tokens and NodeManager tokens.
    ("MasterKeyProto", &["bytes"]),
    // The token file of a job, and the configuration by which the ResourceManager renews it; the data
    // of auxiliary services, which is the job token for the shuffle; the environment, in which
    // programs are handed passwords.
    ("ContainerLaunchContextProto", &["tokens", "service_data", "environment", "tokens_conf"]),
    ("RegisterApplicationMasterResponseProto", &["client_to_am_token_master_key"]),
    ("SystemCredentialsForAppsProto", &["credentials_for_app"]),
    ("NodePublishVolumeRequest", &["secrets"]),
    // `user:password` of a URL.
    ("URLProto", &["user_info"]),
    // Tokens, challenges and responses of SASL, from which a password can be guessed offline.
    ("RpcSaslProto", &["token"]),
    ("SaslAuth", &["challenge"]),
    ("RpcRequestHeaderProto", &["authorization_header"]),
    ("RPCCallerContextProto", &["signature"]),
];

#[cfg(test)]
mod tests {
    use super::{super::message_types, *};

    #[test]
    fn every_secret_is_a_field_of_a_message() {
        let known: Vec<_> = message_types().collect();
        for (name, fields) in SECRETS {
            let message = known.iter().find(|message| message.name == *name);
            let message = message.unwrap_or_else(|| panic!("there is no message {name}"));
            for name in *fields {
                let field = message.fields.iter().find(|field| field.name == *name);
                let field = field.unwrap_or_else(|| panic!("{} has no {name}", message.name));
                assert!(message.hides(field.number));
            }
        }
    }

    #[test]
    fn token_is_known_by_its_form() {
        let token = b"\x0a\x02id\x12\x02pw\x1a\x04KIND\x22\x01s";
        assert_eq!(kind_of_unknown(token).map(|kind| kind.name), Some("TokenProto"));
        let others: [&[u8]; 5] = [
            b"",
            &token[..token.len() - 3],
            &[&token[..], b"\x28\x01"].concat(),
            b"\x0a\x02id\x12\x02pw\x1a\x02\xff\xff\x22\x01s",
            b"\x0a\x02id\x10\x02\x1a\x01k\x22\x01s",
        ];
        for other in others {
            assert!(kind_of_unknown(other).is_none(), "{other:?}");
        }
    }

    #[test]
    fn name_stands_once_in_the_list() {
        let mut names: Vec<_> = SECRETS.iter().map(|(name, _)| name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), SECRETS.len());
    }
}
