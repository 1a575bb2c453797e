//! Python module of the codec and capture crates. It converts types and makes no decisions.

mod batch;
mod codec;
mod count;
mod decode;
mod error;
mod ffi;
mod filter;
mod hadoop;
mod hama;
mod hazelcast;
mod latencies;
mod pravega;
mod sorter;
mod storm;
mod traffic;
mod value;
mod writer;

// The ffi tree builds on it: a thread that has it reads buffers, lists and counts of references that others
// could change.
#[pyo3::pymodule(gil_used = true)]
mod _core {
    use pyo3::{prelude::*, types::PyTuple};

    use jvmwire_capture::Protocol;

    use crate::{codec, ffi, hazelcast};

    #[pymodule_export]
    use crate::{
        batch::{RecordBatch, View},
        decode::{CaptureDecoder, DumpDecoder},
        hadoop::{
            HadoopCaller, HadoopList, HadoopMethod, HadoopRecord, HadoopReplyDecoder,
            HadoopReplyTable, HadoopResponse, decode_message, encode_message, encode_sasl,
            hadoop_messages, hadoop_methods, hadoop_protocols, pick_field,
        },
        hama::{HamaOpReader, HamaOpWriter, HamaReplyReader},
        hazelcast::{
            HazelcastDataCodec, HazelcastDataInput, HazelcastDataOutput, HazelcastDecoder,
            HazelcastEntryColumns, HazelcastMessage, HazelcastPackedList, HazelcastReplies,
            hazelcast_pack, hazelcast_partition_id, hazelcast_partition_ids,
            hazelcast_partition_list,
        },
        latencies::LatencySketch,
        pravega::{
            PravegaAppendAssembler, PravegaBlockEncoder, PravegaDataAppended, PravegaDecoder,
            PravegaDialect, PravegaEventSplitter, PravegaEvents, pravega_positions, pravega_split,
            pravega_table_position,
        },
        sorter::RowSorter,
        storm::{StormBoltWriter, StormDecoder, Tuple, encode_storm_emit},
        traffic::{MergedTraffic, directories_of, jobs_of},
        writer::CaptureWriter,
    };

    #[pymodule_export]
    use crate::hadoop::{
        HadoopCalls, HadoopDataInput, HadoopDataOutput, HadoopRequest, HadoopRequestDecoder,
        JavaClass, decode_object, encode_invocation, encode_old_version, encode_refusal,
    };

    #[pymodule_export]
    use crate::codec::{
        Array, Decoder, Fixed, FrameDecoder, Framing, KeyedAssembler, StreamAssembler,
        StringFormat, Text, TypedFrameDecoder, TypedFraming, Varint, level,
    };

    #[pymodule_export]
    const UNSIGNED32: Varint = Varint::UNSIGNED32;
    #[pymodule_export]
    const UNSIGNED64: Varint = Varint::UNSIGNED64;
    #[pymodule_export]
    const SIGNED32: Varint = Varint::SIGNED32;
    #[pymodule_export]
    const SIGNED64: Varint = Varint::SIGNED64;
    #[pymodule_export]
    const PROTOBUF_INT32: Varint = Varint::PROTOBUF_INT32;
    #[pymodule_export]
    const ZIGZAG32: Varint = Varint::ZIGZAG32;
    #[pymodule_export]
    const ZIGZAG64: Varint = Varint::ZIGZAG64;
    #[pymodule_export]
    const VINT: Varint = Varint::VINT;
    #[pymodule_export]
    const VLONG: Varint = Varint::VLONG;

    #[pymodule_export]
    const JAVA_UTF: StringFormat = StringFormat::JAVA_UTF;
    #[pymodule_export]
    const HADOOP_UTF8: StringFormat = StringFormat::HADOOP_UTF8;
    #[pymodule_export]
    const HADOOP_TEXT: StringFormat = StringFormat::HADOOP_TEXT;
    #[pymodule_export]
    const HAZELCAST_STRING: StringFormat = StringFormat::HAZELCAST_STRING;
    #[pymodule_export]
    const HAZELCAST_DATA_STRING: StringFormat = StringFormat::HAZELCAST_DATA_STRING;

    #[pymodule_export]
    const PRAVEGA_EVENT_LIMIT: usize = jvmwire_codec::pravega::EVENT_LIMIT;
    #[pymodule_export]
    const PRAVEGA_LARGE_EVENT_LIMIT: usize = jvmwire_codec::pravega::LARGE_EVENT_LIMIT;
    #[pymodule_export]
    const PRAVEGA_FRAME_LIMIT: usize = jvmwire_codec::pravega::FRAME_LIMIT;

    #[pymodule_export]
    const MESSAGE_LIMIT: usize = codec::Limit::MESSAGE.get();

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        codec::fix_level()?;
        ffi::register_exit_hook(module)?;
        hazelcast::add_hashes(module)?;
        module.add("LEVELS", PyTuple::new(module.py(), codec::levels())?)
    }

    #[pymodule_export]
    const PROTOCOLS: [&str; Protocol::ALL.len()] = Protocol::NAMES;

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
