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

/// Number of messages that a list has, the last one, and a name that is wrong.
type Measured<'py> = (usize, Option<Bound<'py, PyBytes>>, Option<Bound<'py, PyBytes>>);

/// A list of messages that stands in messages of one type.
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

    /// Number of messages that the list has in `payload`, and the last one, undecoded; and of the field
    /// `name` of each, the first that is empty or cannot stand in a directory.
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

    /// An object for each message of the lists, or for each that has in a field the name of an
    /// enumeration that `of` says; of each payload there is the path that it is about.
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

    /// Objects for at most as many messages of one list, of those that stand at the offset `start`
    /// or behind; from where to go on, if there are more.
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

    /// A row for each message of the lists; of each payload there is the path that it is about.
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
