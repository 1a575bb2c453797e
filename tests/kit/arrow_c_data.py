"""Arrays in Arrow's C data interface whose structures a test can change."""

import ctypes
from typing import Any


class Schema(ctypes.Structure):
    """ArrowSchema of Arrow's C data interface."""

    _fields_ = (
        ("format", ctypes.c_void_p),
        ("name", ctypes.c_void_p),
        ("metadata", ctypes.c_void_p),
        ("flags", ctypes.c_int64),
        ("n_children", ctypes.c_int64),
        ("children", ctypes.c_void_p),
        ("dictionary", ctypes.c_void_p),
        ("release", ctypes.c_void_p),
        ("private_data", ctypes.c_void_p),
    )


class Array(ctypes.Structure):
    """ArrowArray of Arrow's C data interface."""

    _fields_ = (
        ("length", ctypes.c_int64),
        ("null_count", ctypes.c_int64),
        ("offset", ctypes.c_int64),
        ("n_buffers", ctypes.c_int64),
        ("n_children", ctypes.c_int64),
        ("buffers", ctypes.c_void_p),
        ("children", ctypes.c_void_p),
        ("dictionary", ctypes.c_void_p),
        ("release", ctypes.c_void_p),
        ("private_data", ctypes.c_void_p),
    )


RELEASE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: None)


def exported(values: Any, **changes: Any) -> Any:
    """Export copies of the two structures of an Arrow array, with some of their fields changed."""
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    capsule = ctypes.pythonapi.PyCapsule_New
    capsule.restype = ctypes.py_object
    capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    owners = values.__arrow_c_array__()
    names = (b"arrow_schema", b"arrow_array")
    structures: dict[str, Schema | Array] = {
        "schema": Schema.from_buffer_copy(Schema.from_address(pointer(owners[0], names[0]))),
        "array": Array.from_buffer_copy(Array.from_address(pointer(owners[1], names[1]))),
    }
    kept: list[Any] = [owners, structures]
    for structure in structures.values():
        structure.release = ctypes.cast(RELEASE, ctypes.c_void_p).value
    for name, value in changes.items():
        structure_name, _, field = name.partition("_")
        if isinstance(value, bytes):
            kept.append(ctypes.create_string_buffer(value))
            address = ctypes.addressof(kept[-1])
        else:
            address = value
        setattr(structures[structure_name], field, address)

    class Producer:
        owners = kept

        def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, ...]:
            del requested_schema
            addresses = map(ctypes.addressof, structures.values())
            return tuple(map(capsule, addresses, names, (None, None)))

    return Producer()
