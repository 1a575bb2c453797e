//! Names of secrets in users' configurations, which no table lists.

/// Whether an entry of a configuration with this name is a secret, as far as the name shows.
///
/// It covers the keys that Hadoop treats as sensitive (`hadoop.security.sensitive-config-keys`), and the keys
/// of Storm and its components.
#[must_use]
pub fn is_secret_name(name: &str) -> bool {
    let name = name.trim().to_ascii_lowercase();
    SECRET_PARTS.iter().any(|part| name.contains(part)) || holds_key(&name)
}

/// Whether a name contains the word `key` in the sense of a secret: `blowfish.key`,
/// `fs.azure.account.key.store.example`, `aws_access_key_id`; not `bsp.input.key.class`.
fn holds_key(name: &str) -> bool {
    let last = name.rsplit(|letter: char| !letter.is_ascii_alphanumeric()).next();
    let names_class =
        matches!(last, Some("class" | "classes" | "name" | "names" | "type" | "count"));
    let is_key = |word: &str| word.ends_with("key") || word.ends_with("keys");
    !names_class && name.split(|letter: char| !letter.is_ascii_alphanumeric()).any(is_key)
}

/// Parts of names of secrets, in lower case; one is enough. The list prefers false positives to false
/// negatives.
const SECRET_PARTS: &[&str] = &[
    "pass", // password, passwd, passphrase, keystore.pass
    "pwd",
    "secret",
    "token",
    "credential",
    "auth.payload", // storm.zookeeper.auth.payload, storm.zookeeper.topology.auth.payload
    "authpayload",
    "authorization",
    "cookie",
    "signature",
    "private",
    "jaas", // what a login module is told may be a password
    "keytab",
    "ticket",
    "nonce",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_of_secrets_are_known_by_their_names() {
        for name in [
            "password",
            "DB_PASSWD",
            "javax.net.ssl.keyStorePassword",
            "ssl.server.keystore.pass",
            "fs.s3a.secret.key",
            "fs.s3a.access.key",
            "fs.s3a.session.token",
            "fs.azure.account.key.store.example",
            "fs.s3a.server-side-encryption.key",
            "hadoop.security.credential.provider.path",
            "storm.zookeeper.auth.payload",
            "storm.zookeeper.topology.auth.payload",
            "topology.tuple.serializer.blowfish.key",
            "apiKey",
            "oauth2-client-secret",
            "storm.keytab.file",
        ] {
            assert!(is_secret_name(name), "{name}");
        }
    }

    #[test]
    fn other_entries_are_shown() {
        for name in [
            "bsp.input.key.class",
            "topology.workers",
            "user.name",
            "bsp.job.name",
            "nimbus.seeds",
            "monkeys.at.work.count",
            "",
        ] {
            assert!(!is_secret_name(name), "{name}");
        }
    }
}
