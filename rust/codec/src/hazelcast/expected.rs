//! Hazelcast's methods that wait for other clients, or that a client's timer calls.

use crate::expectation::{Expectation, Expected, Pace, background, waits};

/// Error of the call of a task that its client cancelled.
const CANCELLED: &[&str] = &["java.util.concurrent.CancellationException"];

const fn task(method: &'static str) -> Expected {
    (method, Expectation { pace: Pace::Waits, refusals: CANCELLED })
}

/// Expected behaviour, sorted by name.
pub static EXPECTED: &[Expected] = &[
    waits("CPCountDownLatch.await"),
    waits("CPFencedLock.lock"),
    waits("CPFencedLock.tryLock"),
    waits("CPSemaphore.acquire"),
    background("CPSession.heartbeatSession"),
    waits("Cache.eventJournalRead"),
    background("Cache.fetchNearCacheInvalidationMetadata"),
    background("Client.getPartitions"),
    background("Client.ping"),
    background("Client.statistics"),
    waits("Condition.await"),
    waits("CountDownLatch.await"),
    task("DurableExecutor.retrieveAndDisposeResult"),
    task("DurableExecutor.retrieveResult"),
    task("ExecutorService.submitToAddress"),
    task("ExecutorService.submitToPartition"),
    waits("Lock.lock"),
    waits("Lock.tryLock"),
    waits("Map.eventJournalRead"),
    background("Map.fetchNearCacheInvalidationMetadata"),
    waits("Map.lock"),
    waits("Map.tryLock"),
    task("MapReduce.forCustom"),
    task("MapReduce.forList"),
    task("MapReduce.forMap"),
    task("MapReduce.forMultiMap"),
    task("MapReduce.forSet"),
    waits("MultiMap.lock"),
    waits("MultiMap.tryLock"),
    waits("Queue.offer"),
    waits("Queue.poll"),
    waits("Queue.put"),
    waits("Queue.take"),
    waits("Ringbuffer.readMany"),
    waits("Ringbuffer.readOne"),
    task("ScheduledExecutor.getResultFromAddress"),
    task("ScheduledExecutor.getResultFromPartition"),
    waits("Semaphore.acquire"),
    waits("Semaphore.tryAcquire"),
    waits("TransactionalMap.getForUpdate"),
    waits("TransactionalQueue.offer"),
    waits("TransactionalQueue.poll"),
    waits("TransactionalQueue.take"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        expectation::tests::check,
        hazelcast::{Role, message_types},
    };

    const REASONS: &[(&str, &str)] = &[
        ("CPCountDownLatch.await", "until the count is nought"),
        ("CPFencedLock.lock", "until the holder unlocks"),
        ("CPFencedLock.tryLock", "until the holder unlocks or the timeout passes"),
        ("CPSemaphore.acquire", "until permits are released or the timeout passes"),
        ("CPSession.heartbeatSession", "each client, every 5 s"),
        ("Cache.eventJournalRead", "until min_size events are there"),
        ("Cache.fetchNearCacheInvalidationMetadata", "near caches compare counters every 60 s"),
        ("Client.getPartitions", "each client refreshes its table every 10 s"),
        ("Client.ping", "the heartbeat of each connection"),
        ("Client.statistics", "each client, every 3 s where it is enabled"),
        ("Condition.await", "until another client signals"),
        ("CountDownLatch.await", "until the count is nought"),
        ("DurableExecutor.retrieveAndDisposeResult", "until the task is done"),
        ("DurableExecutor.retrieveResult", "until the task is done"),
        ("ExecutorService.submitToAddress", "answered when the task is done"),
        ("ExecutorService.submitToPartition", "answered when the task is done"),
        ("Lock.lock", "until the holder unlocks"),
        ("Lock.tryLock", "until the holder unlocks or the timeout passes"),
        ("Map.eventJournalRead", "until min_size events are there"),
        ("Map.fetchNearCacheInvalidationMetadata", "near caches compare counters every 60 s"),
        ("Map.lock", "until the holder unlocks"),
        ("Map.tryLock", "until the holder unlocks or the timeout passes"),
        ("MapReduce.forCustom", "answered when the job is done"),
        ("MapReduce.forList", "answered when the job is done"),
        ("MapReduce.forMap", "answered when the job is done"),
        ("MapReduce.forMultiMap", "answered when the job is done"),
        ("MapReduce.forSet", "answered when the job is done"),
        ("MultiMap.lock", "until the holder unlocks"),
        ("MultiMap.tryLock", "until the holder unlocks or the timeout passes"),
        ("Queue.offer", "until the queue has room or the timeout passes"),
        ("Queue.poll", "until there is an item or the timeout passes"),
        ("Queue.put", "until the queue has room"),
        ("Queue.take", "until there is an item"),
        ("Ringbuffer.readMany", "until min_count items are there: reliable topics"),
        ("Ringbuffer.readOne", "until the item is added"),
        ("ScheduledExecutor.getResultFromAddress", "until the task is done"),
        ("ScheduledExecutor.getResultFromPartition", "until the task is done"),
        ("Semaphore.acquire", "until permits are released"),
        ("Semaphore.tryAcquire", "until permits are released or the timeout passes"),
        ("TransactionalMap.getForUpdate", "locks the key: until its holder commits"),
        ("TransactionalQueue.offer", "until the queue has room or the timeout passes"),
        ("TransactionalQueue.poll", "until there is an item or the timeout passes"),
        ("TransactionalQueue.take", "until there is an item"),
    ];

    #[test]
    fn every_expectation_has_a_reason_and_every_request_was_reviewed() {
        let requests: Vec<_> = message_types()
            .filter(|message| matches!(message.role, Role::Request { .. }))
            .map(|message| message.name.to_owned())
            .collect();
        check(EXPECTED, REASONS, &requests);
        // A request that a later version adds must be judged: does it wait, or is it made by a timer?
        assert_eq!(requests.len(), JUDGED);
    }

    const JUDGED: usize = 435;
}
