"""Configuration documents, XML or YAML, read within limits of size, depth and expansion."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from xml.parsers import expat

from jvmwire._escaping import quote, shorten
from jvmwire.errors import ConfigError, MissingExtra

if TYPE_CHECKING:
    import yaml

MAX_SIZE: Final = 1 << 20
"""Maximum bytes of a document (chosen by jvmwire): Hadoop's largest defaults file has 300 KB."""
MAX_YAML_SIZE: Final = 1 << 18
"""Maximum characters of a YAML document, which is parsed at about 100 KB per second."""
MAX_DEPTH: Final = 64
"""Maximum nesting depth of elements, mappings and lists (chosen by jvmwire)."""
MAX_EXPANDED: Final = 2 << 20
"""Maximum characters of all names and values after expansion (chosen by jvmwire).

Expansion covers entities of XML and aliases of YAML.
"""
MAX_ENTITY_DEPTH: Final = 16
"""Maximum nesting depth of external entity files (chosen by jvmwire)."""
MAX_NODES: Final = 20_000
"""Maximum number of elements, or of YAML values after alias expansion (chosen by jvmwire)."""


def read_document(path: str | Path) -> bytes:
    """Read a configuration file.

    Args:
        path: The file.

    Returns:
        The content, at most `MAX_SIZE` bytes.

    Raises:
        ConfigError: the file cannot be read, or has more than `MAX_SIZE` bytes.
    """
    try:
        with Path(path).open("rb") as file:
            data = file.read(MAX_SIZE + 1)
    except (OSError, ValueError) as error:
        said = error.strerror if isinstance(error, OSError) else str(error)
        raise ConfigError(f"{path} cannot be read: {said}") from error
    if len(data) > MAX_SIZE:
        raise ConfigError(f"{path} has more than {MAX_SIZE:,} bytes, the limit of a configuration")
    return data


ReadEntity = Callable[[str | None, str | None], tuple[str, bytes] | None]
"""A function that reads an external entity file.

Its arguments are the place of the file that refers to the entity, and the name in that reference;
it returns the place and the content of the entity file, or None to skip it.
"""


def parse_xml(
    document: str | bytes, *, place: str | None = None, read_entity: ReadEntity | None = None
) -> ET.Element:
    """Parse XML within the limits of this module.

    Args:
        document: The text, or its bytes.
        place: Location of the document, passed to `read_entity`.
        read_entity: Reads the files of external entities; without it, such an entity is an error.

    Returns:
        The root element.

    Raises:
        ConfigError: the document is not well-formed XML, or exceeds a limit.
    """
    # The author of a configuration is trusted in other ways too; the limits also bound accidents.
    builder = _LimitedBuilder()
    parser = expat.ParserCreate(None, "}")
    parser.buffer_text = True
    parser.StartElementHandler = builder.start_expanded
    parser.EndElementHandler = lambda tag: builder.end(_expanded(tag))
    parser.CharacterDataHandler = builder.data
    parser.SkippedEntityHandler = _refuse_entity
    if read_entity is not None:
        parser.SetBase(place or "")
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_ALWAYS)
    parser.ExternalEntityRefHandler = _entity_reader(parser, read_entity, 0)
    try:
        parser.Parse(document, True)  # noqa: FBT003 - expat has no names
        root: ET.Element = builder.close()
    except ConfigError:
        raise
    except (AssertionError, expat.ExpatError, LookupError, ValueError) as error:
        raise ConfigError(f"no XML: {shorten(str(error))}") from error
    return root


def _expanded(name: str) -> str:
    return f"{{{name}" if "}" in name else name


def _refuse_entity(name: str, _is_parameter: bool) -> None:  # noqa: FBT001 - expat calls it
    raise ConfigError(f"no XML: the entity {quote(name)} is not known")


def _entity_reader(
    parser: expat.XMLParserType, read_entity: ReadEntity | None, depth: int
) -> Callable[[str, str | None, str | None, str | None], bool]:
    """Return expat's external entity handler of `parser`; nested entity files use it too."""

    def handle(context: str, base: str | None, name: str | None, _public: str | None) -> bool:
        if read_entity is None:
            raise ConfigError(f"no XML: the entity of the file {quote(name)} is not read")
        if depth >= MAX_ENTITY_DEPTH:
            raise ConfigError(f"no XML: more than {MAX_ENTITY_DEPTH} entities in each other")
        found = read_entity(base, name)
        if found is not None:
            place, data = found
            # The inner parser inherits all handlers, so that its text counts towards the document's
            # limits.
            inner = parser.ExternalEntityParserCreate(context)
            inner.SetBase(place)
            inner.ExternalEntityRefHandler = _entity_reader(inner, read_entity, depth + 1)
            inner.Parse(data, True)  # noqa: FBT003 - expat has no keywords
        return True

    return handle


class _LimitedBuilder(ET.TreeBuilder):
    """A tree builder that counts depth, elements and characters against the limits."""

    def __init__(self) -> None:
        super().__init__()
        self._depth = self._nodes = self._size = 0

    def start(self, tag: str, attrs: dict[Any, Any], /) -> ET.Element:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise ConfigError(f"no XML: more than {MAX_DEPTH} elements in each other")
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise ConfigError(f"no XML: more than {MAX_NODES:,} elements")
        self._count(sum(len(name) + len(value) for name, value in attrs.items()))
        return super().start(tag, attrs)

    def start_expanded(self, tag: str, attrs: dict[str, str], /) -> None:
        """Begin an element with names in expat's form, where the namespace ends with a brace."""
        self.start(_expanded(tag), {_expanded(name): value for name, value in attrs.items()})

    def end(self, tag: str, /) -> ET.Element:
        self._depth -= 1
        return super().end(tag)

    def data(self, data: str | bytes, /) -> None:
        self._count(len(data))
        super().data(data)  # type: ignore[arg-type]  # a stub of another version

    def _count(self, size: int) -> None:
        self._size += size
        if self._size > MAX_EXPANDED:
            raise ConfigError(f"no XML: its entities expand to more than {MAX_EXPANDED:,}")


def parse_yaml(text: str) -> Any:
    """Parse YAML to dicts, lists and scalars within the limits of this module.

    Args:
        text: The document.

    Returns:
        The value of the document; None if it is empty.

    Raises:
        ConfigError: the text is not YAML, or exceeds a limit; the error does not quote the text,
            which may contain a password.
        MissingExtra: the extra `yaml` is not installed.
    """
    try:
        import yaml
    except ImportError as error:
        raise MissingExtra("reading YAML needs pip install 'jvmwire[yaml]'") from error
    if len(text) > MAX_YAML_SIZE:
        raise ConfigError(f"not valid YAML: more than {MAX_YAML_SIZE:,} characters")
    loader = None
    try:
        _check_depth(text)
        loader = yaml.SafeLoader(text)
        node = loader.get_single_node()
        if node is None:
            return None
        _check_expansion(node)
        return loader.construct_document(node)
    except yaml.MarkedYAMLError as error:
        # Not the library's whole message: it quotes the line, which may contain a password.
        line = error.problem_mark.line + 1 if error.problem_mark else 0
        problem = shorten(error.problem or "it cannot be read")
        raise ConfigError(f"not valid YAML: line {line}: {problem}") from None
    except yaml.YAMLError as error:
        raise ConfigError(f"not valid YAML: {shorten(str(error))}") from error
    except ConfigError:
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        # A scalar that looks like a number or a time but is not valid; its value is never shown.
        kind = type(error).__name__
        raise ConfigError(f"not valid YAML: a value does not match its tag ({kind})") from None
    finally:
        if loader is not None:
            loader.dispose()


def _check_depth(text: str) -> None:
    """Check nesting depth and number of values on the event stream, without recursion."""
    import yaml

    depth = count = 0
    for event in yaml.parse(text, yaml.SafeLoader):
        count += isinstance(event, yaml.NodeEvent)
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > MAX_DEPTH:
            raise ConfigError(f"not valid YAML: more than {MAX_DEPTH} values in each other")
        if count > MAX_NODES:
            raise ConfigError(f"not valid YAML: more than {MAX_NODES:,} values")


def _check_expansion(root: yaml.Node) -> None:
    """Check the size of a document after alias expansion, without expanding the aliases."""
    import yaml

    sizes: dict[int, tuple[int, int, int]] = {}
    """Values, characters and depth per node; all 0 while the node is being measured."""

    def measured(node: yaml.Node) -> tuple[int, int, int]:
        known = sizes.get(id(node))
        if known is not None:
            if known == (0, 0, 0):
                raise ConfigError("not valid YAML: an alias refers to a value that contains it")
            return known
        sizes[id(node)] = 0, 0, 0
        nodes, size, depth = 1, 0, 0
        if isinstance(node, yaml.ScalarNode):
            size = len(node.value)
        else:
            inner = (
                [part for pair in node.value for part in pair]
                if isinstance(node, yaml.MappingNode)
                else node.value
            )
            for part in inner:
                more = measured(part)
                nodes, size, depth = nodes + more[0], size + more[1], max(depth, more[2])
        if nodes > MAX_NODES or size > MAX_EXPANDED or depth >= MAX_DEPTH:
            raise ConfigError(
                f"not valid YAML: its aliases expand to more than {MAX_NODES:,} values, "
                f"{MAX_EXPANDED:,} characters or {MAX_DEPTH} levels"
            )
        sizes[id(node)] = nodes, size, depth + 1
        return sizes[id(node)]

    measured(root)


def decode_utf8(data: bytes, path: str | Path) -> str:
    """Return the text of a document, without a byte order mark.

    Args:
        data: The bytes of the document.
        path: The name of the document for the error message.

    Raises:
        ConfigError: the document is not UTF-8.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is not UTF-8 at byte {error.start}") from None
