//! Encoding of values as lines.

use std::borrow::Cow;

/// Escaping of line ends in values: `\` begins an escape, if all peers of a job agree on it.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Escaping {
    /// Values cannot contain line ends.
    #[default]
    Off,
    /// `\n`, `\r`, `\0` and `\\` encode a line feed, a carriage return, NUL and `\`.
    On,
}

/// Appends a value, or returns the offset at which it would end its line.
pub(super) fn write(value: &[u8], escaping: Escaping, out: &mut Vec<u8>) -> Result<(), usize> {
    match escaping {
        Escaping::Off => match memchr::memchr2(b'\n', b'\r', value) {
            Some(at) => return Err(at),
            None => out.extend_from_slice(value),
        },
        Escaping::On => {
            for &byte in value {
                match byte {
                    b'\n' => out.extend_from_slice(b"\\n"),
                    b'\r' => out.extend_from_slice(b"\\r"),
                    0 => out.extend_from_slice(b"\\0"),
                    b'\\' => out.extend_from_slice(b"\\\\"),
                    _ => out.push(byte),
                }
            }
        }
    }
    Ok(())
}

/// Reverses [`write`]; characters outside of escapes are unchanged.
pub(super) fn read(line: &[u8], escaping: Escaping) -> Cow<'_, [u8]> {
    let (Escaping::On, Some(first)) = (escaping, memchr::memchr(b'\\', line)) else {
        return Cow::Borrowed(line);
    };
    let mut value = line[..first].to_vec();
    let mut rest = line[first..].iter().copied();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            value.push(byte);
            continue;
        }
        match rest.next() {
            Some(b'n') => value.push(b'\n'),
            Some(b'r') => value.push(b'\r'),
            Some(b'0') => value.push(0),
            Some(b'\\') | None => value.push(b'\\'),
            Some(other) => value.extend_from_slice(&[b'\\', other]),
        }
    }
    Cow::Owned(value)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn escaped_value_is_one_line_and_round_trips(value in any::<Vec<u8>>()) {
            let mut line = Vec::new();
            write(&value, Escaping::On, &mut line).unwrap();
            prop_assert!(!line.iter().any(|byte| b"\n\r\0".contains(byte)));
            prop_assert_eq!(&*read(&line, Escaping::On), &value[..]);
        }

        #[test]
        fn any_line_reads(line in any::<Vec<u8>>()) {
            read(&line, Escaping::On);
            prop_assert_eq!(&*read(&line, Escaping::Off), &line[..]);
        }
    }
}
