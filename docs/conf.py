"""Configuration of Sphinx for the documentation site: `make docs`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from jvmwire import __version__

if TYPE_CHECKING:
    from sphinx.application import Sphinx

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS))

from site_generator import (  # noqa: E402
    command_line,
    dataclass_tables,
    markup,
    plain_index,
    project_pages,
    reference,
)

project = "jvmwire"
release = version = __version__
copyright = "the authors of jvmwire, Apache-2.0"  # noqa: A001 - as Sphinx calls it
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["site_generator"]

html_theme = "furo"
html_title = "jvmwire"
html_show_sourcelink = False
html_copy_source = False
html_show_sphinx = False
html_static_path = ["site_generator/static"]
html_css_files = ["tables.css"]
pygments_style = "friendly"
smartquotes = False  # it would make dashes of the two hyphens of options

myst_enable_extensions = ["colon_fence"]
# GitHub's anchors of headings, by which the pages refer to each other.
myst_heading_anchors = 4
# A console session has prompts; lines that continue a command do not break its lexer.
# Of several errors of one name, the first is the module's own family: Sphinx lists the rest.
suppress_warnings = ["misc.highlighting_failure", "ref.python"]

napoleon_numpy_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True
autodoc_typehints_format = "short"
autodoc_member_order = "alphabetical"
FOREIGN_BASES = "object,BaseException,tuple,list,dict,str,bytes,int,float,Enum,Flag,Generic"
"""Classes of Python whose methods are not described again in the classes that inherit them."""
autodoc_default_options = {"members": True, "inherited-members": FOREIGN_BASES}
python_maximum_signature_line_length = 88
python_use_unqualified_type_names = True
# Methods in the tree of contents of every page would double the time of a build.
toc_object_entries = False


def generate(_app: Sphinx) -> None:
    """Write the pages that are made from the code."""
    reference.write(DOCS / "reference")
    command_line.write(DOCS / "reference")
    project_pages.write(DOCS.parent, DOCS / "project")


def finish(app: Sphinx, error: Exception | None) -> None:
    """Write the plain index next to the pages."""
    if error is None:
        plain_index.write(DOCS, Path(app.outdir) / "llms.txt")


def setup(app: Sphinx) -> None:
    """Connect the generators.

    Args:
        app: The build.
    """
    app.connect("builder-inited", generate)
    app.connect("build-finished", finish)
    # Before napoleon, which reads the same sections.
    app.connect("autodoc-process-docstring", dataclass_tables.replace_sections, priority=400)
    app.connect("autodoc-process-docstring", markup.process_docstring, priority=410)
