"""What retraining found: the model, what it changes, what is proved of it, and accuracy against changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from idnf.auditing.differences import Difference
from idnf.classifier.estimator import DNFClassifier
from idnf.learning.proved_families import proved_family
from idnf.pictures.chart import Series, chart_svg, round_ticks
from idnf.pictures.picture import Picture
from idnf.result_frames import Library, Tabular, text_table


@dataclass(frozen=True)
class HeldOutChange:
    """How models learned from part of the rows do on the rest, which each row is in once.

    Attributes
    ----------
    changed : float
        The share of rows decided differently from the old model.
    accuracy : float
    gain, spread : float
        How much less the decisions cost than those of the old model, as a share of what the costliest mistakes would
        cost, and its standard error. Without costs or class weights this is the gain in accuracy.
    """

    changed: float
    accuracy: float
    gain: float
    spread: float

    @property
    def pays(self) -> bool:
        """Whether the gain exceeds its standard error."""
        return self.gain > self.spread


@dataclass(frozen=True)
class RetrainedPoint:
    """One of the models between the old one and one learned without regard to it.

    Attributes
    ----------
    price : float or None
        What changing all rows would cost, as a share of what the costliest mistakes would; None for the old model.
    changed : float
        The share of the rows that it decides differently from the old model.
    accuracy, loss : float
        On the same rows: the share that is right, and the cost of the decisions as a share of that of the costliest
        mistakes, which without costs or class weights is the share of errors.
    model : DNFClassifier
    held_out : HeldOutChange or None
        The same price by cross-validation; None if there was none.
    """

    price: float | None
    changed: float
    accuracy: float
    loss: float
    model: DNFClassifier
    held_out: HeldOutChange | None


@dataclass(frozen=True)
class RetrainingCurve(Tabular):
    """Models from the old one to one learned without regard to it; a sequence of points, and a table too."""

    points: tuple[RetrainedPoint, ...]
    library: Library | None = None

    def __len__(self) -> int:
        return len(self.points)

    def __getitem__(self, place: int) -> RetrainedPoint:
        return self.points[place]

    def columns(self) -> Mapping[str, Sequence[object]]:
        """Return the figures by name, a value for each point."""
        shown: dict[str, list[object]] = {
            "price": [one.price for one in self.points],
            "changed": [one.changed for one in self.points],
            "accuracy": [one.accuracy for one in self.points],
        }
        if self.points[0].held_out is not None:
            for name in ("changed", "accuracy", "gain", "spread", "pays"):
                shown[f"held out: {name}"] = [getattr(one.held_out, name) for one in self.points]
        return shown

    def cells(self) -> list[tuple[str, ...]]:
        """Return the figures as texts: the names, then a line for each point."""
        held = self.points[0].held_out is not None
        head = ("price", "changed", "accuracy", *(("held out: changed", "accuracy", "gain", "pays") if held else ()))
        return [head, *(_cells(one) for one in self.points)]

    def to_text(self) -> str:
        """Return the figures as lines."""
        head, *lines = self.cells()
        named = {f"{name}{' ' * place}": [line[place] for line in lines] for place, name in enumerate(head)}
        return text_table(named)

    __str__ = to_text

    def plot(self) -> Picture:
        """Return a picture of accuracy against the share of decisions changed."""
        lines = [
            Series("these rows", tuple((one.changed, one.accuracy) for one in self.points), dotted=True, ours=True)
        ]
        held = [one.held_out for one in self.points if one.held_out is not None]
        if held:
            lines.append(Series("rows held out", tuple((one.changed, one.accuracy) for one in held), dotted=True))
        every = [point for line in lines for point in line.points]
        across = round_ticks(0.0, max(0.01, *(x for x, _ in every)))
        up = round_ticks(min(y for _, y in every), max(y for _, y in every))
        return Picture(chart_svg(lines, across, up, x="share of decisions changed", y="accuracy"))


def _cells(one: RetrainedPoint) -> tuple[str, ...]:
    price = "the old model" if one.price is None else f"{one.price:.3g}"
    own = (price, f"{one.changed:.1%}", f"{one.accuracy:.1%}")
    if one.held_out is None:
        return own
    held = one.held_out
    pays = "" if one.price is None else "yes" if held.pays else "no"
    gain = "" if one.price is None else f"{held.gain:+.1%} ± {held.spread:.1%}"
    return (*own, f"{held.changed:.1%}", f"{held.accuracy:.1%}", gain, pays)


@dataclass(frozen=True)
class Retrained:
    """The best model found that changes few decisions of an old one.

    Attributes
    ----------
    model : DNFClassifier
    changes : Difference
        Where it decides differently from the old one, proved: each region with its rows, and the share that was right
        before and is right after.
    curve : RetrainingCurve
        The models between the old one and one learned without regard to it.
    most_changed : float
        The limit.
    changed, accuracy, loss : float
        On the rows given, as for a point of the curve.
    before : float
        The accuracy of the old model on the same rows.
    held_out : HeldOutChange or None
        What the whole procedure, limit included, does on rows held out; None without cross-validation.
    bounds : mapping of str to float
        For each family of which something is proved, the loss below which no model of it within the limit can come.
    """

    model: DNFClassifier
    changes: Difference
    curve: RetrainingCurve
    most_changed: float
    changed: float
    accuracy: float
    loss: float
    before: float
    held_out: HeldOutChange | None
    bounds: Mapping[str, float]

    @property
    def bound(self) -> float | None:
        """The loss below which no model of ``bound_family`` within the limit can come; None if nothing is proved."""
        return None if self.bound_family is None else self.bounds[self.bound_family]

    @property
    def bound_family(self) -> str | None:
        """The family for which the bound is proved."""
        return next(iter(self.bounds), None)

    @property
    def gap(self) -> float | None:
        """How far the loss of the model is above the bound; None if nothing is proved.

        Prices reach the convex hull of loss and changes alone: off it there is a gap although the model may be best.
        """
        return None if self.bound is None else max(0.0, self.loss - self.bound)

    @property
    def figures(self) -> tuple[str, ...]:
        """What was found, a sentence for each figure."""
        refit = self.curve[-1]
        least = (
            f"{refit.accuracy:.1%} if {refit.changed:.1%} change"
            if len(self.curve) > 1
            else "nothing better was found, whatever it changes"
        )
        found = [
            f"Changes {self.changed:.1%} of the decisions on these rows; at most {self.most_changed:.1%} may change.",
            f"Accuracy on them {self.before:.1%} before, {self.accuracy:.1%} after; {least}.",
        ]
        if self.held_out is not None:
            held = self.held_out
            judged = "more" if held.pays else "not more"
            found.append(
                f"On rows held out {held.changed:.1%} change, accuracy {held.accuracy:.1%}; the gain of "
                f"{held.gain:+.1%} is {judged} than its standard error, {held.spread:.1%}."
            )
        if self.bound is not None and self.bound_family is not None:
            family = proved_family(self.bound_family).words
            found.append(
                f"Proved for {family}: within the limit none has a loss below {self.bound:.4f}; "
                f"this model has {self.loss:.4f}."
            )
        return tuple(found)

    def to_text(self) -> str:
        """Return what was found in words."""
        return "\n".join([*self.figures, "", self.changes.to_text(), "", self.curve.to_text()])

    __str__ = to_text

    def to_dict(self) -> dict[str, object]:
        """Return what was found as plain data."""
        return {
            "most_changed": self.most_changed,
            "changed": self.changed,
            "accuracy": {"before": self.before, "after": self.accuracy},
            "loss": self.loss,
            "bounds": dict(self.bounds),
            "held_out": None if self.held_out is None else vars(self.held_out) | {"pays": self.held_out.pays},
            "changes": self.changes.to_dict(),
            "curve": dict(self.curve.columns()),
        }
