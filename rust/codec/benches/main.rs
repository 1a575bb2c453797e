//! The codec at every level, against the crates that do the same, and against `memcpy`.
//!
//! Inputs are made from a seed at each run and are long and mixed enough that no branch predictor
//! learns them. Each contender's result is compared with an oracle before it is timed.

mod cpu_time;
mod fixed;
mod fragment;
mod frame;
mod inputs;
mod lines;
mod text;
mod varint;

use std::time::Duration;

fn main() {
    let mut criterion = criterion::Criterion::default()
        .with_measurement(cpu_time::CpuTime)
        .sample_size(15)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(700))
        .without_plots()
        .configure_from_args();
    varint::benches(&mut criterion);
    fixed::benches(&mut criterion);
    text::benches(&mut criterion);
    frame::benches(&mut criterion);
    lines::benches(&mut criterion);
    fragment::benches(&mut criterion);
    criterion.final_summary();
}
