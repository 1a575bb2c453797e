//! Job of a call: the part of its caller context that all calls of one job share.
//!
//! | Context | Written by | Job |
//! | --- | --- | --- |
//! | `SPARK_TASK_application_1_2_JId_0_SId_0_0_TId_3_0` | Spark | `application_1_2` |
//! | `SPARK_CLIENT_local-1` | Spark without YARN | `local-1` |
//! | `mr_attempt_1_2_m_000000_0`, `tez_ta:attempt_1_2_1_00_000000_0`, `JobId_job_1_2` | MapReduce, Tez | `application_1_2` |
//! | `HIVE_QUERY_ID:hive_20260101000000_uuid:...` | Hive | `hive_20260101000000_uuid` |
//! | `nightly,clientIp:10.0.0.7,clientPort:1,clientId:...,clientCallId:...` | HDFS router | `nightly` |
//! | `clientIp:10.0.0.7,clientPort:1` | HDFS router | `clientIp:10.0.0.7` |
//! | anything else | an application | the text itself |

use std::borrow::Cow;

use crate::traffic::interner::shortened;

/// Cache of the jobs of contexts: calls of many connections alternate, each with its own context.
#[derive(Debug)]
pub(crate) struct Jobs {
    known: Box<[(String, String)]>,
    /// Job of a context that is too long for the cache.
    long: String,
    /// Number of bytes of the texts of the cache.
    held: usize,
}

impl Jobs {
    pub(crate) fn new() -> Self {
        Self { known: vec![Default::default(); PLACES].into(), long: String::new(), held: 0 }
    }

    /// Returns the job of a caller context.
    pub(crate) fn job(&mut self, context: &str) -> &str {
        if context.len() > MAX_CACHED {
            self.long = shortened(&job_of(context)).into_owned();
            return &self.long;
        }
        let last = usize::from(context.bytes().next_back().unwrap_or_default());
        let (known, job) = &mut self.known[(context.len() * 31 + last) % PLACES];
        if known != context {
            self.held -= known.capacity() + job.capacity();
            *job = job_of(context).into_owned();
            context.clone_into(known);
            self.held += known.capacity() + job.capacity();
        }
        job
    }

    /// Number of bytes of memory of the texts.
    pub(crate) fn held(&self) -> usize {
        self.long.capacity() + self.held
    }
}

/// Returns the job of a caller context: attempts, tasks and calls of one job have the same text.
pub(crate) fn job_of(caller_context: &str) -> Cow<'_, str> {
    let context = without_router(caller_context.trim());
    // The ids of YARN and Hive have underscores.
    if context.contains('_') {
        if let Some(id) = yarn_application(context) {
            return Cow::Owned(id);
        }
        if let Some(id) = hive_query(context) {
            return Cow::Borrowed(id);
        }
        if let Some(id) = spark_application(context) {
            return Cow::Borrowed(id);
        }
    }
    Cow::Borrowed(context)
}

/// Returns the context without the fields that a router of HDFS appends; of a client without a context, its
/// address.
fn without_router(context: &str) -> &str {
    let fields = ROUTER_FIELDS.iter().filter_map(|field| {
        let at = context.find(field)?;
        context.get(..at)?.ends_with(',').then(|| at - 1)
    });
    fields.min().and_then(|end| context.get(..end)).unwrap_or(context)
}

/// Returns the application of the first id of YARN, `MapReduce` or Tez: all have its start time and number.
fn yarn_application(context: &str) -> Option<String> {
    YARN_IDS.iter().find_map(|prefix| {
        let (before, id) = context.split_once(prefix)?;
        // Not the end of another word.
        if before.ends_with(|letter: char| letter.is_ascii_alphanumeric()) {
            return None;
        }
        let mut parts = id.split('_').filter(|part| !is_epoch(part));
        let (started, rest) = (parts.next()?, parts.next()?);
        let number = &rest[..rest.bytes().take_while(u8::is_ascii_digit).count()];
        let is_id = started.len() >= TIME_DIGITS && started.bytes().all(|it| it.is_ascii_digit());
        (is_id && !number.is_empty()).then(|| format!("application_{started}_{number}"))
    })
}

/// Whether a part of a container's id is the number of restarts of the `ResourceManager`, such as `e17`.
fn is_epoch(part: &str) -> bool {
    part.strip_prefix('e')
        .is_some_and(|it| !it.is_empty() && it.bytes().all(|b| b.is_ascii_digit()))
}

/// Returns the id of a Hive query: `hive_`, a time of fourteen digits, and a UUID.
fn hive_query(context: &str) -> Option<&str> {
    let (_, id) = context.split_once(HIVE_ID)?;
    let time = id.bytes().take_while(u8::is_ascii_digit).count();
    if time < TIME_DIGITS {
        return None;
    }
    let length = id.bytes().take_while(|it| it.is_ascii_alphanumeric() || b"_-".contains(it));
    let begin = context.len() - id.len();
    context.get(begin - HIVE_ID.len()..begin + length.count())
}

/// Returns the application's id in a context of Spark: between its role and its job, stage and task.
fn spark_application(context: &str) -> Option<&str> {
    let (_, id) = context.strip_prefix("SPARK_")?.split_once('_')?;
    let id = id.split_once("_JId_").map_or(id, |(id, _)| id);
    (!id.is_empty()).then_some(id)
}

/// Number of contexts in the cache.
const PLACES: usize = 64;
/// Maximum number of bytes of a context in the cache.
const MAX_CACHED: usize = 512;
/// Maximum number of bytes of memory of the cache.
pub(crate) const JOBS_LIMIT: usize = (PLACES + 1) * 4 * MAX_CACHED;
/// Names of the fields that a router of HDFS appends after a comma.
const ROUTER_FIELDS: [&str; 5] =
    ["clientIp:", "clientPort:", "clientId:", "clientCallId:", "realUser:"];
/// Prefixes of ids that contain those of a YARN application.
const YARN_IDS: [&str; 8] =
    ["application_", "appattempt_", "attempt_", "container_", "job_", "task_", "vertex_", "dag_"];
/// Prefix of the id of a Hive query.
const HIVE_ID: &str = "hive_";
/// Minimum number of digits of a time in an id: seconds, milliseconds and dates have more.
const TIME_DIGITS: usize = 10;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_and_attempts_of_a_job_are_one_job() {
        for (context, job) in [
            ("SPARK_CLIENT_application_1700000000000_0042", "application_1700000000000_0042"),
            (
                "SPARK_TASK_application_1700000000000_0042_1_JId_3_SId_4_0_TId_17_0",
                "application_1700000000000_0042",
            ),
            ("SPARK_TASK_local-1700000000000_JId_0_SId_0_0_TId_1_0", "local-1700000000000"),
            ("SPARK_CLIENT_app-20260101000000-0001", "app-20260101000000-0001"),
            ("mr_attempt_1700000000000_0042_m_000007_1", "application_1700000000000_0042"),
            ("mr_appmaster_appattempt_1700000000000_0042_000001", "application_1700000000000_0042"),
            ("JobId_job_1700000000000_0042", "application_1700000000000_0042"),
            ("tez_ta:attempt_1700000000000_0042_1_00_000000_0", "application_1700000000000_0042"),
            ("container_e17_1700000000000_0042_01_000001", "application_1700000000000_0042"),
            ("tez_dag:dag_1700000000000_0042_1", "application_1700000000000_0042"),
            ("HIVE_QUERY_ID:hive_20260101000000_2e7d-11:sess", "hive_20260101000000_2e7d-11"),
            ("nightly,clientIp:10.0.0.7,clientPort:4711,clientId:ab,clientCallId:3", "nightly"),
            ("clientIp:10.0.0.7,clientPort:4711", "clientIp:10.0.0.7"),
            (
                "mr_attempt_1700000000000_0042_m_000007_1,clientIp:1.2.3.4",
                "application_1700000000000_0042",
            ),
            ("broken-job", "broken-job"),
            (" a, b ", "a, b"),
            ("my_job_7", "my_job_7"),
            ("job_", "job_"),
            ("hive_1", "hive_1"),
            ("hive_\u{e4}", "hive_\u{e4}"),
            ("SPARK_", "SPARK_"),
            ("", ""),
        ] {
            assert_eq!(job_of(context), job, "{context}");
        }
    }

    proptest::proptest! {
        #[test]
        fn held_is_the_memory_of_all_texts(
            contexts in proptest::collection::vec(r"[a-c]{0,3}(attempt_1234567890_1_)?|x{510,600}", 0..200),
        ) {
            let mut jobs = Jobs::new();
            for context in &contexts {
                let expected = shortened(&job_of(context)).into_owned();
                proptest::prop_assert_eq!(jobs.job(context), expected);
            }
            let known = jobs.known.iter().map(|(context, job)| context.capacity() + job.capacity());
            proptest::prop_assert_eq!(jobs.held(), known.sum::<usize>() + jobs.long.capacity());
            proptest::prop_assert!(jobs.held() <= JOBS_LIMIT);
        }

        #[test]
        fn job_of_any_context_is_found_and_is_not_much_longer(
            context in r"(SPARK_|attempt_|hive_|e1_|,clientIp:|[0-9]{10}|_|\PC){0,12}",
        ) {
            let job = job_of(&context);
            proptest::prop_assert!(job.len() <= context.len() + "application_".len());
        }
    }
}
