use std::time::Duration;

use criterion::{
    Throughput,
    measurement::{Measurement, ValueFormatter, WallTime},
};
use rustix::time::{ClockId, clock_gettime};

/// Time that this thread had a processor: other work on the machine is not counted.
pub(crate) struct CpuTime;

impl Measurement for CpuTime {
    type Intermediate = Duration;
    type Value = Duration;

    fn start(&self) -> Duration {
        let now = clock_gettime(ClockId::ThreadCPUTime);
        Duration::new(now.tv_sec.unsigned_abs(), u32::try_from(now.tv_nsec).unwrap_or(0))
    }

    fn end(&self, start: Duration) -> Duration {
        self.start().saturating_sub(start)
    }

    fn add(&self, left: &Duration, right: &Duration) -> Duration {
        *left + *right
    }

    fn zero(&self) -> Duration {
        Duration::ZERO
    }

    fn to_f64(&self, value: &Duration) -> f64 {
        WallTime.to_f64(value)
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        WallTime.formatter()
    }
}

/// What every benchmark here takes.
pub(crate) type Criterion = criterion::Criterion<CpuTime>;

/// How much one round of a benchmark does.
pub(crate) fn bytes(len: usize) -> Throughput {
    Throughput::Bytes(len as u64)
}

/// How much one round of a benchmark does.
pub(crate) fn elements(count: usize) -> Throughput {
    Throughput::Elements(count as u64)
}
