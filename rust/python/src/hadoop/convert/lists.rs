//! Lists of messages inside messages, as record batches or objects.

use jvmwire_codec::{
    Cursor, DecodeError,
    hadoop::{check_name, entry_name},
    proto::{RepeatedFieldPath, pick},
    visit::Value,
};
use pyo3::{
    prelude::*,
    pybacked::PyBackedBytes,
    types::{PyBytes, PyList},
};

use super::{
    columns::Plan,
    messages::{single_place, type_named},
    records::HadoopRecord,
};
use crate::{batch::RecordBatch, error::PyCoreError};

/// Number of messages in a list, the last message, and the first invalid name.
type Measured<'py> = (usize, Option<Bound<'py, PyBytes>>, Option<Bound<'py, PyBytes>>);

/// List of messages in a field of messages of one type.
#[pyclass(module = "jvmwire._core", frozen)]
pub(crate) struct HadoopList(RepeatedFieldPath);

#[pymethods]
impl HadoopList {
    #[new]
    #[pyo3(signature = (message, path, /))]
    fn new(message: &str, path: &str) -> Result<Self, PyCoreError> {
        let message = type_named(message)?;
        let place = RepeatedFieldPath::new(message, path).ok_or_else(|| {
            PyCoreError::Argument(format!("{} has no list of messages {path}", message.name))
        })?;
        Ok(Self(place))
    }

    /// Measures the list in `payload`.
    ///
    /// Returns the number of messages, the last one, encoded, and the first value of the field `name` that is
    /// empty or cannot be a name in a directory.
    #[pyo3(signature = (payload, /, name=None))]
    fn measure<'py>(
        &self,
        py: Python<'py>,
        payload: &[u8],
        name: Option<&str>,
    ) -> Result<Measured<'py>, PyCoreError> {
        let number = name
            .map(|name| {
                self.0.message_type().number(name).ok_or_else(|| {
                    PyCoreError::Argument(format!(
                        "{} has no field {name}",
                        self.0.message_type().name
                    ))
                })
            })
            .transpose()?;
        let (mut count, mut last, mut wrong) = (0, None, None);
        self.0.each(Cursor::new(payload), |message| {
            count += 1;
            if let Some(number) = number
                && wrong.is_none()
            {
                let name = entry_name(message.clone(), number)?;
                let fits = !name.is_empty() && check_name(name, 0).is_ok();
                wrong = (!fits).then_some(name);
            }
            last = Some(message);
            Ok::<_, DecodeError>(())
        })?;
        let bytes = |bytes| PyBytes::new(py, bytes);
        Ok((count, last.map(|message| bytes(message.rest())), wrong.map(bytes)))
    }

    /// Makes an object of each message of the lists.
    ///
    /// `payloads` has pairs of the path that a payload is about and the payload. `of` selects the messages in
    /// which a field (its first element) has the value of an enumeration (its second element).
    #[pyo3(signature = (payloads, record, /, of=None))]
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 hands over what it converted")]
    fn records<'py>(
        &self,
        py: Python<'py>,
        payloads: Vec<(String, PyBackedBytes)>,
        record: &HadoopRecord,
        of: Option<(String, String)>,
    ) -> Result<Bound<'py, PyList>, PyCoreError> {
        let of = of
            .as_ref()
            .map(|(path, name)| {
                Ok::<_, PyCoreError>((single_place(self.0.message_type(), path)?, name))
            })
            .transpose()?;
        let mut maker = record.maker(py);
        let mut made = Vec::new();
        for (parent, payload) in &payloads {
            self.0.each(Cursor::new(payload), |message| {
                if let Some((place, wanted)) = &of {
                    let mut values = [Value::Null];
                    pick(message.clone(), place, &mut values)?;
                    if !matches!(values[0], Value::Enum(_, name) if name == *wanted) {
                        return Ok(());
                    }
                }
                made.push(maker.make(parent, &message)?);
                Ok::<_, PyCoreError>(())
            })?;
        }
        Ok(PyList::new(py, made)?)
    }

    /// Makes objects of at most `most` messages of one list, from the byte offset `start` on.
    ///
    /// Returns the objects, and the offset at which to continue if messages remain.
    #[pyo3(signature = (parent, payload, record, /, start, most))]
    fn part<'py>(
        &self,
        py: Python<'py>,
        parent: &str,
        payload: &[u8],
        record: &HadoopRecord,
        start: usize,
        most: usize,
    ) -> Result<(Bound<'py, PyList>, Option<usize>), PyCoreError> {
        let mut maker = record.maker(py);
        let mut made = Vec::new();
        let next = self.0.some(Cursor::new(payload), start, most, &mut |message| {
            made.push(maker.make(parent, &message)?);
            Ok::<_, PyCoreError>(())
        })?;
        Ok((PyList::new(py, made)?, next))
    }

    /// Builds a table of one row per message of the lists; `payloads` has pairs of the path that a payload is
    /// about and the payload.
    #[pyo3(signature = (payloads, columns, /))]
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 hands over what it converted")]
    fn columns(
        &self,
        py: Python<'_>,
        payloads: Vec<(String, PyBackedBytes)>,
        columns: Vec<(String, String, String)>,
    ) -> Result<RecordBatch, PyCoreError> {
        let plan = Plan::new(self.0.message_type(), &columns)?;
        py.detach(|| plan.read_lists(&self.0, &payloads)).map(RecordBatch)
    }
}
