"""Letters say what the record says, to those who get one, and nothing in them becomes markup."""

from __future__ import annotations

import io
import re
import zipfile

import pandas as pd
import pytest
from docx import Document
from markdown_it import MarkdownIt

from idnf import DNFBands, DNFClassifier
from idnf.governance import append_records, correct_record, make_records, read_records, write_letters
from idnf.governance.letters import EXAMPLES, example_template, letter_fields, markdown_text

HOSTILE = "<script>alert(1)</script> & [a](javascript:b) **x** ![i](http://e.org) | `c`"
POLICY = DNFClassifier.from_dnf("late | owner & member", classes=("yes", "no"), target="loan").with_settings(
    notice_codes={"late": ("3", "Payments were late"), "member": ("9", "Membership")}
)
ROWS = pd.DataFrame({"late": [True, False, True], "owner": [True, True, False], "member": [True, False, False]})
FIELDS = {
    "sender": "The Bank, 1 Main Street",
    "contact": "call 555-0100",
    "regulator": "the Bureau",
    "credit_bureau": "Equifax, Atlanta",
}


def made(**more):
    return make_records(POLICY, ROWS, ids=["A-1", "A-2", "../../A 3"], **more)


def test_only_outcomes_that_get_one(tmp_path):
    (tmp_path / "letter.md").write_text("{{id}}: {{decision}} on {{date}}\n* {{ reasons }}\n", "utf-8")
    found = write_letters(made(), tmp_path / "letter.md", tmp_path / "out", outcomes=["no"])
    assert [path.name for path in found] == ["A-1.md", "..%2F..%2FA%203.md"]
    assert {path.parent for path in found} == {tmp_path / "out"}
    today = made()[0]["time"][:10]
    assert found[0].read_text("utf-8") == f"A-1: no on {today}\n* late is true\n"
    assert write_letters(made(), tmp_path / "letter.md", tmp_path / "none", outcomes=["maybe"]) == []


def test_lists_fill_a_line_for_each_entry_and_none_without_any(tmp_path):
    (tmp_path / "letter.html").write_text("<ul>\n<li>{{data}}</li>\n</ul><p>{{corrected}}</p>\nend", "utf-8")
    (path,) = write_letters(made()[:1], tmp_path / "letter.html", tmp_path, outcomes=["no"])
    values = ("late: true", "owner: true", "member: true")
    items = "".join(f"<li>{value}</li>\n" for value in values)
    assert path.read_text("utf-8") == f"<ul>\n{items}end"


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_need_no_more_than_they_say(tmp_path, name):
    found = write_letters(made(), name, tmp_path, outcomes=["yes", "no"], fields=FIELDS)
    assert len(found) == 3
    for path in found:
        text = path.read_text("utf-8")
        assert "{{" not in text
        assert FIELDS["sender"] in text
    assert not re.search(r"axp|cxp|literal|classifier", example_template(name), re.IGNORECASE)


def test_a_denial_names_the_principal_reasons_in_the_lenders_words(tmp_path):
    path = write_letters(made(), "credit-denial", tmp_path, outcomes=["no"], fields=FIELDS)[0]
    lines = path.read_text("utf-8").splitlines()
    start = lines.index("The principal reasons for this decision are:")
    assert lines[start + 2] == "- Payments were late"


def test_nothing_becomes_markup(tmp_path):
    records = made(about={"name": [HOSTILE, "Bo", "Cy"]})
    (tmp_path / "letter.html").write_text("<p>{{name}}</p>", "utf-8")
    (tmp_path / "letter.md").write_text("{{name}}", "utf-8")
    html = write_letters(records[:1], tmp_path / "letter.html", tmp_path, outcomes=["no"])[0].read_text("utf-8")
    assert html.count("<") == 2
    text = write_letters(records[:1], tmp_path / "letter.md", tmp_path, outcomes=["no"])[0].read_text("utf-8")
    markdown = MarkdownIt("commonmark").enable("table").render(text)
    tags = set(re.findall(r"</?(\w+)", markdown))
    assert tags == {"p"}


@pytest.mark.parametrize("text", ["income <= 37 & debt > 3", "gross_income is #3", "a < b > c"])
def test_what_is_no_markup_is_written_as_it_is(tmp_path, text):
    records = made(about={"name": [text, "Bo", "Cy"]})
    for kind in ("md", "txt"):
        (tmp_path / f"letter.{kind}").write_text("Dear {{name}}!", "utf-8")
        (path,) = write_letters(records[:1], tmp_path / f"letter.{kind}", tmp_path / kind, outcomes=["no"])
        assert path.read_text("utf-8") == f"Dear {text}!"


def test_plain_text_is_never_escaped(tmp_path):
    (tmp_path / "letter.txt").write_text("{{name}}", "utf-8")
    records = made(about={"name": [HOSTILE, "Bo", "Cy"]})
    (path,) = write_letters(records[:1], tmp_path / "letter.txt", tmp_path / "out", outcomes=["no"])
    assert path.read_text("utf-8") == HOSTILE


def test_numbers_have_the_digits_that_matter():
    policy = DNFClassifier.from_dnf("'ratio <= 30'", columns={"ratio": [30.0]}, classes=("no", "yes"))
    rows = pd.DataFrame({"ratio": pd.Series([32.2, 1 / 3], dtype="float32")})
    assert [letter_fields(one)["data"] for one in make_records(policy, rows)] == [
        ["ratio: 32.2"],
        ["ratio: 0.33333334"],
    ]


def test_a_bare_number_is_put_into_words(tmp_path):
    policy = DNFClassifier.from_dnf("late", classes=(1, 0), target="loan")
    records = make_records(policy, pd.DataFrame({"late": [True]}))
    (tmp_path / "letter.txt").write_text("{{decision}}, not {{changed decision}}", "utf-8")
    refused = "say must put a label that is a bare number into words; got nothing for 0. Give --say 0=TEXT, in Python"
    with pytest.raises(ValueError, match=refused):
        write_letters(records, tmp_path / "letter.txt", tmp_path, outcomes=[0])
    said = {0: "declined", 1: "approved"}
    (path,) = write_letters(records, tmp_path / "letter.txt", tmp_path / "out", outcomes=[0], say=said)
    assert path.read_text("utf-8") == "declined, not approved"


def test_who_gets_a_letter_follows_from_what_people_want(tmp_path):
    (tmp_path / "letter.txt").write_text("{{id}}: {{decision}}", "utf-8")
    with pytest.raises(ValueError, match="outcomes must name the decisions that get a letter; got none"):
        write_letters(made(), tmp_path / "letter.txt", tmp_path, model=POLICY)
    wanted = POLICY.with_settings(favourable="yes")
    found = write_letters(made(), tmp_path / "letter.txt", tmp_path / "out", model=wanted)
    assert [path.read_text("utf-8") for path in found] == ["A-1: no", "../../A 3: no"]
    X = pd.DataFrame({"a": [0, 1, 2] * 20})
    bands = DNFBands(k=1, order=["good", "fair", "bad"], favourable="good", effort=0.1)
    bands.fit(X, X["a"].map({0: "good", 1: "fair", 2: "bad"}))
    found = write_letters(make_records(bands, X[:3]), tmp_path / "letter.txt", tmp_path / "bands", model=bands)
    assert [path.read_text("utf-8") for path in found] == ["2: fair", "3: bad"]


def test_more_principal_reasons_than_conditions_are_explained(tmp_path):
    policy = DNFClassifier.from_dnf("a & b", classes=("no", "yes"))
    records = make_records(policy, pd.DataFrame({"a": [False, False], "b": [False, True]}))
    assert [len(letter_fields(one)["principal reasons"]) for one in records] == [2, 1]
    paths = write_letters(records, "credit-denial", tmp_path, outcomes=["no"], fields=FIELDS)
    said = [" ".join(path.read_text("utf-8").split()) for path in paths]
    assert ["each of them alone is enough" in text for text in said] == [True, False]


def test_a_line_whose_field_is_empty_is_left_out(tmp_path):
    for given, count in (("Equifax, Atlanta", 1), ("", 0)):
        fields = {**FIELDS, "credit_bureau": given}
        paths = write_letters(made(), "credit-denial", tmp_path / str(count), outcomes=["no"], fields=fields)
        text = paths[0].read_text("utf-8")
        assert text.count("used a report from Equifax, Atlanta") == count
        assert text.count("used a report") == count
        assert text.endswith("creditor is the Bureau.\n")


@pytest.mark.parametrize(
    "text", ["- a", "+ a", "1. a", "12) a", "# a", "> a", "    a", "a\nb", "===", "| a | b |", "a@b.org", "www.b.org"]
)
def test_markdown_shows_a_text_as_it_is(text):
    shown = MarkdownIt("commonmark").enable("table").render(markdown_text(text))
    assert re.sub(r"\s+", " ", shown.removeprefix("<p>").strip().removesuffix("</p>")).replace(
        "&gt;", ">"
    ) == text.strip().replace("\n", "\\u000a")


def test_word_documents(tmp_path):
    template = Document()
    template.add_paragraph("Dear {{name}},")
    template.add_paragraph("{{reasons}}", style="List Bullet")
    template.add_paragraph("Without fields.")
    template.add_table(1, 1).cell(0, 0).text = "{{data}}"
    template.save(tmp_path / "letter.docx")
    records = made(about={"name": [HOSTILE + "\x00\uffff", "Bo", "Cy"]})
    paths = write_letters(records, tmp_path / "letter.docx", tmp_path / "out", outcomes=["yes", "no"])
    read = [Document(path) for path in paths]
    assert read[0].paragraphs[0].text == f"Dear {HOSTILE}\\u0000\\uffff,"
    assert [p.text for p in read[1].paragraphs] == ["Dear Bo,", "late is false", "member is false", "Without fields."]
    assert {p.style.name for p in read[1].paragraphs[1:3]} == {"List Bullet"}
    assert [p.text for p in read[1].tables[0].cell(0, 0).paragraphs] == ["late: false", "owner: true", "member: false"]
    with zipfile.ZipFile(io.BytesIO(paths[0].read_bytes())) as packed:
        assert b"<script" not in packed.read("word/document.xml")


def test_a_corrected_decision_gets_a_letter_of_its_own(tmp_path):
    path = tmp_path / "decisions.jsonl"
    append_records(path, made())
    correct_record(POLICY, path, "A-2", {"member": "yes"})
    (tmp_path / "letter.md").write_text("{{id}} {{decision}}\nwas {{corrected}}\n", "utf-8")
    found = write_letters(read_records(path), tmp_path / "letter.md", tmp_path, outcomes=["no", "yes"])
    assert [one.name for one in found] == ["A-1.md", "A-2+1.md", "..%2F..%2FA%203.md"]
    assert found[1].read_text("utf-8") == "A-2 no\nwas member: false\n"


def test_templates_are_refused(tmp_path):
    for text, message in [
        (
            "{{income}}",
            "every field of the template must be in the record .*; got income. Give --field income=TEXT",
        ),
        ("{{reasons}} {{data}}", "a line of the template must have at most one list; got reasons, data"),
    ]:
        (tmp_path / "letter.md").write_text(text, "utf-8")
        with pytest.raises(ValueError, match=message):
            write_letters(made(), tmp_path / "letter.md", tmp_path, outcomes=["no"])
    with pytest.raises(
        ValueError, match="template must be a file that ends in .txt, .md, .html, .docx, or one of credit-denial"
    ):
        write_letters(made(), tmp_path / "letter.pdf", tmp_path, outcomes=["no"])
    with pytest.raises(
        ValueError, match="template must be a file or one of credit-denial, benefit, referral; got none"
    ):
        example_template("none")


def test_a_long_identifier_has_a_name_of_its_own(tmp_path):
    (tmp_path / "letter.md").write_text("{{id}}", "utf-8")
    records = make_records(POLICY, ROWS, ids=["x" * 300, "x" * 301, "x" * 302])
    found = write_letters(records, tmp_path / "letter.md", tmp_path, outcomes=["no", "yes"])
    assert len({path.name for path in found}) == 3
    assert max(len(path.name) for path in found) < 255


def test_a_reason_of_ones_own_words():
    worded = POLICY.with_settings(texts={"b1": "you paid late"})
    fields = letter_fields(make_records(worded, ROWS)[2])
    assert fields["reasons"] == ["you paid late"]
