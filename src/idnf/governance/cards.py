"""The model card: one document with what a model is, how it was made, how it does, what is proved, and its limits.

Headings are those that scikit-learn users know from skops: model description, intended uses and limitations, training
procedure, hyperparameters, evaluation results, how to get started, authors, citation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from idnf import DNFClassifier, auditing
from idnf.reporting import Section, making_sections
from idnf.reporting.summary import Measured, Summary

_LIMITS = (
    "A reason says what the model looks at. It does not say that one thing causes another.",
    "Proofs are about the model, over all values its columns can take; they say nothing of how often it is right.",
    "Figures are those of the rows given here. If the model learned from them, it may do worse on new ones.",
)


@dataclass(frozen=True)
class ModelCard:
    """A document of sections.

    Attributes
    ----------
    title : str
    sections : tuple of Section
    """

    title: str
    sections: tuple[Section, ...]

    def to_markdown(self) -> str:
        """Return the card as Markdown.

        >>> print(ModelCard("Card", (Section("Data").paragraph("3 rows."),)).to_markdown())
        # Card
        <BLANKLINE>
        ## Data
        <BLANKLINE>
        3 rows.
        <BLANKLINE>
        """
        return "\n\n".join([f"# {self.title}", *(section.to_markdown() for section in self.sections)]) + "\n"


def model_card(  # noqa: PLR0913 - what only people know is a word each
    classifier: DNFClassifier,
    summary: Summary | None = None,
    *,
    title: str = "Model card",
    intended: str | None = None,
    limitations: Sequence[str] = (),
    authors: str | None = None,
    citation: str | None = None,
    sections: Sequence[Section] = (),
) -> ModelCard:
    """Return the card of a fitted classifier.

    Parameters
    ----------
    classifier : DNFClassifier
    summary : Summary, optional
        What :func:`idnf.reporting.summarise` measured on labelled rows.
    title : str
    intended : str, optional
        What the model is for.
    limitations : sequence of str
        Known reasons against its use, besides those that hold for every model of this kind.
    authors, citation : str, optional
    sections : sequence of Section
        What else the card says, such as :func:`idnf.reporting.retraining_section`; it stands before the proofs.

    Examples
    --------
    >>> policy = DNFClassifier.from_dnf("late | owner & member", classes=("no", "yes"))
    >>> [section.heading for section in model_card(policy).sections][:3]
    ['Model description', 'Intended uses and limitations', 'Training procedure']
    """
    uses = Section("Intended uses and limitations")
    for text in (*([intended] if intended else []), *limitations, *_LIMITS):
        uses = uses.paragraph(text)
    parts = [
        _description(classifier),
        uses,
        *making_sections(classifier),
        *([] if summary is None else [_results(summary)]),
        *sections,
        _proofs(classifier),
        Section("How to get started with the model").code(_START),
    ]
    parts += [Section(name).paragraph(text) for name, text in (("Authors", authors), ("Citation", citation)) if text]
    return ModelCard(title, tuple(parts))


_START = """from idnf import exporting
model = exporting.from_json("model.json")   # proves the guarantee again
print(model.explain(rows)[0])"""


def _description(classifier: DNFClassifier) -> Section:
    fitted = classifier.fitted_
    labels = ", ".join(map(str, classifier.classes_.tolist()))
    names = [column.name for column in fitted.columns]
    used = [names[j] for j in fitted.used]
    unused = [name for name in names if name not in used]
    never = f" It never looks at {', '.join(unused)}." if unused else ""
    return (
        Section("Model description")
        .paragraph(
            f"Decides between {labels}. Every decision has a reason of at most {fitted.k} conditions: if they "
            "hold, the decision is the same whatever all other values are."
        )
        .paragraph(f"It looks at {', '.join(used) or 'nothing'}.{never}")
        .paragraph(f"Size: {fitted.size}.")
        .code(classifier.fitted_.to_text())
    )


def _results(summary: Summary) -> Section:
    """Return how often the model is right, and its errors by label."""
    given = [f"given {label}" for label in summary.classes]
    rows = [_cells("all", summary.overall)]
    rows += [_cells(f"{summary.subgroup} = {group.name}", group) for group in summary.subgroups]
    counts = zip(summary.classes, summary.overall.confusion, strict=True)
    confusion = [(f"actually {label}", *map(str, row)) for label, row in counts]
    head = ("rows", "count", "accuracy", "most frequent label right", *given)
    return Section("Evaluation results").table(head, rows).table(("", *given), confusion)


def _cells(name: str, one: Measured) -> tuple[str, ...]:
    shares = (f"{share:.1%}" for share in one.shares)
    return name, f"{one.rows:,}", f"{one.accuracy:.1%}", f"{one.baseline:.1%}", *shares


def _proofs(classifier: DNFClassifier) -> Section:
    names = [column.name for column in classifier.fitted_.inputs]
    alone = {name: auditing.can_decide(classifier, name).answer for name in names}
    never = [f"{name} alone never decides" for name, can in alone.items() if not can]
    section = (
        Section("Proofs")
        .paragraph(str(classifier.verify()))
        .paragraph("To prove it again from the model file alone:")
        .code("idnf verify model.json")
        .paragraph("Whether a column alone can change a decision, over all values:")
        .table(("column", "decides alone"), [(name, "can" if can else "never, proved") for name, can in alone.items()])
    )
    if never:
        return section.code("\n".join(["# rules.txt", *never]))
    return section.paragraph("Rules that must hold are proved by `idnf check model.json rules.txt`.")
