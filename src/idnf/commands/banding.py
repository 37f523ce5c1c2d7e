"""``idnf bands``: from a table to a score in bands, measured on rows it has not seen."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from idnf import exporting
from idnf.choosing.quiet_fits import quietly_fitted
from idnf.classifier.bands import DNFBands
from idnf.columns.phrases import is_number
from idnf.commands.answering import readable
from idnf.commands.comparing import column_reader, labelled_table
from idnf.commands.fitting import directions_of, held_out, remark_decisions, test_share, training_file
from idnf.commands.long_models import shown_bands
from idnf.commands.output import Console
from idnf.commands.target_labels import favourable_of, label_of, positive_label
from idnf.explaining.wording import label_words
from idnf.logic.errors import InvalidArgument
from idnf.result_frames import text_table

if TYPE_CHECKING:
    import polars as pl


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Learn bands, write them, print them, and say how they do."""
    _, X, y = labelled_table(arguments, console, arguments.positive)
    labels = np.unique(y).tolist()
    train, test = held_out(y, test_share(arguments), arguments.seed)
    bands = DNFBands(
        arguments.k,
        boundaries=_boundaries(arguments.boundaries),
        names=None if arguments.names is None else _split_list(arguments.names),
        order=_order(arguments, labels),
        monotonic_cst=directions_of(arguments.monotone, 1, X.columns),
        binariser=column_reader(arguments).set_params(missing=arguments.missing, unseen=arguments.unseen),
        effort=arguments.effort,
        time_limit=arguments.time_limit,
        random_state=arguments.seed,
        progress=console.progress("learning"),
        favourable=favourable_of(arguments, labels),
    )
    quietly_fitted(bands, X[train], y[train])
    bands.fitted_ = replace(bands.fitted_, file=training_file(arguments)).with_settings(target=arguments.target)
    remark_decisions(bands, console)
    exporting.to_json(bands.without_rows() if arguments.no_rows else bands, arguments.output)
    found = _held_out_scores(bands, X, y, train, test) if len(test) else None
    if arguments.json:
        about = {"model": arguments.output, "k": arguments.k, "boundaries": bands.boundaries_}
        about |= {"bands": bands.bands_.columns(), "held_out": None if found is None else asdict(found)}
        console.show(json.dumps(about, ensure_ascii=False, default=str))
        return 0
    console.show(_table(bands))
    text = shown_bands(bands, verbose=console.verbose)
    console.show(f"\n{text}\n\nThe boundaries and their reasons are proved; the shares are estimates.")
    nothing = "no rows were held out, so nothing is known about new ones"
    console.show("\n" + (nothing if found is None else found.to_text()))
    console.remark(f"written to {arguments.output}")
    return 0


@dataclass(frozen=True)
class BandScores:
    """How bands do on rows held out, beside logistic regression on the same cuts and a tree of depth k.

    Attributes
    ----------
    rows : int
    scores : dict
        For each method its area under the ROC curve, if there are two labels, and its log loss.
    calibration : mapping
        For each band its name, rows, the share estimated and the share seen.
    cutoffs : mapping, optional
        Of two labels, what each cutoff between two bands lets through.
    ks, gini : float, optional
        How far bands separate the two labels.
    """

    rows: int
    scores: dict[str, tuple[float | None, float]]
    calibration: Mapping[str, Sequence[object]]
    cutoffs: Mapping[str, Sequence[object]] | None = None
    ks: float | None = None
    gini: float | None = None

    def to_text(self) -> str:
        """Return the figures as a text."""
        aucs, losses = zip(*self.scores.values(), strict=True)
        figures = {"log loss": losses} if None in aucs else {"AUC": aucs, "log loss": losses}
        written = {name: [f"{value:.3f}" for value in values] for name, values in figures.items()}
        scores = text_table({"method": [*self.scores], **written})
        seen = _percent_table(self.calibration)
        text = f"on {self.rows:,} rows held out:\n{scores}\n\nshares estimated and seen there:\n{seen}"
        if self.cutoffs is None:
            return text
        heading = f"cutoffs there (KS {self.ks:.3f}, Gini {self.gini:.3f})"
        meaning = "the bands below are approved, the band itself may be referred"
        return f"{text}\n\n{heading}: {meaning}:\n{_percent_table(self.cutoffs)}"


def _percent_table(columns: Mapping[str, Sequence[object]]) -> str:
    return text_table({name: list(map(_percent, column)) for name, column in columns.items()})


def _percent(value: object) -> object:
    return f"{value:.1%}" if isinstance(value, float) else value


# Other methods learn from every second row, every third one and so on if there are more rows than this.
_MOST_COMPARED = 10_000


def _held_out_scores(
    bands: DNFBands, X: pl.DataFrame, y: NDArray[np.generic], train: NDArray[np.intp], test: NDArray[np.intp]
) -> BandScores:
    """Measure bands and two other methods on rows held out."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import log_loss, roc_auc_score
    from sklearn.tree import DecisionTreeClassifier

    answered = readable(bands, X[test])
    truth = y[test[answered.rows]]
    said, labels = bands.fitted_.bands, bands.classes_.tolist()
    shares = {"bands": bands.predict_proba(answered.table)}
    given = train[:: -(-len(train) // _MOST_COMPARED)]
    features = bands.binariser_.transform(X[given]), bands.binariser_.transform(X[test][answered.rows])
    for name, method in (
        # Other solvers take hundreds of steps where cuts of a column go together.
        ("logistic regression", LogisticRegression(solver="newton-cholesky")),
        (f"tree of depth {bands.k}", DecisionTreeClassifier(max_depth=bands.k, min_samples_leaf=5, random_state=0)),
    ):
        named = name if len(given) == len(train) else f"{name} ({len(given):,} rows)"
        shares[named] = method.fit(features[0].astype(float), y[given]).predict_proba(features[1])
    high = labels.index(said.levels[-1])
    two = len(labels) == 2 and 0 < (truth == labels[high]).sum() < len(truth)
    scores = {
        name: (
            float(roc_auc_score(truth == labels[high], given[:, high])) if two else None,
            float(log_loss(truth, given, labels=labels)),
        )
        for name, given in shares.items()
    }
    found = BandScores(len(truth), scores, bands.calibration(answered.table, truth).columns())
    if not two:
        return found
    cutoffs = bands.cutoffs(answered.table, truth)
    return replace(found, cutoffs=cutoffs.columns(), ks=cutoffs.ks, gini=cutoffs.gini)


def _table(bands: DNFBands) -> str:
    """Return the bands as a text: the share of the label in question in each, and its rows."""
    found, said = bands.bands_.columns(), bands.fitted_.bands
    level = "its own label" if said.is_ordered else label_words(said.levels[1])
    shares = [f"{share:.1%}" for share in found["probability"]]
    scale = {} if said.is_ordered else {"points": bands.scale().columns()["points"]}
    return text_table({"band": found["name"], f"share of {level}": shares, "rows": found["rows"], **scale})


def _boundaries(text: str | None) -> int | list[float] | None:
    if text is None:
        return None
    parts = _split_list(text)
    if not all(map(is_number, parts)):
        raise InvalidArgument("--boundaries", "be probabilities such as 0.1,0.4, or how many", text)
    return int(text) if text.isdecimal() else [float(part) for part in parts]


def _split_list(text: str) -> list[str]:
    return [part.strip() for part in text.split(",")]


def _order(arguments: argparse.Namespace, labels: list[object]) -> list[object]:
    """Return the labels, the lowest first."""
    if arguments.order is not None:
        return [label_of(labels, text, option="--order") for text in _split_list(arguments.order)]
    if len(labels) > 2:
        shown = ", ".join(map(label_words, labels[:10]))
        raise InvalidArgument(
            "--order", f"list the {len(labels)} labels, the lowest first", "none", f"They are: {shown}."
        )
    high = positive_label(labels, arguments.positive)
    return [label for label in labels if label != high] + [high]
