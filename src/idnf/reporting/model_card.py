"""The model card: one document with what a model is, how it was made, how it does, what is proved, and its limits.

Headings are those that scikit-learn users know from skops: model description, intended uses and limitations, training
procedure, hyperparameters, evaluation results, how to get started, authors, citation.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version

import numpy as np
from numpy.typing import ArrayLike, NDArray

from idnf.classifier.estimator import DNFClassifier
from idnf.classifier.fairness_report import FairnessReport
from idnf.classifier.table_input import examined_rows
from idnf.columns.eager_frames import subgroup_of
from idnf.pictures.drawing import escape
from idnf.reporting.page_parts import table_html
from idnf.reporting.summary import Measured, measured

_LIMITS = (
    "A reason says what the model looks at. It does not say that one thing causes another.",
    "Proofs are about the model, over all values its columns can take; they say nothing of how often it is right.",
    "Figures are those of the rows given here. If the model learned from them, it may do worse on new ones.",
)


@dataclass(frozen=True)
class Table:
    """A table of a card."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Code:
    """Text of a card that is printed as it stands."""

    text: str


Block = str | Table | Code


@dataclass(frozen=True)
class ModelCard:
    """A document of headed sections.

    Attributes
    ----------
    title : str
    sections : tuple of pairs
        A heading, and paragraphs, tables and code under it.
    """

    title: str
    sections: tuple[tuple[str, tuple[Block, ...]], ...]

    def to_markdown(self) -> str:
        r"""Return the card as Markdown.

        >>> print(ModelCard("Card", (("Data", ("3 rows.", Table(("a", "b"), (("1", "x|y"),)))),)).to_markdown())
        # Card
        <BLANKLINE>
        ## Data
        <BLANKLINE>
        3 rows.
        <BLANKLINE>
        | a | b |
        | --- | --- |
        | 1 | x\|y |
        <BLANKLINE>
        """
        parts = [f"# {self.title}"]
        for heading, blocks in self.sections:
            parts += [f"## {heading}", *map(_markdown, blocks)]
        return "\n\n".join(parts) + "\n"

    def to_html(self) -> str:
        """Return the sections as HTML."""
        return "".join(f"<h3>{escape(heading)}</h3>" + "".join(map(_html, blocks)) for heading, blocks in self.sections)


def model_card(  # noqa: PLR0913 - what only people know is a word each
    classifier: DNFClassifier,
    X: object = None,
    y: ArrayLike | None = None,
    *,
    subgroup: str | None = None,
    title: str = "Model card",
    intended: str | None = None,
    limitations: Sequence[str] = (),
    authors: str | None = None,
    citation: str | None = None,
) -> ModelCard:
    """Return the card of a fitted classifier.

    Parameters
    ----------
    classifier : DNFClassifier
    X : table or array, optional
        Rows to measure on.
    y : array-like, optional
        Their true labels.
    subgroup : str, optional
        A column of X by which the figures are broken down.
    title : str
    intended : str, optional
        What the model is for.
    limitations : sequence of str
        What is known to speak against its use, beside what holds for every model of this kind.
    authors, citation : str, optional

    Examples
    --------
    >>> policy = DNFClassifier.from_dnf("late | owner & member", classes=("no", "yes"))
    >>> [heading for heading, _ in model_card(policy).sections][:3]
    ['Model description', 'Intended uses and limitations', 'Training procedure']
    """
    if (X is None) != (y is None):
        raise ValueError("X and y must be given together; got one of them.")
    sections = [
        ("Model description", _description(classifier)),
        ("Intended uses and limitations", (*([intended] if intended else []), *limitations, *_LIMITS)),
        *making_sections(classifier),
    ]
    if X is not None and y is not None:
        sections.append(("Evaluation results", _results(classifier, X, np.asarray(y), subgroup)))
    sections += [("Proofs", _proofs(classifier)), ("How to get started with the model", (Code(_START),))]
    sections += [(name, (text,)) for name, text in (("Authors", authors), ("Citation", citation)) if text]
    return ModelCard(title, tuple(sections))


_START = """from idnf import exporting
model = exporting.from_json("model.json")   # proves the guarantee again
print(model.explain(rows)[0])"""


def making_sections(classifier: DNFClassifier) -> list[tuple[str, tuple[Block, ...]]]:
    """Return how a model was made: training, settings, versions."""
    fitted = classifier.fitted_
    weight = float(fitted.training.weights.sum())
    rows = f"Training examples of total weight {weight:,.10g}. " if weight else ""
    settings = [(name, repr(value)) for name, value in sorted(classifier.get_params(deep=False).items())]
    said = ", as the model file says; not proved again" if fitted.learned.claimed else ""
    bound = "none" if classifier.bound_ is None else f"{classifier.bound_:.6g} ({classifier.bound_family_}){said}"
    proved = [
        ("objective", f"{classifier.objective_:.6g}{said}"),
        ("proved optimal in", "nothing proved" if classifier.optimal_ is None else f"{classifier.optimal_}{said}"),
        ("bound", bound),
    ]
    chosen: list[tuple[str, tuple[Block, ...]]] = []
    if classifier.path_ is not None:
        head, *lines = classifier.path_.cells()
        words = (
            "the smallest models of those nearly as good as the best were chosen."
            if len(classifier.classes_) == 2
            else "these are trees, and what the best of size k minimise was chosen."
        )
        text = f"Accuracy on training examples held out, by how much of k a model uses and what it minimises; {words}"
        chosen = [("How its size was chosen", (text, Table(head, tuple(lines))))]
    if fitted.fairness is not None:
        chosen.append(("Alternatives considered", _alternatives(fitted.fairness)))
    found = [("python", sys.version.split()[0])]
    found += [(name, version(name)) for name in ("idnf", "numpy", "scikit-learn", "narwhals")]
    return [
        (
            "Training procedure",
            (f"{rows}Training table: {fitted.training_data}.", Table(("result", "value"), tuple(proved))),
        ),
        *chosen,
        ("Hyperparameters", (Table(("parameter", "value"), tuple(settings)),)),
        ("Versions", (Table(("package", "version"), tuple(found)),)),
    ]


def _alternatives(report: FairnessReport) -> tuple[Block, ...]:
    """Return the models considered under a limit on the gap between groups."""
    head, *rows = report.cells()
    proofs = tuple(report.proofs) or ("No bound is proved; a better model may exist.",)
    return f"{report.request} Figures are on the training rows.", Table(head, tuple(rows)), *proofs


def _description(classifier: DNFClassifier) -> tuple[Block, ...]:
    fitted = classifier.fitted_
    labels = ", ".join(map(str, classifier.classes_.tolist()))
    names = [column.name for column in fitted.columns]
    used = [names[j] for j in fitted.used]
    unused = [name for name in names if name not in used]
    size = fitted.size
    return (
        f"Decides between {labels}. Every decision has a reason of at most {fitted.sides.k} conditions: if they "
        "hold, the decision is the same whatever all other values are.",
        f"It looks at {', '.join(used) or 'nothing'}." + (f" It never looks at {', '.join(unused)}." if unused else ""),
        f"Size: {size}.",
        Code(classifier.to_text(place="")),
    )


def _results(
    classifier: DNFClassifier, X: object, true: NDArray[np.generic], subgroup: str | None
) -> tuple[Block, ...]:
    table = examined_rows(classifier.fitted_, X)
    given = table.predicted()
    labels = classifier.classes_.tolist()
    head = ("rows", "count", "accuracy", "commoner label right", *(f"given {label}" for label in labels))
    groups = {"all": np.ones(len(true), dtype=bool)}
    if subgroup is not None:
        values = subgroup_of(table.X, subgroup)
        groups |= {f"{subgroup} = {value}": values == value for value in np.unique(values).tolist()}
    found = [measured(name, true[chosen], given[chosen], labels) for name, chosen in groups.items()]
    counts = zip(labels, found[0].confusion, strict=True)
    confusion = tuple((f"actually {label}", *map(str, row)) for label, row in counts)
    return (Table(head, tuple(map(_cells, found))), Table(("", *(f"given {label}" for label in labels)), confusion))


def _cells(one: Measured) -> tuple[str, ...]:
    shares = (f"{share:.1%}" for share in one.shares)
    return one.name, f"{one.rows:,}", f"{one.accuracy:.1%}", f"{one.baseline:.1%}", *shares


def _proofs(classifier: DNFClassifier) -> tuple[Block, ...]:
    names = [classifier.fitted_.columns[j].name for j in classifier.fitted_.used]
    alone = tuple((name, "can" if classifier.can_decide(name).answer else "never, proved") for name in names)
    return (
        str(classifier.verify()),
        "To prove it again from the model file alone:",
        Code("idnf verify model.json"),
        "Whether a column alone can change a decision, over all values:",
        Table(("column", "decides alone"), alone),
        Code("\n".join(["# rules.txt", *(f"{name} alone never decides" for name, said in alone if said != "can")]))
        if any(said != "can" for _, said in alone)
        else "Rules that must hold are proved by `idnf check model.json rules.txt`.",
    )


def _markdown(block: Block) -> str:
    if isinstance(block, Code):
        return f"```\n{block.text}\n```"
    if isinstance(block, str):
        return block
    lines = [block.head, ("---",) * len(block.head), *block.rows]
    return "\n".join("| " + " | ".join(_cell(text) for text in line) + " |" for line in lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _html(block: Block) -> str:
    if isinstance(block, Code):
        return f'<div class="wide" tabindex="0"><pre>{escape(block.text)}</pre></div>'
    if isinstance(block, str):
        return f"<p>{escape(block)}</p>"
    return f'<div class="wide" tabindex="0">{table_html(block.head, block.rows)}</div>'
