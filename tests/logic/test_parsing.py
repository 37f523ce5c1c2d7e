"""The text form of formulas: what is written is read back, what cannot be read is shown where it stands."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests import naive, strategies

from idnf import DNF
from idnf.logic.parsing import FormulaError, dnf_text, literal_text, parse, quote_name, term_text


@given(st.data())
def test_what_is_printed_is_read_back(data):
    names = data.draw(strategies.awkward_names(max_size=5))
    f = data.draw(strategies.dnfs(names=names))
    assert DNF.parse(str(f), names) == DNF(tuple(names), f.terms)


@given(strategies.awkward_names(min_size=1, max_size=1))
@example(["\\n"])
@example(["\n"])
@example(["and"])
@example([""])
@example(["x²"])
@example(["1a"])
def test_any_name_can_be_quoted(names):
    assert parse(quote_name(names[0])) == ([1], names)
    assert parse(literal_text(1, names)) == ([2], names)


def test_text_of_masks():
    assert [term_text(0, []), dnf_text([], [])] == ["1", "0"]
    assert dnf_text([0b1001, 0], ["a", "b c"]) == "a & ~'b c' | 1"


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("a & b | c", lambda a, b, c: (a and b) or c),
        ("a and b or not c", lambda a, b, c: (a and b) or not c),
        ("a ∧ ¬b ∨ !c", lambda a, b, c: (a and not b) or not c),
        ("(a | b) & (~a | c)", lambda a, b, c: (a or b) and (not a or c)),
        ("~(a & b | ~c)", lambda a, b, c: not ((a and b) or not c)),
        ("~~(a | b & c)", lambda a, b, c: a or (b and c)),
        ("~(~(a | b) & c)", lambda a, b, c: not (not (a or b) and c)),
        ("a & 1 | b & 0 & c", lambda a, _b, _c: a),
        ("~0 & ~(c & 1)", lambda _a, _b, c: not c),
        ("~1 | a & ~a", lambda _a, _b, _c: False),
        ("\"a\" | 'b'\n | c", lambda a, b, c: a or b or c),
        ("((((a))))&b", lambda a, b, _c: a and b),
    ],
)
def test_formulas_mean_what_they_say(text, meaning):
    f = DNF.parse(text, ["a", "b", "c"])
    expected = [int(meaning(*((p >> j) % 2 for j in range(3)))) for p in range(8)]
    assert naive.table([naive.codes(mask) for mask in f.masks], 3) == expected


def test_features_are_numbered_as_they_occur_or_as_given():
    assert DNF.parse("b & a | c").names == ("b", "a", "c")
    assert DNF.parse("b & a", ["a", "b", "c"]).names == ("a", "b", "c")
    assert DNF.parse("0").names == DNF.parse("1").names == ()


def test_terms_are_kept_as_written():
    assert str(DNF.parse("a & b | a | b & ~b")) == "a & b | a | b & ~b"


@pytest.mark.parametrize(
    ("text", "position", "problem"),
    [
        ("a & | b", 4, "a name, a constant, ~ or ( must stand here; got '|'."),
        ("a &", 3, "a name, a constant, ~ or ( must stand here; got the end."),
        ("", 0, "a name, a constant, ~ or ( must stand here; got the end."),
        ("a b", 2, "formula must end or go on with & or | here; got 'name'."),
        ("(a | b", 6, "this ( or one before must be closed by )."),
        ("a | b)", 5, "formula must end or go on with & or | here; got ')'."),
        ("a & 'b", 4, "quotes must be closed."),
        ("a & 'b\\'", 4, "quotes must be closed."),
        ("a <= 3", 2, "names must be words or in quotes; got '<'."),
        ("10", 0, "names must be words or in quotes; got '1'."),
        ("a & z", 4, "name must be one of a, b, 'c d'; got z."),
    ],
)
def test_a_syntax_error_shows_the_place_with_a_caret(text, position, problem):
    with pytest.raises(FormulaError) as error:
        DNF.parse(text, ["a", "b", "c d"])
    assert error.value.position == position
    assert str(error.value) == f"{problem}\n  {text}\n  {' ' * position}^"


def test_the_caret_stands_under_its_own_line():
    with pytest.raises(FormulaError, match=r"got '\|'.\n  c \| \| d\n      \^$"):
        DNF.parse("a & b |\nc | | d\n| e")


def test_formulas_that_grow_too_large_are_refused():
    pairs = [f"(a{i} | b{i})" for i in range(17)]
    with pytest.raises(FormulaError, match="at most 100000 terms"):
        DNF.parse(" & ".join(pairs))
    with pytest.raises(FormulaError, match="at most 100000 terms"):
        DNF.parse(f"~({' | '.join(f'a{i} & b{i}' for i in range(17))})")
    with pytest.raises(FormulaError, match="at most 100 deep"):
        DNF.parse("(" * 101 + "a" + ")" * 101)


def test_names_must_be_distinct_and_formulas_text():
    with pytest.raises(ValueError, match="names must be distinct; got 'a' more than once"):
        DNF.parse("a", ["a", "b", "a"])
    with pytest.raises(TypeError, match="formula must be a string; got 3"):
        DNF.parse(3)
    with pytest.raises(FormulaError, match="name must be one of none; got a"):
        DNF.parse("a", [])
