"""The arguments of the commands that learn: fit, bands, choose, points, near-equals, retrain."""

from __future__ import annotations

from argparse import ArgumentParser

from idnf.commands.arguments import (
    number,
    number_above,
    share_or_percent,
    svg_file,
    threads,
    whole_number,
    whole_number_or_auto,
)
from idnf.commands.table_options import (
    add_engine,
    add_favourable,
    add_immutable,
    add_json,
    add_k,
    add_learner,
    add_learning,
    add_limits_of_work,
    add_model_and_table,
    add_monotone,
    add_no_rows,
    add_output,
    add_positive,
    add_refusals,
    add_test_size,
    add_true_labels,
    examples,
)
from idnf.learning.choices import CONDITIONS, FAMILIES, LEARNERS, METRICS


def add_fit(parser: ArgumentParser) -> None:
    """Add the arguments of ``idnf fit``."""
    parser.usage = "%(prog)s table ... --target COLUMN [options]"
    parser.epilog = examples(
        "idnf fit loans.csv --target decision --k 3 -o model.json",
        "idnf fit loans.csv --target decision --k 2 --holdout rows.csv -o small.json",
        "idnf fit loans.csv --target decision --engine duckdb -o model.json",
    )
    add_learning(parser, database=True)
    add_no_rows(parser)
    parser.add_argument(
        "--k",
        metavar="K",
        type=whole_number_or_auto,
        default=3,
        help="most conditions in any reason (default 3); auto: the smallest that does as well as any up to 4",
    )
    add_output(parser, "model.json")
    add_positive(parser)
    parser.add_argument(
        "--class-weight",
        metavar="LABEL=X",
        help="balanced, or weights such as yes=5: how much an error on a row with that label counts",
    )
    parser.add_argument(
        "--cost",
        metavar="TRUE[:GIVEN]=X",
        action="append",
        default=[],
        help="cost of labelling a TRUE row GIVEN, or anything else but TRUE; other errors cost 1 (repeatable)",
    )
    parser.add_argument("--both", action="store_true", help="print every reason for every class")
    _add_columns(parser)
    _add_held_out(parser)
    _add_form(parser)
    _add_fairness(parser)
    group = parser.add_argument_group("time and tables larger than memory")
    add_limits_of_work(group)
    group.add_argument("--jobs", metavar="N", type=threads, help="threads (default 1; -1: one per core)")
    add_engine(group, "count")


def _add_columns(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("columns and their values")
    group.add_argument(
        "--as",
        metavar="COLUMN=KIND",
        dest="kinds",
        action="append",
        default=[],
        help="read a column as number, category, date or boolean, or as categories in an order such as "
        "'low<medium<high'; keep: although it looks like an identifier (repeatable)",
    )
    group.add_argument(
        "--drop-leaks", action="store_true", help="leave out columns that give the label away, alone or two together"
    )
    add_refusals(group)
    group.add_argument(
        "--merge-spellings",
        action="store_true",
        help="treat spellings such as no, No, N and FALSE as the same label or category",
    )
    add_monotone(group)
    add_favourable(group)
    add_immutable(group)


def _add_held_out(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("rows held out to measure on")
    add_test_size(group)
    group.add_argument(
        "--test-after",
        metavar=("COLUMN", "VALUE"),
        nargs=2,
        help="hold out the rows after this date or number, such as opened 2024-06-30",
    )
    group.add_argument(
        "--test-group",
        metavar="COLUMN",
        help="hold out whole groups, so that no customer or clinic is on both sides",
    )
    group.add_argument("--holdout", metavar="FILE", help="write the rows held out to this file, for idnf report")


def _add_form(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("form and size of the model")
    group.add_argument("--family", choices=FAMILIES, default="any", help="form of the model (default any)")
    group.add_argument(
        "--conditions",
        choices=CONDITIONS,
        default="cuts",
        help="what one condition may say: one cut or category (cuts, the default), intervals, sets, all; "
        "auto: by cross-validation",
    )
    add_learner(group)
    group.add_argument(
        "--max-terms", metavar="N", type=whole_number(1), help="most lines, counted for the shorter class"
    )
    group.add_argument(
        "--no-tune", action="store_true", help="do not choose the size by cross-validation; use all of k"
    )


def _add_fairness(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("fairness")
    group.add_argument(
        "--fair", metavar="COLUMN", help="limit the gap between groups; the model does not see the column"
    )
    group.add_argument("--fair-metric", choices=METRICS, default=METRICS[0], help=f"default {METRICS[0]}")
    group.add_argument(
        "--fair-limit", metavar="X", type=number, default=0.05, help="largest gap allowed (default 0.05)"
    )
    group.add_argument("--fair-page", metavar="FILE", help="write a page with the alternatives considered")


def add_bands(parser: ArgumentParser) -> None:
    """Add the arguments of ``idnf bands``."""
    parser.usage = "%(prog)s table ... --target COLUMN [options]"
    parser.epilog = examples(
        "idnf bands loans.csv --target decision --positive declined --boundaries 0.1,0.4 "
        "--names approve,refer,decline -o bands.json",
    )
    add_learning(parser)
    add_no_rows(parser)
    add_k(parser)
    add_output(parser, "bands.json")
    parser.add_argument(
        "--boundaries", metavar="P,P", help="probabilities at which bands begin, or the most there may be (default 16)"
    )
    parser.add_argument("--names", metavar="A,B,C", help="what the bands are called, the lowest first")
    parser.add_argument("--order", metavar="A,B,C", help="labels of an ordered target, the lowest first")
    add_positive(parser)
    add_favourable(parser)
    add_refusals(parser)
    add_monotone(parser)
    add_test_size(parser)
    add_limits_of_work(parser)


def add_choose(parser: ArgumentParser) -> None:
    """Add the arguments of ``idnf choose``."""
    parser.usage = "%(prog)s table ... --target COLUMN [options]"
    parser.epilog = examples("idnf choose loans.csv --target decision --plot choose.svg")
    add_learning(parser)
    add_learner(parser)
    parser.add_argument(
        "--k",
        metavar="K",
        nargs="+",
        type=whole_number(1),
        default=[1, 2, 3, 4],
        help="which to try (default 1 2 3 4)",
    )
    parser.add_argument(
        "--folds", metavar="N", type=whole_number(2), default=5, help="how often rows are held out (default 5)"
    )
    _add_plot(parser)


def add_points(parser: ArgumentParser) -> None:
    """Add the arguments of ``idnf points``."""
    parser.usage = "%(prog)s table ... --target COLUMN [options]"
    parser.epilog = examples("idnf points loans.csv --target decision --positive declined --recall 0.8 -o careful.json")
    add_learning(parser)
    add_learner(parser)
    add_k(parser)
    parser.add_argument(
        "--costs",
        metavar="X",
        nargs="+",
        type=number_above(0),
        help="costs of a missed case to try; a false alarm costs 1",
    )
    add_positive(parser)
    parser.add_argument("--recall", metavar="X", type=number, help="write the most precise model with this recall")
    add_output(parser, "model.json")
    _add_plot(parser)


def add_near_equals(parser: ArgumentParser) -> None:
    """Add the arguments of ``idnf near-equals``."""
    parser.usage = "%(prog)s table ... --target COLUMN [options]"
    parser.epilog = examples("idnf near-equals loans.csv --target decision --k 2 --without opened -o timeless.json")
    add_learning(parser)
    add_learner(parser)
    add_k(parser)
    parser.add_argument(
        "--within",
        metavar="X",
        type=number,
        default=0.01,
        help="how much more a model may cost than the best, as a share of the rows (default 0.01)",
    )
    parser.add_argument(
        "--resamples", metavar="N", type=whole_number(0), default=10, help="bootstrap samples of the rows (default 10)"
    )
    parser.add_argument(
        "--count", metavar="N", type=whole_number(1), default=20, help="most models to list (default 20)"
    )
    parser.add_argument(
        "--without",
        metavar="A,B",
        action="append",
        default=[],
        help="write the best model that does not look at these columns",
    )
    parser.add_argument(
        "--subgroup", metavar="COLUMN", help="measure how much the answers differ between the groups in this column"
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="write that model, or the shortest, to this file")


def add_retrain(parser: ArgumentParser) -> None:
    """Add the arguments of ``idnf retrain``."""
    parser.usage = "%(prog)s model table ... [options]"
    parser.epilog = examples("idnf retrain model.json loans.csv --most-changed 2% -o new.json")
    add_model_and_table(parser)
    add_true_labels(parser)
    parser.add_argument(
        "--most-changed",
        metavar="SHARE",
        type=share_or_percent,
        default=0.02,
        help="largest share of the rows that may be decided differently, such as 2%% (the default) or 0.02",
    )
    parser.add_argument(
        "--new-columns",
        metavar="A,B",
        action="append",
        default=[],
        help="columns that the old model does not know and the new one may look at",
    )
    parser.add_argument("--learner", choices=LEARNERS, help="how to find the model (default: as the old one was)")
    parser.add_argument(
        "--folds",
        metavar="N",
        type=whole_number(0),
        default=5,
        help="how often rows are held out to tell whether changes pay (default 5; 0: never)",
    )
    add_output(parser, "new.json")
    parser.add_argument("--page", metavar="FILE", help="write a page about the new model and what it changes")
    add_json(parser)


def _add_plot(parser: ArgumentParser) -> None:
    parser.add_argument("--plot", metavar="FILE", type=svg_file, help="draw it to this file (.svg)")
