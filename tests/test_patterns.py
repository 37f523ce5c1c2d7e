"""Every pattern reads a text in steps in proportion to its length, whatever the text holds."""

from __future__ import annotations

import ast
import importlib
import re
from functools import cache
from pathlib import Path

import pytest
from tests.regex_steps import Steps, hard_texts

import idnf

SOURCE = Path(idnf.__file__).parent
SHORT = 16


@cache
def patterns() -> dict[str, tuple[re.Pattern[str], bool]]:
    """Return the patterns of all modules, and whether each is searched for rather than matched from the start."""
    found: dict[str, tuple[re.Pattern[str], bool]] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "import re\n" not in text:
            continue
        name = ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts)
        uses = [(node.value, node.attr) for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Attribute)]
        searched = {
            ast.unparse(value) for value, method in uses if method in ("search", "sub", "finditer", "findall", "split")
        }
        for variable, value in vars(importlib.import_module(name)).items():
            several = value.items() if isinstance(value, dict) else [("", value)]
            for key, one in several:
                if isinstance(one, re.Pattern):
                    found[f"{name}.{variable}{key and f'[{key}]'}"] = (one, variable in searched)
        for call in ast.walk(ast.parse(text)):
            if (
                isinstance(call, ast.Call)
                and ast.unparse(call.func) in WRITTEN_IN_PLACE
                and isinstance(call.args[0], ast.Constant)
            ):
                method = ast.unparse(call.func).removeprefix("re.")
                found[f"{name}:{call.args[0].value}"] = (
                    re.compile(call.args[0].value),
                    method not in ("match", "fullmatch"),
                )
    return found


WRITTEN_IN_PLACE = {f"re.{name}" for name in ("match", "fullmatch", "search", "sub", "split", "findall")}


def test_steps_grow_with_the_length() -> None:
    for name, (pattern, searched) in patterns().items():
        for short, long in zip(hard_texts(pattern, SHORT), hard_texts(pattern, 2 * SHORT), strict=True):
            few, many = (Steps(pattern, text) for text in (short, long))
            before, after = (few.search(), many.search()) if searched else (few.fullmatch(), many.fullmatch())
            assert after <= 2.3 * before + 20, (name, short, before, after)


def test_the_count_tells_patterns_that_try_again_from_those_that_do_not() -> None:
    def growth(text: str) -> float:
        pattern = re.compile(text)
        pairs = zip(hard_texts(pattern, 12), hard_texts(pattern, 24), strict=True)
        return max(Steps(pattern, long).fullmatch() / Steps(pattern, short).fullmatch() for short, long in pairs)

    assert growth(r"\d+\.?\d*") > 3
    assert growth(r"\d++(?:\.\d*+)?") < 2.3
    assert growth(r"\s*-?\s*x?\s*y") > 5


@pytest.mark.parametrize("text", ["12", " 1,5", "1.5e3", "(12)", "a;b", "x" * 9])
def test_the_matcher_matches_as_the_usual_one(text: str) -> None:
    for pattern, _ in patterns().values():
        if isinstance(pattern.pattern, str) and "(?P=" not in pattern.pattern:
            counted = Steps(pattern, text)
            found = any(end == len(text) for end in counted._ends(counted.tree, 0))
            assert found == bool(pattern.fullmatch(text)), pattern
