//! Owners of `bytes` objects for Arrow buffers; any thread can drop them.

use std::{
    ffi::{c_int, c_void},
    mem::ManuallyDrop,
    panic::RefUnwindSafe,
    ptr,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
    thread,
};

use pyo3::{ffi, prelude::*, types::PyBytes, wrap_pyfunction};

/// Reference to a `bytes` object that is released without waiting for the GIL.
///
/// The thread that drops it may hold a lock that the owner of the GIL waits for, so it must not wait for the
/// GIL. `PyO3` queues references that are dropped on such a thread and releases them in the next call of this
/// module; a pending call of the interpreter drains the queue soon, in case no such call follows.
pub(super) struct BufferOwner(ManuallyDrop<Py<PyBytes>>);

impl BufferOwner {
    pub(super) fn new(object: Py<PyBytes>) -> Self {
        Self(ManuallyDrop::new(object))
    }
}

impl RefUnwindSafe for BufferOwner {}

impl Drop for BufferOwner {
    fn drop(&mut self) {
        // SAFETY: it is dropped here and nowhere else.
        unsafe { ManuallyDrop::drop(&mut self.0) };
        ask_to_drain();
    }
}

/// Registers a pending call that drains the queue, unless one is registered already or the interpreter has
/// ended.
fn ask_to_drain() {
    ASKING.fetch_add(1, SeqCst);
    if !HAS_ENDED.load(SeqCst) && !IS_ASKED.swap(true, SeqCst) {
        // SAFETY: needs no GIL; the interpreter has not ended, because `end` waits for whoever asks.
        let failed = unsafe { ffi::Py_AddPendingCall(Some(drain), ptr::null_mut()) } != 0;
        if failed {
            // Too many calls are pending; the next call of this module drains the queue.
            IS_ASKED.store(false, SeqCst);
        }
    }
    ASKING.fetch_sub(1, SeqCst);
}

/// Drains the queue, by attaching to the interpreter.
extern "C" fn drain(_: *mut c_void) -> c_int {
    IS_ASKED.store(false, SeqCst);
    Python::try_attach(|_| ());
    0
}

/// Number of threads inside [`ask_to_drain`].
static ASKING: AtomicUsize = AtomicUsize::new(0);

/// Whether a call of [`drain`] is pending.
static IS_ASKED: AtomicBool = AtomicBool::new(false);

/// Whether the interpreter has stopped accepting pending calls.
static HAS_ENDED: AtomicBool = AtomicBool::new(false);

/// Registers [`end`] with `atexit`; the interpreter accepts pending calls until then.
pub(crate) fn register_exit_hook(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let end = wrap_pyfunction!(end, module)?;
    module.py().import("atexit")?.call_method1("register", (end,))?;
    Ok(())
}

#[pyfunction]
fn end() {
    HAS_ENDED.store(true, SeqCst);
    // In a child that was forked while another thread asked, nobody is left to count down.
    for _ in 0..MOST_YIELDS {
        if ASKING.load(SeqCst) == 0 {
            return;
        }
        thread::yield_now();
    }
}

/// Maximum number of times that [`end`] yields to other threads; a call of [`ask_to_drain`] takes less than a
/// microsecond. (Chosen by jvmwire.)
const MOST_YIELDS: usize = 10_000;
