"""Charts by hand: where points, bars and notes lie."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from idnf.pictures.chart import Bar, Series, bars_svg, chart_svg, reliability_svg, round_ticks
from idnf.pictures.picture import Picture

NUMBERED = [(0.0, "0"), (1.0, "1")]


def test_points_spreads_and_notes_by_hand() -> None:
    points = Series("<ours>", ((0.0, 0.5), (1.0, 1.0)), dotted=True, spreads=(0.25, 0.5), notes=("low", "high & far"))
    svg = chart_svg([points], NUMBERED, NUMBERED, x="across", y="up")
    ElementTree.fromstring(svg)
    # The axes are 440 wide and 220 high, from 62 and 16 on.
    dots = re.findall(r'<circle class="" cx="([\d.]+)" cy="([\d.]+)"', svg)
    assert dots == [("62.0", "126.0"), ("502.0", "16.0")]
    # A spread ends with the axis; a note that has no room right of its point lies left of it.
    assert 'd="M62.0 181.0V71.0"' in svg
    assert 'd="M502.0 126.0V16.0"' in svg
    assert '<text x="69.0" y="120.0" text-anchor="start">low<' in svg
    assert '<text x="495.0" y="10.0" text-anchor="end">high &amp; far<' in svg
    assert "&lt;ours&gt;" in svg


def test_nothing_to_draw_is_an_empty_chart() -> None:
    svg = chart_svg([Series("none", ())], NUMBERED, NUMBERED, x="", y="")
    assert ElementTree.fromstring(svg).tag.endswith("svg")
    assert 'd="M"' not in svg


def test_bars_by_hand() -> None:
    svg = bars_svg([Bar("a < b", 1.0, "all of them"), Bar("c", 0.25, "few")], NUMBERED, x="share")
    ElementTree.fromstring(svg)
    bars = re.findall(r'<rect class="ours" x="62.0" y="(\d+)" width="([\d.]+)"', svg)
    assert bars == [("33", "440.0"), ("69", "110.0")]
    assert '<text x="495.0" y="43.0" text-anchor="end">all of them<' in svg
    assert '<text x="179.0" y="79.0" text-anchor="start">few<' in svg
    assert "a &lt; b" in svg


def test_reliability_by_hand() -> None:
    bands = {"band": ["high", "low"], "rows": [100, 25], "estimated": [0.75, 0.25], "seen": [0.5, 0.2]}
    svg = reliability_svg(bands)
    dots = re.findall(r'<circle class="ours" cx="([\d.]+)" cy="([\d.]+)"', svg)
    assert dots == [("172.0", "192.0"), ("392.0", "126.0")]
    # Two standard errors: 0.1 of 100 rows half of which are seen, 0.16 of 25 a fifth of which are.
    assert 'd="M392.0 148.0V104.0"' in svg
    assert 'd="M172.0 227.2V156.8"' in svg


def test_a_picture_is_saved_as_svg(tmp_path: Path) -> None:
    picture = Picture("<svg/>")
    picture.save(tmp_path / "a.SVG")
    assert (tmp_path / "a.SVG").read_text("utf-8") == "<svg/>"
    assert picture._repr_html_() == '<div style="overflow-x:auto"><svg/></div>'
    with pytest.raises(ValueError, match=r"path must end in \.svg, since pictures are written as SVG; got 'a.pdf'"):
        picture.save("a.pdf")
    assert round_ticks(0, 0.3)[0] == (0, "0%")
