"""The page and summary.json: complete, quiet, reproducible, and safe for any input."""

from __future__ import annotations

import gc
import os
import re
import subprocess
import sys
import weakref
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import matplotlib as mpl
import orjson
import pytest

import jvmwire.errors
from jvmwire.report import Capture, Report, ReportSource, Traffic, write_report
from jvmwire.report._plots.canvas import Canvas, place, plot
from kit.traffic import MISSING, busy_cluster, calls, repeats, table

if TYPE_CHECKING:
    import pyarrow as pa
    from matplotlib.figure import Figure

SOURCE = ReportSource(
    captures=(Capture("nn1.pcap", 1_234_567), Capture("nn2.pcap.zst", 89)),
    streams=12,
    messages=20_400,
    undecoded={"no header: the connection is older than the capture": 38, "frame too long": 3},
    protocols=("hadoop",),
    duration=603.2,
)
FEW = table(calls(2, took=[800, 1200]), calls(1, at=2, status="error", error_class=MISSING))
EVIL = "<script>alert(1)</script>\x1b[31m\u202e$\\frac{1}{2}$&amp;]]>"
LONG = "/" + "x" * 10_000 + "/数据/end"
WHOLE = "/" + "x" * 1_000 + "/数据/end"
"""At most 1 KiB, so that it is not shortened."""


def hostile() -> pa.Table:
    return table(
        *(calls(40, at=at, user=EVIL, client='"><img src=x onerror=alert(1)>') for at in range(9)),
        *(calls(9, at=at, name=f"{EVIL}.{at}", took=[700, 70_000]) for at in range(60)),
        *(
            calls(30, at=at, status="error", error_class=f"java.</style><svg onload={at}>")
            for at in range(12)
        ),
        *(repeats(99, at=at, user="שלום", target=LONG, retries=98) for at in range(5)),
        *(repeats(99, at=at, user="שלום", target=WHOLE, retries=98) for at in range(5)),
        *(repeats(99, user="数据", target=EVIL, name=EVIL, retries=98, at=at) for at in range(5)),
    )


@pytest.fixture
def write(tmp_path):
    def write(traffic: pa.Table, source: ReportSource = SOURCE) -> tuple[str, Report]:
        report = write_report(Traffic.from_table(traffic), source, tmp_path / "new" / "report")
        return report.page.read_text(encoding="utf-8"), report

    return write


def svgs(page: str) -> list[ElementTree.Element]:
    found = re.findall(r"<svg .*?</svg>", page, flags=re.DOTALL)
    return [ElementTree.fromstring(svg) for svg in found]  # noqa: S314 (ours)


class Tags(HTMLParser):
    """The tags of a page, as a browser parses them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.attributes += attrs


def test_a_report_is_a_page_a_summary_and_a_line_per_finding(write):
    page, report = write(busy_cluster(5_000))
    assert len(report.lines) == len(report.findings) == 8
    assert report.lines[0].startswith("5,116 calls over 12 connections in 10 min 3 s")
    summary = orjson.loads(report.summary.read_bytes())
    assert [each["sentence"] for each in summary["findings"]] == list(report.lines)
    for question in ("Who calls most?", "What is slow, and since when?", "What fails?"):
        assert question in page
    assert "nn2.pcap.zst" in page
    assert "frame too long" in page


def test_page_says_how_many_calls_are_counted_with_others(write):
    rows = table(calls(2), calls(7, user="(others)", client="(others)"))
    page, report = write(rows, ReportSource.from_traffic(Traffic.from_table(rows), []))
    assert "7 calls are counted under “(others)”" in page
    assert orjson.loads(report.summary.read_bytes())["source"]["counted_together"] == 7
    page, _ = write(FEW)
    assert "(others)" not in page


def test_a_date_and_a_number_with_its_unit_stay_on_one_line(write):
    page, _ = write(busy_cluster(5_000))
    [title] = re.findall(r"<h1>(.*?)</h1>", page, flags=re.DOTALL)
    assert re.search("10\u00a0min 3\u00a0s", title)
    assert re.search("\\d\u00a0[A-Z][a-z]+\u00a0\\d{4},", title)


def test_the_page_asks_nothing_of_the_network_and_runs_no_script(write):
    page, _ = write(hostile())
    assert "default-src 'none'; style-src 'unsafe-inline'" in page
    tags = Tags(page)
    assert not tags.names & {"script", "img", "link", "iframe", "object", "embed", "image"}
    assert not [name for name, _ in tags.attributes if name.startswith("on")]
    targets = [value for name, value in tags.attributes if name in {"href", "xlink:href", "src"}]
    assert all((target or "").startswith("#") for target in targets)
    assert not re.search(r"url\((?!#)", page)


def test_hostile_names_are_text_and_nothing_else(write):
    page, report = write(hostile())
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert page.count("</style>") == 1
    for text in (page, *report.lines):
        assert not set(text) & {"\x1b", "\u202e"}
    assert all(len(line) < 400 for line in report.lines)
    assert "x" * 200 not in page


def test_names_are_whole_in_the_summary(write):
    _, report = write(hostile())
    found = orjson.loads(report.summary.read_bytes())["findings"]
    storms = next(each for each in found if each["kind"] == "storms")
    assert WHOLE in {row["target"] for row in storms["details"][0]["rows"]}


def test_longer_names_have_their_beginning_and_length_in_the_summary(write):
    _, report = write(hostile())
    found = orjson.loads(report.summary.read_bytes())["findings"]
    storms = next(each for each in found if each["kind"] == "storms")
    [shown] = [row["target"] for row in storms["details"][0]["rows"] if " bytes: " in row["target"]]
    assert shown.startswith(LONG[:200])
    assert f"<{len(LONG.encode())} bytes: " in shown


def test_letters_matplotlib_has_no_shape_for_are_drawn_by_the_browser(write):
    page, _ = write(hostile())
    assert "数据@10.0.0.7: " in "".join("".join(svg.itertext()) for svg in svgs(page))
    assert not re.search("[\u2800-\u28ff]", page)


def test_every_picture_comes_wide_and_narrow_and_no_two_share_an_id(write):
    page, _ = write(busy_cluster(5_000))
    pictures = svgs(page)
    assert [each.get("class") for each in pictures] == ["wide", "narrow"] * (len(pictures) // 2)
    assert len(pictures) >= 12
    ids = re.findall(r'\sid="([^"]*)"', page)
    assert len(ids) == len(set(ids))
    used = set(re.findall(r'(?:url\(|href=")#([^)"]+)', page))
    assert used <= set(ids)


def test_colours_are_variables_so_that_the_page_can_be_dark(write):
    page, _ = write(busy_cluster(5_000))
    drawn = re.search(r"<svg .*</svg>", page, flags=re.DOTALL)
    assert drawn
    assert not re.findall(r"(?:fill|stroke): #[0-9a-f]{6}", drawn[0])


def test_the_same_traffic_makes_the_same_bytes_in_any_thread(tmp_path):
    def write_into(name: str) -> tuple[bytes, bytes]:
        report = write_report(Traffic.from_table(FEW), SOURCE, tmp_path / name)
        return report.page.read_bytes(), report.summary.read_bytes()

    with ThreadPoolExecutor(4) as threads:
        assert len(set(threads.map(write_into, "abcdefgh"))) == 1


def test_matplotlib_s_settings_are_left_alone_and_do_not_matter(write):
    plain, _ = write(FEW)
    with mpl.rc_context({"svg.fonttype": "path", "font.size": 40, "lines.linewidth": 9}):
        assert write(FEW)[0] == plain
        assert mpl.rcParams["font.size"] == 40


def test_a_figure_is_gone_as_soon_as_it_is_drawn():
    drawn: list[weakref.ref[Figure]] = []

    def draw(paper: Canvas) -> Figure:
        figure = paper.figure(40)
        place(figure, 0, 0, 40, 40)
        drawn.append(weakref.ref(figure))
        return figure

    gc.collect()
    plot("empty", "Nothing", draw)
    assert [figure() for figure in drawn] == [None, None]


def test_without_calls_the_page_is_one_sentence_and_no_picture(write):
    page, report = write(table(), ReportSource())
    assert report.lines == (
        "The captures hold no calls. (0 connections, 0 messages; everything was decoded.)",
    )
    assert not svgs(page)
    assert "<section" not in page


def test_one_call_makes_a_whole_page(write):
    page, report = write(table(calls(1, took=3_400)))
    assert len(report.lines) == 6
    assert "getFileInfo took 3.4 ms" in page
    assert len(svgs(page)) == 6


def test_traffic_without_a_clock_has_bars_but_no_time_line(write):
    lost = calls(30, at=None, status="lost", user="bob")
    page, report = write(table(calls(50, at=None), lost, repeats(40, at=None, retries=40)))
    assert any("without a clock" in line for line in report.lines)
    assert "UTC, " not in page


def test_many_reasons_and_captures_are_cut_and_counted(write):
    source = ReportSource(
        captures=tuple(Capture(f"{n}.pcap", 10) for n in range(50)),
        undecoded={f"reason {n}": n + 1 for n in range(50)},
    )
    page, _ = write(table(calls(1)), source)
    assert "50 captures, 500 bytes" in page
    assert "and 30 more" in page
    assert f'other reasons</td><td class="count">{sum(range(1, 31))}<' in page


@pytest.mark.parametrize("missing", ["matplotlib", "jinja2", "pyarrow"])
def test_without_the_extra_the_import_names_the_pip_command(missing):
    code = f"""
import sys
sys.modules[{missing!r}] = None
from jvmwire.errors import MissingExtra
try:
    import jvmwire.report
except MissingExtra as error:
    print(error)
"""
    here = str(Path(jvmwire.errors.__file__).parents[1])
    said = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONPATH": here},
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout == f"the report needs {missing}: pip install 'jvmwire[report]'\n"
