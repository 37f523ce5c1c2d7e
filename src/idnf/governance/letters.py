"""Letters about decisions: a template with fields in double braces, filled in from records, a file for each decision.

A template is plain text, Markdown, HTML or DOCX and its letters are the same. Whatever comes from a record is escaped
for that format: no name and no value becomes markup. A field that is a list fills a line, a list item or a paragraph of
its own for each of its entries, and so none if it is empty.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from hashlib import sha256
from html import escape
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from idnf import InvalidArgument
from idnf.classifier.fitted import AnyClassifier
from idnf.exporting import write_atomically
from idnf.governance.records import DecisionRecord, RecordedPrincipal, RecordedReason
from idnf.reporting import is_number, label_words, measured_words, one_line

if TYPE_CHECKING:
    from docx.document import Document
    from docx.text.paragraph import Paragraph

Fields = Mapping[str, str | Sequence[str]]

EXAMPLES = ("credit-denial", "benefit", "referral")
"""The templates that come with the library."""

_FIELD = re.compile(r"\{\{([^{}]*)\}\}")
# Signs that can become markup where they stand: "a <= 3" and "gross_income" are read as they are.
_MARKS = re.compile(
    r"[\\`*{}\[\]|~$@]|(?<!\w)_|_(?!\w)|<(?=[a-z/!?]|$)|&(?=[a-z#]|$)|(?<=:)/(?=/)|(?<=www)\.|(?<=-)>|#(?=\s*$)",
    re.IGNORECASE,
)
_BEGINNING = re.compile(r"^(?:[-+=>#]|\d+(?=[.)]))")
_LONGEST = 150


def write_letters(  # noqa: PLR0913 - who gets a letter and what it says beside the record, a word each
    records: Iterable[DecisionRecord],
    template: str | os.PathLike[str],
    folder: str | os.PathLike[str],
    *,
    outcomes: Iterable[object] | None = None,
    model: AnyClassifier | None = None,
    fields: Mapping[str, str] | None = None,
    say: Mapping[Any, str] | None = None,
    overwrite: bool = False,
) -> list[Path]:
    r"""Write a letter for each decision with one of some outcomes, and return the files.

    A decision that was corrected gets a letter about its last correction.

    Parameters
    ----------
    records : iterable of DecisionRecord
        As ``make_records`` makes them, or ``read_records`` reads them.
    template : path
        A file whose name ends in .txt, .md, .html or .docx; or the name of an example: credit-denial, benefit or
        referral.
    folder : path
    outcomes : iterable of labels, optional
        The decisions that get a letter; if not given, all but the favourable outcome of the model.
    model : DNFClassifier or DNFBands, optional
        The model that decided; it is asked for its favourable outcome alone.
    fields : mapping of str to str, optional
        Further fields, the same in all letters, such as the sender's address. A line whose field is empty is left out.
    say : mapping of label to str, optional
        What letters call a label. One that is a bare number needs it.
    overwrite : bool
        Whether letters that are there already and say something else are replaced.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> import pandas as pd
    >>> from idnf import DNFClassifier
    >>> from idnf.governance import make_records
    >>> policy = DNFClassifier.from_dnf("late | owner & member", classes=("yes", "no"), target="loan")
    >>> rows = pd.DataFrame({"late": [True, False], "owner": [True, True], "member": [False, False]})
    >>> made = make_records(policy, rows)
    >>> with TemporaryDirectory() as folder:
    ...     _ = open(f"{folder}/letter.md", "w").write("Decision {{id}}: {{decision}}\n- {{reasons}}\n")
    ...     for path in write_letters(made, f"{folder}/letter.md", folder, outcomes=["no"]):
    ...         print(path.name, path.read_text())
    1.md Decision 1: no
    - late is true
    <BLANKLINE>
    """
    suffix, source = _template(template)
    fill, wanted = _FILLERS[suffix], list(_unfavourable(model) if outcomes is None else outcomes)
    own: dict[str, str | Sequence[str]] = {name: text or [] for name, text in (fields or {}).items()}
    last: dict[str, tuple[int, DecisionRecord]] = {}
    for record in records:
        last[record["id"]] = (last[record["id"]][0] + 1 if record["id"] in last else 0, record)
    made = {
        Path(folder) / f"{_file_name(name)}{f'+{corrections}' if corrections else ''}{suffix}": fill(
            source, {**own, **letter_fields(record, say=say)}
        )
        for name, (corrections, record) in last.items()
        if record["decision"] in wanted
    }
    other = next((path for path in made if path.exists() and path.read_bytes() != made[path]), None)
    if other is not None and not overwrite:
        raise InvalidArgument(
            "folder",
            "have no letter that says something else",
            other,
            "Name another folder, or replace what is there: --overwrite, in Python overwrite=True.",
        )
    Path(folder).mkdir(parents=True, exist_ok=True)
    for path, letter in made.items():
        write_atomically(path, letter)
    return list(made)


def _unfavourable(model: AnyClassifier | None) -> list[object]:
    """Return the decisions of a model that get a letter unless others are named: all but its favourable one."""
    best = None if model is None else model.fitted_.favourable_outcome
    if model is None or best is None:
        remedy = "Name them, or give the model that decided, with its favourable outcome."
        raise InvalidArgument("outcomes", "name the decisions that get a letter", "none", remedy)
    return [outcome for outcome in model.fitted_.outcomes if outcome != best]


def letter_fields(record: DecisionRecord, *, say: Mapping[Any, str] | None = None) -> dict[str, str | Sequence[str]]:
    """Return the fields that letters are filled in with, from one record.

    Of a band, reasons and changes are those at the boundary below it: why it is no lower one and what would make it so.

    >>> from idnf import DNFClassifier
    >>> from idnf.governance import make_records
    >>> import pandas as pd
    >>> policy = DNFClassifier.from_dnf("late", classes=("yes", "no"), target="loan")
    >>> fields = letter_fields(make_records(policy, pd.DataFrame({"late": [True]}), ids=["A-17"])[0])
    >>> fields["decision"], fields["reasons"], fields["changes"], fields["data"]
    ('no', ['late is true'], ['late were false'], ['late: true'])
    """
    reason, change = record["reasons"][0], record["changes"][0]
    own = [one["said"] for one in reason["conditions"]] or ["the same decision is made for everyone"]
    corrected = record["corrects"]["values"] if "corrects" in record else {}
    units = record.get("units", {})
    return {
        **record.get("about", {}),
        "id": record["id"],
        "date": record["time"][:10],
        "decision": _outcome_words(record["decision"], say),
        "reasons": [reason["text"]] if reason["text"] else own,
        "principal reasons": [_principal_words(one, reason) for one in record["principal"]] or own,
        "principal note": [_SEVERAL] if len(record["principal"]) > len(own) else [],
        "changes": [] if change is None else [one["said"] for one in change["conditions"]],
        "changed decision": "" if change is None else _outcome_words(change["gives"], say),
        "data": [f"{name}: {_format_value(value, units.get(name))}" for name, value in record["values"].items()],
        "corrected": [f"{name}: {_format_value(value, units.get(name))}" for name, value in corrected.items()],
        "text": record["text"],
        "model": record["model"],
    }


_SEVERAL = (
    "More is named here than one reason needs: several reasons led to this decision, and each of them alone is enough."
)


def _outcome_words(label: object, say: Mapping[Any, str] | None) -> str:
    """Return a label as a letter names it; refuse a bare number, which tells its reader nothing.

    >>> _outcome_words("declined", None), _outcome_words(0, {0: "declined"})
    ('declined', 'declined')
    """
    words = label_words(label)
    said = {label_words(one): text for one, text in (say or {}).items()}
    if words not in said and is_number(words):
        remedy = f"Give --say {words}=TEXT, in Python say={{{words}: ...}}."
        raise InvalidArgument("say", "put a label that is a bare number into words", f"nothing for {words}", remedy)
    return said.get(words, words)


def _principal_words(one: RecordedPrincipal, reason: RecordedReason) -> str:
    """Return the user's text of a factor; else its conditions with the values of the case, if the reason has them."""
    said = {condition["words"]: condition["said"] for condition in reason["conditions"]}
    own = [said.get(each, each) for each in one["conditions"]]
    return one["text"] if one["code"] is not None else " and ".join(filter(None, [", ".join(own[:-1]), *own[-1:]]))


def example_template(name: str) -> str:
    """Return the text of a template that comes with the library.

    >>> example_template("benefit").splitlines()[0]
    '{{sender}}'
    """
    if name not in EXAMPLES:
        raise InvalidArgument("template", f"be a file or one of {', '.join(EXAMPLES)}", name)
    return (files("idnf.governance") / "templates" / f"{name}.md").read_text("utf-8")


def _format_value(value: str | float | bool | None, unit: str | None) -> str:
    """Return a value as it is written.

    >>> _format_value(2500.0, "€"), _format_value(32.20000076293945, None)
    ('2500 €', '32.2')
    >>> _format_value(None, "€"), _format_value("nurse", None)
    ('missing', 'nurse')
    """
    if value is None:
        return "missing"
    if isinstance(value, bool):
        return label_words(value)
    return (value if isinstance(value, str) else measured_words(value)) + (f" {unit}" if unit else "")


def _file_name(name: str) -> str:
    """Return an identifier as the name of a file that is as different from others as it is."""
    quoted = quote(name, safe="")
    return quoted if len(quoted) <= _LONGEST else f"{quoted[:_LONGEST]}+{sha256(name.encode()).hexdigest()}"


def _template(given: str | os.PathLike[str]) -> tuple[str, bytes]:
    if given in EXAMPLES:
        return ".md", example_template(str(given)).encode()
    suffix = Path(given).suffix.lower()
    if suffix not in _FILLERS:
        names = f"a file that ends in {', '.join(_FILLERS)}, or one of {', '.join(EXAMPLES)}"
        raise InvalidArgument("template", f"be {names}", os.fspath(given))
    return suffix, Path(given).read_bytes()


def _fill(text: str, fields: Fields, write: Callable[[str], str]) -> str:
    """Return a text with its fields filled in, a line with a list once for each entry, and not at all without any."""
    _refuse_unknown(_names(text), fields)
    return "".join(
        _FIELD.sub(lambda found: write(values[found[1].strip(" ")]), line)  # noqa: B023 - used at once
        for line in text.splitlines(keepends=True)
        for values in _entries(_names(line), fields)
    )


def _names(text: str) -> list[str]:
    """Return the fields of a text, without the blanks around them."""
    return [name.strip(" ") for name in _FIELD.findall(text)]


def _refuse_unknown(names: Sequence[str], fields: Fields) -> None:
    """Refuse the fields of a template that nothing fills in, all of them at once."""
    unknown = [name for name in dict.fromkeys(names) if name not in fields]
    if unknown:
        remedy = " ".join(f"--field {name}=TEXT" for name in unknown)
        raise InvalidArgument(
            "every field of the template",
            f"be in the record ({', '.join(fields)}) or given",
            ", ".join(unknown),
            f"Give {remedy}, in Python fields={{{', '.join(f'{name!r}: ...' for name in unknown)}}}.",
        )


def _entries(names: Sequence[str], fields: Fields) -> list[dict[str, str]]:
    """Return the values of the fields of a line, once for each entry of the list among them."""
    lists = [name for name in names if not isinstance(fields[name], str)]
    if len(set(lists)) > 1:
        raise InvalidArgument("a line of the template", "have at most one list", ", ".join(lists))
    single = {name: str(fields[name]) for name in names if name not in lists}
    return [single | {lists[0]: entry} for entry in fields[lists[0]]] if lists else [single]


def _plain(source: bytes, fields: Fields) -> bytes:
    return _fill(source.decode("utf-8"), fields, lambda value: one_line(value).strip()).encode()


def _markdown(source: bytes, fields: Fields) -> bytes:
    return _fill(source.decode("utf-8"), fields, markdown_text).encode()


def markdown_text(text: str) -> str:
    r"""Return a text that Markdown shows as it is: no emphasis, link, list, heading or HTML comes of it.

    >>> print(markdown_text("- *net* gross_income <= 3.5 (www.example.org)"))
    \- \*net\* gross_income <= 3.5 (www\.example.org)
    """
    plain = _MARKS.sub(lambda mark: escape(mark[0]) if mark[0] in "<>&" else f"\\{mark[0]}", one_line(text).strip())
    return _BEGINNING.sub(lambda mark: f"{mark[0]}\\" if mark[0].isdigit() else f"\\{mark[0]}", plain)


def _html(source: bytes, fields: Fields) -> bytes:
    return _fill(source.decode("utf-8"), fields, lambda value: escape(one_line(value))).encode()


def _docx(source: bytes, fields: Fields) -> bytes:
    try:
        from docx import Document as open_document
    except ImportError as error:
        raise ImportError("letters as DOCX need python-docx: pip install 'idnf[governance]'") from error
    document = open_document(BytesIO(source))
    for paragraph in _paragraphs(document):
        _fill_paragraph(paragraph, fields)
    out = BytesIO()
    document.save(out)
    return out.getvalue()


def _paragraphs(document: Document) -> list[Paragraph]:
    """Return the paragraphs of a document, those in tables too."""
    cells = [cell for table in document.tables for row in table.rows for cell in row.cells]
    return [*document.paragraphs, *(paragraph for cell in cells for paragraph in cell.paragraphs)]


def _fill_paragraph(paragraph: Paragraph, fields: Fields) -> None:
    """Fill in a paragraph, once for each entry of a list; the first run's format is that of all that is filled in."""
    text = paragraph.text
    names = _names(text)
    if not names:
        return
    _refuse_unknown(names, fields)
    for values in _entries(names, fields):
        copied = deepcopy(paragraph._p)
        paragraph._p.addprevious(copied)
        runs = type(paragraph)(copied, paragraph._parent).runs
        runs[0].text = _FIELD.sub(lambda found: one_line(values[found[1].strip(" ")]), text)  # noqa: B023 - used at once
        for run in runs[1:]:
            run.text = ""
    paragraph._p.getparent().remove(paragraph._p)


_FILLERS: dict[str, Callable[[bytes, Fields], bytes]] = {
    ".txt": _plain,
    ".md": _markdown,
    ".html": _html,
    ".docx": _docx,
}
