//! The stages under criterion: whether a change made one of them slower.
//!
//! `cargo bench -p symbi-bench` measures and compares with the run before;
//! `-- parse` picks one. Time is CPU time of this thread, so that other work on
//! the machine is not measured with ours. What each stage gives is checked by
//! `symbi-bench report`, which measures the same.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use criterion::measurement::{Measurement, ValueFormatter};
use criterion::{BatchSize, Criterion, SamplingMode, Throughput};
use symbi_bench::clock::thread_cpu;
use symbi_bench::corpus::{Corpus, SEED};
use symbi_syntax::File;

/// Smaller than the report's: a run of all three stays under a minute.
const BYTES: usize = 1_000_000;

fn main() {
    let corpus = Corpus::examples().expect("our examples can be read");
    let text: Arc<str> = corpus.generate(BYTES, SEED).text.into();

    let mut criterion = Criterion::default()
        .with_measurement(CpuTime)
        .configure_from_args();
    let mut group = criterion.benchmark_group("stages");
    group
        .throughput(Throughput::Bytes(text.len() as u64))
        .sampling_mode(SamplingMode::Flat)
        .sample_size(30)
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(5));
    group.bench_function("lex", |bencher| {
        bencher.iter_with_large_drop(|| symbi_syntax::lex(black_box(&text)));
    });
    group.bench_function("parse", |bencher| {
        bencher.iter_batched(
            || text.clone(),
            |text| {
                let file = File::parse(text);
                let reports = file.diagnostics();
                (file, reports)
            },
            BatchSize::LargeInput,
        );
    });
    group.bench_function("format", |bencher| {
        bencher.iter_with_large_drop(|| symbi_syntax::format::format_text(black_box(&text)));
    });
    group.finish();
    criterion.final_summary();
}

/// Nanoseconds of CPU time of this thread.
struct CpuTime;

impl Measurement for CpuTime {
    type Intermediate = Duration;
    type Value = Duration;

    fn start(&self) -> Duration {
        thread_cpu()
    }

    fn end(&self, start: Duration) -> Duration {
        thread_cpu().saturating_sub(start)
    }

    fn add(&self, one: &Duration, other: &Duration) -> Duration {
        *one + *other
    }

    fn zero(&self) -> Duration {
        Duration::ZERO
    }

    fn to_f64(&self, value: &Duration) -> f64 {
        value.as_nanos() as f64
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        self
    }
}

impl ValueFormatter for CpuTime {
    fn scale_values(&self, _: f64, values: &mut [f64]) -> &'static str {
        for value in values {
            *value /= 1e6;
        }
        "ms"
    }

    fn scale_throughputs(
        &self,
        _: f64,
        throughput: &Throughput,
        values: &mut [f64],
    ) -> &'static str {
        let Throughput::Bytes(bytes) = throughput else {
            return "ns";
        };
        for value in values {
            // Bytes a nanosecond are thousands of millions of bytes a second.
            *value = *bytes as f64 / *value * 1e3;
        }
        "MB/s"
    }

    fn scale_for_machines(&self, _: &mut [f64]) -> &'static str {
        "ns"
    }
}
