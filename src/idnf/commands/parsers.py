"""The commands and their options as users type them; what a command does is imported when it runs.

So help, the version and a bad option are answered at once.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from difflib import get_close_matches
from functools import partial
from typing import TypeAlias

from idnf.learning.choices import CONDITIONS, FAMILIES, LEARNERS, METRICS

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"

Options: TypeAlias = "argparse.ArgumentParser | argparse._ArgumentGroup"
"""Where options are added: a command, or a group of its help."""

AUTO = -1
"""Stands for a k that is to be chosen."""

FORMS = ("auto", "lines", "checklist", "factored", "tree")
"""Ways to print a model, as :mod:`idnf.logic.forms` names them; that is not imported only to be listed."""

_TABLE = "CSV, Excel or Parquet files; - reads CSV from standard input"
_TABLE_OR_DATABASE = f"{_TABLE}; or a database such as postgresql://user@host/name"

help_formatter = partial(argparse.RawDescriptionHelpFormatter, max_help_position=30)
"""Keeps examples as they are written, and options beside their meaning."""


def add_commands(commands: Commands) -> None:
    """Add all commands to the command line."""
    for add in (
        _add_fit,
        _add_bands,
        _add_choosing,
        _add_applying,
        _add_recording,
        _add_models,
        _add_governing,
        _add_research,
        _add_demo,
    ):
        add(commands)


def _add_fit(commands: Commands) -> None:
    """Add the command that learns a model: the options most people need first, the others in groups."""
    example = (
        "idnf fit loans.csv --target approved --k 3 -o model.json\n  idnf fit data/*.parquet --target y --engine duckdb"
    )
    fit = _add_command(commands, "fit", "fitting.run", what="learn a model from a table", example=example)
    fit.add_argument("table", nargs="+", help=_TABLE_OR_DATABASE)
    fit.add_argument("--target", required=True, metavar="COLUMN", help="column of labels")
    bound = "most conditions in any reason (default 3); auto: the smallest that does as well as any up to 4"
    fit.add_argument("--k", type=_bound, default=3, metavar="K", help=bound)
    fit.add_argument("-o", "--output", metavar="FILE", default="model.json", help="default: model.json")
    positive = "label whose recall is printed, or to set against the rest if there are several; or '> 50'"
    fit.add_argument("--positive", metavar="LABEL", help=positive)
    ignore = "leave out these columns, separated by commas (repeatable)"
    fit.add_argument("--ignore", action="append", default=[], metavar="A,B", help=ignore)
    weights = "balanced, or weights such as yes=5: how much an error on rows of that label counts"
    fit.add_argument("--class-weight", metavar="LABEL=X", help=weights)
    mistake = "cost of giving rows of label TRUE the label GIVEN, or any other label; others cost 1 (repeatable)"
    fit.add_argument("--cost", action="append", default=[], metavar="TRUE[:GIVEN]=X", help=mistake)
    fit.add_argument("--holdout", metavar="FILE", help="write the rows held out here, to report on them")
    fit.add_argument("--json", action="store_true", help="print JSON")
    _add_columns(fit.add_argument_group("columns and their values"))
    _add_measuring(fit.add_argument_group("rows held out to measure on"))
    _add_size(fit.add_argument_group("form and size of the model"))
    _add_work(fit.add_argument_group("time and work"))
    _add_fairness(fit.add_argument_group("fairness"))
    _add_engine(fit.add_argument_group("tables larger than memory"), what="count")
    _add_file_options(fit)


def did_you_mean(given: str, names: Iterable[object]) -> str:
    """Return a question about the nearest of some names; nothing if none is near.

    >>> did_you_mean("Antrag", ["Antrag Nr.", "Datum"]), did_you_mean("yes", [0, 1])
    (' Did you mean Antrag Nr.?', '')
    """
    folded = {str(name).casefold(): str(name) for name in names}
    begun = [name for name in folded if given and name.startswith(given.casefold())]
    close = get_close_matches(given.casefold(), folded, 1) or begun[:1]
    return f" Did you mean {folded[close[0]]}?" if close else ""


def _bound(text: str) -> int:
    if text == "auto":
        return AUTO
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a whole number or auto; got {text}") from None


def _add_columns(fit: Options) -> None:
    """Add what the user says about columns and missing values."""
    keep = "learn from these identifiers: columns, separated by commas (repeatable)"
    fit.add_argument("--keep", action="append", default=[], metavar="A,B", help=keep)
    kinds = "read a column as number, category, date or boolean (repeatable)"
    fit.add_argument("--as", action="append", default=[], dest="kinds", metavar="COLUMN=KIND", help=kinds)
    _add_refusals(fit)
    fit.add_argument(
        "--missing-values", metavar="A,B", help="texts that stand for a missing value, beside NA, ? and the like"
    )
    merge = "take spellings such as no, No, N and FALSE as one, in labels and categories"
    fit.add_argument("--merge-spellings", action="store_true", help=merge)
    fit.add_argument("--decimal", choices=[".", ","], help="decimal mark (default: detected)")
    meaning = "the positive label may only become likelier as the column grows (1) or shrinks (-1) (repeatable)"
    fit.add_argument("--monotone", action="append", default=[], metavar="COLUMN=1|-1", help=meaning)
    _add_change_options(fit)


def _add_refusals(options: Options) -> None:
    """Add what says which values have no answer."""
    allow = "what becomes of values missing in columns that had none in training (default refuse: no answer)"
    options.add_argument("--missing", choices=["allow", "refuse"], default="refuse", help=allow)
    unseen = "what becomes of categories never seen in training (default allow: they count as other; refuse: no answer)"
    options.add_argument("--unseen", choices=["allow", "refuse"], default="allow", help=unseen)


def _add_measuring(fit: Options) -> None:
    """Add what says which rows are held out."""
    share = "share of rows held out (default 0.25; 0: none)"
    fit.add_argument("--test-size", type=float, metavar="SHARE", help=share)
    after = "hold out the rows after this date or number, such as opened 2024-06-30"
    fit.add_argument("--test-after", nargs=2, metavar=("COLUMN", "VALUE"), help=after)
    group = "hold out whole groups, so that no customer or clinic is on both sides"
    fit.add_argument("--test-group", metavar="COLUMN", help=group)


def _add_size(fit: Options) -> None:
    """Add what bounds the form and size of a model, and how much of it is printed."""
    fit.add_argument("--family", default="any", choices=FAMILIES, help="form of the model (default any)")
    wider = "what one condition may say: one cut or category (cuts, the default), intervals, sets, all; auto: tried out"
    fit.add_argument("--conditions", default="cuts", choices=CONDITIONS, help=wider)
    fit.add_argument("--learner", default="search", choices=LEARNERS, help="how to find it (default search)")
    fit.add_argument("--max-terms", type=int, metavar="N", help="most lines for the class of fewer lines")
    fit.add_argument("--max-reasons", type=int, metavar="N", help="most reasons of both classes together")
    fit.add_argument("--no-tune", action="store_true", help="use all of k; do not choose a size by cross-validation")
    fit.add_argument("--both", action="store_true", help="print every reason of both classes")
    fit.add_argument("--form", choices=FORMS, default="auto", help="how to print the model (default: the shortest)")


def _add_work(fit: Options) -> None:
    """Add what bounds the time that learning takes."""
    fit.add_argument("--effort", type=float, default=1.0, metavar="X", help="how much to search (default 1)")
    fit.add_argument("--time-limit", type=float, metavar="S", help="seconds after which the best so far is kept")
    fit.add_argument("--jobs", type=int, metavar="N", help="threads (default 1)")
    fit.add_argument("--seed", type=int, default=0, metavar="N", help="seed of all random choices (default 0)")


def _add_fairness(fit: Options) -> None:
    """Add the options that bound the gap between groups."""
    fit.add_argument("--fair", metavar="COLUMN", help="bound the gap between groups; the model does not see the column")
    fit.add_argument("--fair-metric", default=METRICS[0], choices=METRICS, help=f"default {METRICS[0]}")
    fit.add_argument("--fair-limit", type=float, default=0.05, metavar="X", help="largest gap allowed (default 0.05)")
    fit.add_argument("--fair-page", metavar="FILE", help="write a page with the alternatives considered")


def _add_choosing(commands: Commands) -> None:
    """Add the commands that help to choose k, or what a missed case costs."""
    example = "idnf choose loans.csv --target decision --plot choose.svg"
    what = "measure how many conditions a reason needs"
    choose = _add_command(commands, "choose", "comparing.run_choose", what=what, example=example)
    _add_table(choose)
    choose.add_argument("--k", type=int, nargs="+", default=[1, 2, 3, 4], help="which to try (default 1 2 3 4)")
    choose.add_argument("--folds", type=int, default=5, metavar="N", help="how often rows are held out (default 5)")
    example = "idnf points fraud.csv --target fraud --recall 0.8 -o model.json"
    what = "measure recall against precision along a range of costs"
    points = _add_command(commands, "points", "comparing.run_points", what=what, example=example)
    _add_table(points)
    points.add_argument("--k", type=int, default=3, help="most conditions in any reason (default 3)")
    points.add_argument(
        "--costs", type=float, nargs="+", metavar="X", help="what a missed case counts, a false alarm 1"
    )
    points.add_argument(
        "--positive",
        metavar="LABEL",
        help="label of the cases to be found (default: one that says yes, else the rarer one)",
    )
    points.add_argument("--recall", type=float, metavar="X", help="write the most precise model with this recall")
    points.add_argument(
        "-o", "--output", metavar="FILE", default="model.json", help="file to write (default: model.json)"
    )
    example = "idnf near-equals loans.csv --target decision --without age -o model.json"
    what = "list the models that are as good as the best, and how many rows they agree on"
    near = _add_command(commands, "near-equals", "comparing.run_near_equals", what=what, example=example)
    _add_table(near)
    near.add_argument("--k", type=int, default=3, help="most conditions in any reason (default 3)")
    near.add_argument("--family", default="any", choices=FAMILIES, help="form of the models (default any)")
    loss = "how much more a model may cost than the best, as a share of the rows (default 0.01)"
    near.add_argument("--within", type=float, default=0.01, metavar="X", help=loss)
    near.add_argument("--resamples", type=int, default=10, metavar="N", help="how often to draw rows anew (default 10)")
    near.add_argument("--count", type=int, default=20, metavar="N", help="most models to list (default 20)")
    free = "write the best model that does not look at these columns"
    near.add_argument("--without", action="append", default=[], metavar="A,B", help=free)
    near.add_argument("--subgroup", metavar="COLUMN", help="say how far groups by this column differ in their answers")
    near.add_argument("-o", "--output", metavar="FILE", help="write that model, or the shortest, to this file")


def _add_table(parser: argparse.ArgumentParser, *, learner: bool = True) -> None:
    parser.add_argument("table", nargs="+", help=_TABLE)
    parser.add_argument("--target", required=True, metavar="COLUMN", help="column of labels")
    parser.add_argument("--ignore", action="append", default=[], metavar="A,B", help="columns to leave out")
    if learner:
        parser.add_argument("--learner", default="search", choices=LEARNERS, help="how to learn (default search)")
        parser.add_argument("--plot", metavar="FILE", help="draw it to this file (.svg, .png, .pdf)")
    parser.add_argument("--effort", type=float, default=1.0, metavar="X", help="how much to search (default 1)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of all random choices (default 0)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    _add_file_options(parser)


def _add_bands(commands: Commands) -> None:
    """Add the command that learns a score in bands."""
    example = "idnf bands loans.csv --target bad --boundaries 0.1,0.4 --names approve,refer,decline -o bands.json"
    what = "learn a score in bands, each step with a reason"
    bands = _add_command(commands, "bands", "banding.run", what=what, example=example)
    _add_table(bands, learner=False)
    bands.add_argument("--k", type=int, default=3, help="most conditions in a reason at each boundary (default 3)")
    bands.add_argument("-o", "--output", metavar="FILE", default="bands.json", help="default: bands.json")
    where = "probabilities at which a band begins, or how many to try (default 24; those that do not pay go)"
    bands.add_argument("--boundaries", metavar="P,P", help=where)
    bands.add_argument("--names", metavar="A,B,C", help="what the bands are called, the lowest first")
    bands.add_argument("--order", metavar="A,B,C", help="labels of an ordered target, the lowest first")
    bands.add_argument("--positive", metavar="LABEL", help="the higher label (default: the one that says yes)")
    _add_refusals(bands)
    meaning = "the band never falls as the column grows (1) or shrinks (-1) (repeatable)"
    bands.add_argument("--monotone", action="append", default=[], metavar="COLUMN=1|-1", help=meaning)
    wider = "what one condition may say: one cut or category (cuts, the default), intervals, sets, or all"
    bands.add_argument("--conditions", default="cuts", choices=CONDITIONS[:-1], help=wider)
    bands.add_argument("--test-size", type=float, default=0.25, metavar="SHARE", help="share held out (default 0.25)")
    bands.add_argument("--time-limit", type=float, metavar="S", help="seconds after which the best so far is kept")
    bands.add_argument("--jobs", type=int, metavar="N", help="threads (default 1)")


def _add_applying(commands: Commands) -> None:
    """Add the commands that apply a model to rows."""
    example = "idnf predict model.json new.csv -o labelled.csv"
    predict = _add_command(
        commands, "predict", "applying.run_predict", what="label every row of a table", example=example
    )
    _add_model_and_table(predict, table=_TABLE_OR_DATABASE)
    _add_file_options(predict)
    _add_engine(predict, what="predict")
    predict.add_argument("--proba", action="store_true", help="add the training share of each label")
    predict.add_argument("--json", action="store_true", help="one JSON object per line")
    example = "idnf explain model.json new.csv --text"
    explain = _add_command(
        commands, "explain", "applying.run_explain", what="give the reason for every row", example=example
    )
    _add_model_and_table(explain, table=_TABLE_OR_DATABASE)
    _add_file_options(explain)
    _add_engine(explain, what="explain")
    how = explain.add_mutually_exclusive_group()
    how.add_argument("--json", action="store_true", help="one JSON object per line")
    how.add_argument("--text", action="store_true", help="one sentence per line")
    _add_change_options(explain)
    _add_audit_options(explain)
    example = "idnf recourse model.json new.csv --row 3 --immutable age"
    what = "find the cheapest way to another outcome"
    recourse = _add_command(commands, "recourse", "applying.run_recourse", what=what, example=example)
    _add_model_and_table(recourse)
    _add_file_options(recourse)
    rows = "rows of the table, from 1: 3, or 3,5-7, or all (default 1)"
    recourse.add_argument("--row", default="1", metavar="N", help=rows)
    recourse.add_argument("--to", metavar="LABEL", help="label to reach (default: any other)")
    add_immutable = "columns that cannot change, comma-separated (repeatable)"
    recourse.add_argument("--immutable", action="append", default=[], metavar="A,B", help=add_immutable)
    ways = (("increase-only", "can only grow"), ("decrease-only", "can only shrink"))
    for way, meaning in ways:
        text = f"column that {meaning} (repeatable)"
        recourse.add_argument(f"--{way}", action="append", default=[], metavar="COLUMN", help=text)
    recourse.add_argument("--count", type=int, default=1, metavar="N", help="how many alternatives (default 1)")
    recourse.add_argument("--json", action="store_true", help="print JSON")


def _add_audit_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that ask for what auditors ask of every row."""
    parser.add_argument("--relevance", action="store_true", help="add the columns in every reason and in some reason")
    parser.add_argument("--attribution", action="store_true", help="add the share of the reasons each column is in")
    parser.add_argument("--principal", action="store_true", help="add the principal reasons, as notices name them")
    parser.add_argument("--count", type=int, default=4, metavar="N", help="most principal reasons (default 4)")
    texts = "CSV of column,code,text and outcome for principal reasons"
    parser.add_argument("--texts", metavar="FILE", help=texts)
    parser.add_argument("--outcome", metavar="LABEL", help="the label that --texts is about; other rows get no reasons")


def _add_recording(commands: Commands) -> None:
    """Add the commands that keep decisions, and write letters about them."""
    example = (
        "idnf record model.json new.csv --id application -o decisions.jsonl\n"
        "  idnf record model.json --correct decisions.jsonl A-17 income=2500"
    )
    what = "add a record of every decision to a file, or correct one"
    record = _add_command(commands, "record", "recording.run_record", what=what, example=example)
    record.add_argument("model", nargs="?", default="model.json", help="model file (default: model.json)")
    record.add_argument("table", nargs="*", help=_TABLE)
    _add_file_options(record)
    record.add_argument("--id", metavar="COLUMN", help="column of identifiers (default: the number of the row)")
    record.add_argument(
        "--keep", action="append", default=[], metavar="A,B", help="columns that letters name, such as name"
    )
    record.add_argument(
        "--alternative", action="append", default=[], metavar="FILE", help="model whose decision to add"
    )
    record.add_argument("-o", "--output", metavar="FILE", default="decisions.jsonl", help="default: decisions.jsonl")
    meaning = "decide a recorded case again: the file of records, an identifier, COLUMN=VALUE ..."
    record.add_argument("--correct", nargs="+", metavar="FILE", help=meaning)
    example = "idnf letters decisions.jsonl --template credit-denial --outcome no -o letters"
    parser = _add_command(
        commands, "letters", "recording.run_letters", what="write letters about decisions", example=example
    )
    parser.add_argument("records", help="file written by idnf record")
    template = "file of Markdown, HTML or DOCX, or an example: credit-denial, benefit, referral"
    parser.add_argument("--template", required=True, metavar="FILE", help=template)
    outcome = "decision that gets a letter (repeatable)"
    parser.add_argument("--outcome", action="append", required=True, metavar="LABEL", help=outcome)
    parser.add_argument("--model", metavar="FILE", help="refuse records that say anything else than this model does")
    field = "a field that is the same in all letters, such as sender='The Bank' (repeatable)"
    parser.add_argument("--field", action="append", default=[], metavar="NAME=TEXT", help=field)
    parser.add_argument("-o", "--output", metavar="FOLDER", default="letters", help="default: letters")
    parser.add_argument("--overwrite", action="store_true", help="replace letters that say something else")


def _add_models(commands: Commands) -> None:
    """Add the commands about a model as a whole."""
    example = "idnf verify model.json\n  idnf verify model.json loans.csv --test-size 0.25"
    verify = _add_command(
        commands, "verify", "models.run_verify", what="prove a model's guarantee again", example=example
    )
    verify.add_argument("model", help="model file")
    table = f"the training table, to recount what the file says of it and to prove its optimum again; {_TABLE}"
    verify.add_argument("table", nargs="*", help=table)
    verify.add_argument("--target", metavar="COLUMN", help="column of labels (default: as in the file)")
    verify.add_argument("--positive", metavar="LABEL", help="as given to fit, if there were several labels or '> 50'")
    _add_measuring(verify.add_argument_group("rows that fit held out, if it did"))
    alone = "prove too that a column alone never decides (repeatable)"
    verify.add_argument("--alone", action="append", default=[], metavar="COLUMN", help=alone)
    limit = "seconds that the proofs may take (default: 60)"
    verify.add_argument("--time-limit", type=float, default=60.0, metavar="S", help=limit)
    _add_file_options(verify)
    verify.add_argument("--json", action="store_true", help="print JSON")
    _add_export(commands)
    _add_report(commands)


def _add_export(commands: Commands) -> None:
    example = "idnf export model.json --to sql --dialect duckdb"
    export = _add_command(commands, "export", "models.run_export", what="write the model as a program", example=example)
    export.add_argument("model", nargs="?", help="model file; none is needed with --checker")
    targets = ["sql", "python", "javascript", "onnx", "pmml", "xlsx"]
    export.add_argument("--to", choices=targets, help="target")
    checker = "write the program that checks records of decisions instead, in Python or with --to javascript"
    export.add_argument("--checker", action="store_true", help=checker)
    export.add_argument("--dialect", default="postgres", choices=["sqlite", "duckdb", "postgres"], help="kind of SQL")
    export.add_argument("--principal", type=int, default=0, metavar="N", help="principal reasons too (sql, pmml)")
    export.add_argument("--table", metavar="NAME", help="for sql: write the whole query over this table")
    export.add_argument("--reasons", action="store_true", help="for sql: add the reason of every row")
    export.add_argument("-o", "--output", metavar="FILE", default="-", help="file to write (default: standard output)")


def _add_report(commands: Commands) -> None:
    example = "idnf report model.json loans.csv -o report.html"
    report = _add_command(
        commands, "report", "models.run_report", what="write one page for the auditor", example=example
    )
    _add_model_and_table(report, output="report.html")
    _add_file_options(report)
    report.add_argument("--target", metavar="COLUMN", help="column of true labels (default: as in the model file)")
    report.add_argument("--subgroup", metavar="COLUMN", help="column by which to break accuracy down")
    near = "list other models that are as good, learned from a part of these rows (takes a while)"
    report.add_argument("--near-equals", action="store_true", help=near)
    report.add_argument("--title", help="headline of the page (default: the target and its labels)")
    first = "label to begin with (default: one that refuses, such as declined or bad, else the rarest)"
    report.add_argument("--positive", metavar="LABEL", help=first)
    _add_change_options(report)
    report.add_argument("--card", metavar="FILE", help="write a model card in Markdown as well")
    pack = (
        "write a folder for validators as well: model, page, card, workbook, records and the programs that check them"
    )
    report.add_argument("--pack", metavar="FOLDER", help=pack)
    report.add_argument("--json", action="store_true", help="print the figures of the page as JSON")


def _add_governing(commands: Commands) -> None:
    """Add the commands of auditors."""
    example = "idnf diff old.json new.json rows.csv"
    what = "say where two models disagree, or prove them equal"
    diff = _add_command(commands, "diff", "models.run_diff", what=what, example=example)
    diff.add_argument("old", help="model file, or a policy in a text file")
    diff.add_argument("new", help="model file, or a policy in a text file")
    diff.add_argument("table", nargs="*", help=f"rows to count in each region; {_TABLE}")
    diff.add_argument("--most", type=int, default=20, metavar="N", help="regions to print (default 20)")
    example = "idnf check model.json policy.txt"
    what = "prove or refute rules that a model must obey"
    check = _add_command(commands, "check", "models.run_check", what=what, example=example)
    check.add_argument("model", help="model file")
    check.add_argument("rules", help="text file with one rule per line; - reads standard input")
    check.add_argument("table", nargs="*", help=f"rows to count those that break a rule; {_TABLE}")
    check.add_argument("--rectify", metavar="FILE", help="write the nearest model that obeys; needs rows")
    rows = "column of true labels, for --rectify (default: as in the model file)"
    check.add_argument("--target", metavar="COLUMN", help=rows)
    example = "idnf audit rules.sql"
    what = "say what other people's rules really say"
    audits = _add_command(commands, "audit", "models.run_audit", what=what, example=example)
    audits.add_argument(
        "rules",
        help="text file: if ... then ... lines, or SQL's CASE WHEN, alone or in a query; - reads standard input",
    )
    audits.add_argument("--model", metavar="FILE", help="write the same function as a model file")
    example = "idnf monitor model.json 2026.parquet --by decided -o monitor.html"
    what = "count reasons by period, and how far they moved"
    watch = _add_command(commands, "monitor", "models.run_monitor", what=what, example=example)
    watch.add_argument("model", help="model file")
    watch.add_argument("table", nargs="+", help=f"{_TABLE}; without --by each file is a batch")
    watch.add_argument("--by", metavar="COLUMN", help="column of periods; dates are taken by month or year")
    watch.add_argument("--every", default="month", choices=["month", "year"], help="what dates are taken by")
    for parser in (diff, check, watch):
        _add_file_options(parser)
    for parser in (diff, check, audits, watch):
        parser.add_argument("--json", action="store_true", help="print JSON")
        parser.add_argument("-o", "--output", metavar="FILE", default="-", help="file to write")


def _add_research(commands: Commands) -> None:
    """Add the commands for the researcher."""
    example = "idnf analyse 'a & b | c & ~d'"
    formula = _add_command(
        commands, "analyse", "research.run_analyse", what="say what the paper says of a formula", example=example
    )
    formula.add_argument("formula", help="a formula of & | ~ and brackets; names with other signs in quotes")
    formula.add_argument("--json", action="store_true", help="print JSON")
    example = "idnf reproduce --k 2 3 --datasets iris monks-1 --runs 3"
    parser = _add_command(
        commands, "reproduce", "research.run_reproduce", what="rebuild the paper's tables", example=example
    )
    parser.add_argument("--k", type=int, nargs="+", default=[2, 3, 4, 5, 6], help="bounds (default 2 to 6)")
    parser.add_argument("--datasets", nargs="+", help="data sets (default: all eleven)")
    parser.add_argument("--runs", type=int, default=10, help="fits on each split (default 10)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default 2)")
    parser.add_argument("--learner", default="greedy", choices=LEARNERS, help="column to add")
    parser.add_argument("--output", help="folder for CSV, Markdown and the picture (default: print only)")
    example = "idnf datasets --load loans -o loans.csv"
    listing = _add_command(
        commands, "datasets", "research.run_datasets", what="list the data sets, or write one", example=example
    )
    listing.add_argument("--load", metavar="NAME", help="take this one and say how large it is")
    listing.add_argument("-o", "--output", metavar="FILE", help="write it as CSV or Parquet")
    listing.add_argument("--json", action="store_true", help="print JSON")


def _add_demo(commands: Commands) -> None:
    """Add the command that shows the main job."""
    what = "learn, explain, verify and report on built-in data"
    parser = _add_command(commands, "demo", "research.run_demo", what=what, example="idnf demo --output demo")
    parser.add_argument("--output", default="demo", help="folder for the model and the report (default demo)")


def _add_command(commands: Commands, name: str, run: str, *, what: str, example: str) -> argparse.ArgumentParser:
    """Add a command that calls ``run``, a function of a module beside this one, with an example in its help."""
    parser = commands.add_parser(
        name,
        help=what,
        description=what[0].upper() + what[1:] + ".",
        epilog=f"example:\n  {example}",
        formatter_class=help_formatter,
    )
    parser.set_defaults(run=run)
    parser.add_argument(
        "-q", "--quiet", action="store_true", default=argparse.SUPPRESS, help="leave out remarks and progress"
    )
    return parser


def _add_model_and_table(parser: argparse.ArgumentParser, *, output: str = "-", table: str = _TABLE) -> None:
    """Add the arguments of a command that applies a model to a table."""
    parser.add_argument("model", help="model file written by idnf fit")
    parser.add_argument("table", nargs="+", help=table)
    where = "standard output" if output == "-" else output
    parser.add_argument("-o", "--output", metavar="FILE", default=output, help=f"file to write (default: {where})")


def _add_change_options(parser: Options) -> None:
    """Add the options that limit the changes proposed, or switch them off."""
    which = parser.add_mutually_exclusive_group()
    text = "columns that cannot change, comma-separated (repeatable)"
    which.add_argument("--immutable", action="append", default=[], metavar="A,B", help=text)
    which.add_argument("--no-changes", action="store_true", help="propose no change of any column")


def _add_file_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say how a file is written; each is detected if it is not given."""
    files = parser.add_argument_group("how the file is written (detected by default)")
    files.add_argument("--separator", metavar="SIGN", help="sign between columns, such as ; or tab")
    files.add_argument("--encoding", metavar="NAME", help="such as utf-8, latin-1 or utf-16")
    sheet = "sheet of an Excel file (default: the one with the target, else the first)"
    files.add_argument("--sheet", metavar="NAME", help=sheet)
    files.add_argument("--skip", type=int, metavar="N", help="lines before the names of the columns")
    files.add_argument("--unpacked", type=float, metavar="GB", help="gigabytes a packed table may take unpacked")
    files.add_argument("--no-header", action="store_true", help="the file does not name its columns")


def _add_engine(parser: Options, *, what: str) -> None:
    """Add the options of a command whose table may stay in an engine."""
    engines = ["polars", "duckdb", "spark"]
    parser.add_argument("--engine", choices=engines, help=f"{what} in this engine, for tables larger than memory")
    parser.add_argument("--table-name", metavar="NAME", help="table of the database")
