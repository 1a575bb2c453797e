//! Numbers and text from a seed.

/// `xorshift64*`: good enough to keep a branch predictor guessing.
pub(crate) struct Seed(u64);

impl Seed {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed | 1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub(crate) fn below(&mut self, limit: u32) -> u32 {
        u32::try_from(self.next() >> 32).unwrap_or(0) % limit
    }

    fn char_in(&mut self, first: char, count: u32) -> char {
        char::from_u32(first as u32 + self.below(count)).unwrap_or(first)
    }
}

/// Varints of 1 to 10 bytes, each width as often as the others.
pub(crate) fn uniform(count: usize) -> Vec<u64> {
    let mut seed = Seed::new(0x0075_6e69);
    (0..count)
        .map(|_| {
            let bits = (seed.below(10) + 1) * 7;
            let value = seed.next() | 1 << 63;
            value >> 64_u32.saturating_sub(bits)
        })
        .collect()
}

/// As in protobuf messages: most take one byte, few take more than three.
pub(crate) fn small(count: usize) -> Vec<u64> {
    let mut seed = Seed::new(0x0073_6d61);
    (0..count)
        .map(|_| {
            let bits = match seed.below(100) {
                0..70 => 7,
                70..90 => 14,
                90..97 => 21,
                97..99 => 35,
                _ => 64,
            };
            seed.next() >> (64 - bits)
        })
        .collect()
}

pub(crate) const SCRIPTS: [&str; 7] =
    ["ascii", "latin", "greek", "cjk", "emoji", "emoji-3%", "mixed"];

/// About `len` bytes of UTF-8.
pub(crate) fn text(script: &str, len: usize) -> String {
    let mut seed = Seed::new(len as u64 + script.len() as u64);
    let mut text = String::with_capacity(len + 4);
    while text.len() < len {
        let die = seed.below(100);
        text.push(match script {
            "latin" if die < 15 => seed.char_in('\u{c0}', 0x3f),
            "greek" if die < 84 => seed.char_in('\u{391}', 0x38),
            "cjk" if die < 95 => seed.char_in('\u{4e00}', 20_000),
            "emoji" => seed.char_in('\u{1f600}', 64),
            "emoji-3%" if die < 3 => seed.char_in('\u{1f600}', 64),
            "mixed" => match die {
                0..50 => seed.char_in('a', 26),
                50..65 => seed.char_in('\u{c0}', 0x3f),
                65..80 => seed.char_in('\u{391}', 0x38),
                80..97 => seed.char_in('\u{4e00}', 20_000),
                97..99 => seed.char_in('\u{1f600}', 64),
                _ => '\0',
            },
            _ if die < 15 => ' ',
            _ => seed.char_in('a', 26),
        });
    }
    text
}
