//! Decodes a capture as often as asked, to be timed or looked at by a profiler:
//!
//! ```text
//! cargo run --release -p jvmwire-capture --example decode -- calls FILE [ROUNDS]
//! valgrind --tool=callgrind target/release/examples/decode calls FILE
//! ```
//!
//! Instead of `calls`: `messages`, `fields`, `streams`, `traffic`, or `walk`, which makes no rows, as for an index.

use std::{env, error::Error, fs::File, hint::black_box, io::Read, time::Instant};

use jvmwire_capture::{CaptureDecoder, OutputOptions};

fn main() -> Result<(), Box<dyn Error>> {
    let given: Vec<String> = env::args().skip(1).collect();
    let [table, file, rounds @ ..] = &given[..] else {
        return Err("decode calls|messages|fields|streams|traffic|walk FILE [ROUNDS]".into());
    };
    let none = OutputOptions::default();
    let wanted = match &table[..] {
        "calls" => OutputOptions { calls: true, ..none },
        "messages" => OutputOptions { messages: true, ..none },
        "fields" => OutputOptions { messages: true, fields: true, ..none },
        "streams" => OutputOptions { streams: true, ..none },
        "traffic" => OutputOptions { traffic: true, ..none },
        "walk" => OutputOptions { state: true, ..none },
        other => return Err(format!("no table is called {other}").into()),
    };
    for _ in 0..rounds.first().map_or(Ok(1), |rounds| rounds.parse())? {
        let begun = Instant::now();
        let (bytes, rows) = decode(file, &wanted)?;
        let micros = begun.elapsed().as_micros().max(1);
        let [megabytes, thousands] = [bytes as u128, rows as u128 * 1000].map(|n| n / micros);
        println!("{rows} rows, {megabytes} MB/s, {thousands} thousand rows/s");
    }
    Ok(())
}

/// Bytes that there were, and rows.
fn decode(file: &str, wanted: &OutputOptions) -> Result<(usize, usize), Box<dyn Error>> {
    let mut decoder = CaptureDecoder::new(wanted, None, 0);
    let mut rows = 0;
    let mut take = |decoder: &mut CaptureDecoder| {
        while let Some((_, batch)) = decoder.next_batch() {
            rows += black_box(batch).num_rows();
        }
    };
    let (mut file, mut chunk, mut bytes) = (File::open(file)?, vec![0; CHUNK], 0);
    loop {
        let len = file.read(&mut chunk)?;
        if len == 0 {
            break;
        }
        bytes += len;
        decoder.feed(&chunk[..len])?;
        take(&mut decoder);
    }
    decoder.finish()?;
    take(&mut decoder);
    Ok((bytes, rows))
}

/// As Python reads files.
const CHUNK: usize = 1 << 17;
