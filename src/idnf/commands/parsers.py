"""The commands and their options as users type them; what a command does is imported when it runs.

So help, the version and a bad option are answered at once. Options are written as help shows them, one per line: the
option, what it takes, its default, two spaces, its meaning. `=5` is a default, `!` must be given, `...` may be given
again, `N+` takes one or more; what is taken says the type (`_TYPES`). `| ` before lines that exclude each other,
`[title]` before a group of its own, which `[]` ends.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from functools import partial
from typing import Any, TypeAlias

from idnf.learning.choices import CONDITIONS, FAMILIES, LEARNERS, METRICS

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"

Options: TypeAlias = "argparse.ArgumentParser | argparse._ArgumentGroup"
"""Where options are added: a command, or a group of its help."""

AUTO = -1
"""Stands for a k that is to be chosen."""

FORMS = ("auto", "lines", "checklist", "factored", "tree")
"""Ways to print a model, as :mod:`idnf.logic.forms` names them; that is not imported only to be listed."""

help_formatter = partial(argparse.RawDescriptionHelpFormatter, max_help_position=30)
"""Keeps examples as they are written, and options beside their meaning."""


def add_commands(commands: Commands) -> None:
    """Add every command to a parser."""
    for text in _COMMANDS.replace("\n  ", "  ").removeprefix("# ").split("\n# "):
        head, *lines = text.splitlines()
        examples = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
        called, _, what = head.partition("  ")
        name, run = called.split()
        parser = commands.add_parser(
            name,
            help=what,
            description=what[0].upper() + what[1:] + ".",
            epilog="\n  ".join(["example:", *examples]),
            formatter_class=help_formatter,
        )
        parser.set_defaults(run=run)
        parser.add_argument(
            "-q", "--quiet", action="store_true", default=argparse.SUPPRESS, help="leave out remarks and progress"
        )
        _add_options(parser, lines[len(examples) :])
        parser.usage = _usage(parser)


def _add_options(parser: argparse.ArgumentParser, lines: Iterable[str]) -> None:
    place: Options = parser
    one_of: argparse._MutuallyExclusiveGroup | None = None
    for line in lines:
        if line.startswith("["):
            place, one_of = parser if line == "[]" else parser.add_argument_group(line[1:-1]), None
            continue
        one_of = (one_of or place.add_mutually_exclusive_group()) if line.startswith("| ") else None
        spec, _, meaning = line.removeprefix("| ").partition("  ")
        (name, *words), short = spec.removeprefix("-o ").split(), ["-o"] * spec.startswith("-o ")
        how = _how(name, words)
        if name[-1] in "+*?":
            how["nargs"], name = name[-1], name[:-1]
        if name == "--as":
            how["dest"] = "kinds"
        (one_of or place).add_argument(*short, name, help=meaning, **how)


def _usage(parser: argparse.ArgumentParser) -> str:
    """Return what a command must be given, and that there are options: all of them would hide it."""
    actions = parser._actions  # there is no other list of them
    places = [f"{one.dest} ..." if one.nargs in ("+", "*") else one.dest for one in actions if not one.option_strings]
    needed = [f"{one.option_strings[-1]} {one.metavar}" for one in actions if one.required and one.option_strings]
    return " ".join([parser.prog, *places, *needed, "[options]"])


def did_you_mean(given: str, names: Iterable[object]) -> str:
    """Return a question about the nearest of some names; nothing if none is near.

    >>> did_you_mean("Antrag", ["Antrag Nr.", "Datum"]), did_you_mean("yes", [0, 1])
    (' Did you mean Antrag Nr.?', '')
    >>> did_you_mean("--traget", ["--target", "--skip"]), did_you_mean("--id", ["--target", "--skip"])
    (' Did you mean --target?', '')
    """
    # The dashes that all options begin with make none of them nearer.
    asked, folded = (
        given.casefold().removeprefix("--"),
        {str(name).casefold().removeprefix("--"): str(name) for name in names},
    )
    begun = [name for name in folded if asked and name.startswith(asked)]
    close = get_close_matches(asked, folded, 1) or begun[:1]
    return f" Did you mean {folded[close[0]]}?" if close else ""


def _bound(text: str) -> int:
    if text == "auto":
        return AUTO
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a whole number or auto; got {text}") from None


_TYPES: dict[str, type | Callable[[str], int]] = {
    "K?": _bound,
    **dict.fromkeys(("N", "K", "RUNS", "JOBS"), int),
    **dict.fromkeys(("X", "S", "SHARE", "GB"), float),
}
"""What options take that is no text, and how it is read."""


def _how(name: str, words: Sequence[str]) -> dict[str, Any]:
    """Return what the words behind the name of an option or an argument say about it."""
    if not words:
        return {"action": "store_true"} if name.startswith("-") else {}
    taken = [word for word in words if word[0] not in "=!." and "/" not in word]
    many, read = any(word.endswith("+") for word in taken), _TYPES.get("".join(taken).rstrip("+"), str)
    how: dict[str, Any] = {"type": read} if read is not str else {}
    if taken:
        metavars = tuple(word.rstrip("+?,") for word in taken)
        how |= {"metavar": metavars[0]} if len(taken) == 1 else {"metavar": metavars, "nargs": len(taken)}
    for word in words:
        if word[0] == "=":
            how["default"] = [read(one) for one in word[1:].split(",")] if many else read(word[1:])
        elif word == "...":
            how |= {"action": "append", "default": []}
        elif "/" in word:
            how["choices"] = word.split("/")
    return how | ({"nargs": "+"} if many else {}) | ({"required": True} if "!" in words else {})


_TABLE = "CSV, Excel or Parquet files; - reads CSV from standard input"
_TABLE_OR_DATABASE = f"{_TABLE}; or a database such as postgresql://user@host/name"

_FILES = """\
[how the file is written (detected by default)]
--separator SIGN  what separates the columns, such as ; or tab
--encoding NAME  such as utf-8, latin-1 or utf-16
--sheet NAME  sheet of an Excel file (default: the one with the target, else the first)
--skip N  lines to skip before the names of the columns
--unpacked GB  most gigabytes a compressed table may take when unpacked
--no-header  the file does not name its columns
[]
"""
_CHANGES = """\
| --immutable A,B ...  columns that cannot change, comma-separated (repeatable)
| --no-changes  propose no change of any column
"""
_MEASURING = """\
--test-size SHARE  share of rows held out (default 0.25; 0: none)
--test-after COLUMN VALUE  hold out the rows after this date or number, such as opened 2024-06-30
--test-group COLUMN  hold out whole groups, so that no customer or clinic is on both sides
"""
_REFUSALS = """\
--missing allow/refuse =refuse
  values missing in a column that had none missing in training: answer anyway, or refuse (the default)
--unseen allow/refuse =allow
  categories never seen in training: count them as other (allow, the default), or refuse to answer
"""
_WORK = """\
--effort X =1.0  how much to search (default 1)
--seed N =0  seed of all random choices (default 0)
--json  print JSON
"""
_LABELLED = f"""\
table+  {_TABLE}
--target COLUMN !  column of labels
--ignore A,B ...  columns to leave out
"""
_LEARNING = f"""\
{_LABELLED}\
--learner {"/".join(LEARNERS)} =search  how to learn (default search)
--plot FILE  draw it to this file (.svg)
{_WORK}{_FILES}"""
_SAID = """\
--json  print JSON
-o --output FILE =-  file to write
"""
_ENGINE = """\
--engine polars/duckdb/spark  {} in this engine, for tables larger than memory
--table-name NAME  table of the database
"""


def _applied(table: str = _TABLE, output: str = "-") -> str:
    """Return the arguments of a command that applies a model to a table."""
    where, as_given = "standard output" if output == "-" else output, "; text as in the table" * (table != _TABLE)
    return f"""\
model  model file written by idnf fit
table+  {table}
-o --output FILE ={output}  file to write (default: {where}){as_given}
{_FILES}"""


_COMMANDS = f"""\
# fit fitting.run  learn a model from a table
$ idnf fit loans.csv --target approved --k 3 -o model.json
$ idnf fit data/*.parquet --target y --engine duckdb
table+  {_TABLE_OR_DATABASE}
--target COLUMN !  column of labels
--k K? =3  most conditions in any reason (default 3); auto: the smallest that does as well as any up to 4
-o --output FILE =model.json  default: model.json
--positive LABEL  label whose recall is printed; with several labels, the one against the rest; or '> 50'
--ignore A,B ...  leave out these columns, separated by commas (repeatable)
--class-weight LABEL=X  balanced, or weights such as yes=5: how much an error on a row with that label counts
--cost TRUE[:GIVEN]=X ...
  cost of labelling a TRUE row GIVEN, or anything else but TRUE; other errors cost 1 (repeatable)
--holdout FILE  write the rows held out to this file, for idnf report
--json  print JSON
[columns and their values]
--keep A,B ...  keep these columns although they look like identifiers (repeatable)
--as COLUMN=KIND ...  read a column as number, category, date or boolean (repeatable)
{_REFUSALS}\
--missing-values A,B  texts that mean a missing value, in addition to NA, ? and the like
--merge-spellings  treat spellings such as no, No, N and FALSE as the same label or category
--decimal ./,  decimal mark (default: detected)
--monotone COLUMN=1|-1 ...
  the positive label may only become more likely as the column goes up (1) or down (-1) (repeatable)
{_CHANGES}\
[rows held out to measure on]
{_MEASURING}\
[form and size of the model]
--family {"/".join(FAMILIES)} =any  form of the model (default any)
--conditions {"/".join(CONDITIONS)} =cuts
  what one condition may say: one cut or category (cuts, the default), intervals, sets, all; auto: by cross-validation
--learner {"/".join(LEARNERS)} =search  how to find it (default search)
--max-terms N  most lines, counted for the shorter class
--max-reasons N  most reasons for both classes together
--no-tune  do not choose the size by cross-validation; use all of k
--both  print every reason for every class
--form {"/".join(FORMS)} =auto  how to print the model (default: the shortest)
[time and work]
--effort X =1.0  how much to search (default 1)
--time-limit S  seconds after which to stop with the best model so far
--jobs N  threads (default 1)
--seed N =0  seed of all random choices (default 0)
[fairness]
--fair COLUMN  limit the gap between groups; the model does not see the column
--fair-metric {"/".join(METRICS)} ={METRICS[0]}  default {METRICS[0]}
--fair-limit X =0.05  largest gap allowed (default 0.05)
--fair-page FILE  write a page with the alternatives considered
[tables larger than memory]
{_ENGINE.format("count")}{_FILES}\
# bands banding.run  learn a score in bands, each step with a reason
$ idnf bands loans.csv --target bad --boundaries 0.1,0.4 --names approve,refer,decline -o bands.json
{_LABELLED}{_WORK}{_FILES}\
--k K =3  most conditions in a reason at each boundary (default 3)
-o --output FILE =bands.json  default: bands.json
--boundaries P,P  probabilities at which bands begin, or the most there may be (default 16)
--names A,B,C  what the bands are called, the lowest first
--order A,B,C  labels of an ordered target, the lowest first
--positive LABEL  the higher label (default: the one that says yes)
{_REFUSALS}\
--monotone COLUMN=1|-1 ...  the band never goes down as the column goes up (1) or down (-1) (repeatable)
--conditions {"/".join(CONDITIONS[:-1])} =cuts
  what one condition may say: one cut or category (cuts, the default), intervals, sets, or all
--test-size SHARE =0.25  share held out (default 0.25)
--time-limit S  seconds after which to stop with the best model so far
--jobs N  threads (default 1)
# choose comparing.run_choose  measure how many conditions a reason needs
$ idnf choose loans.csv --target decision --plot choose.svg
{_LEARNING}\
--k K+ =1,2,3,4  which to try (default 1 2 3 4)
--folds N =5  how often rows are held out (default 5)
# points comparing.run_points  measure recall against precision along a range of costs
$ idnf points fraud.csv --target fraud --recall 0.8 -o model.json
{_LEARNING}\
--k K =3  most conditions in any reason (default 3)
--costs X+  costs of a missed case to try; a false alarm costs 1
--positive LABEL  label of the cases to be found (default: one that says yes, else the rarer one)
--recall X  write the most precise model with this recall
-o --output FILE =model.json  file to write (default: model.json)
# near-equals comparing.run_near_equals  list models as good as the best, and how many rows they agree on
$ idnf near-equals loans.csv --target decision --without age -o model.json
{_LEARNING}\
--k K =3  most conditions in any reason (default 3)
--family {"/".join(FAMILIES)} =any  form of the models (default any)
--within X =0.01  how much more a model may cost than the best, as a share of the rows (default 0.01)
--resamples N =10  how often to redraw the rows (default 10)
--count N =20  most models to list (default 20)
--without A,B ...  write the best model that does not look at these columns
--subgroup COLUMN  say how much the answers differ between the groups in this column
-o --output FILE  write that model, or the shortest, to this file
# predict applying.run_predict  label every row of a table
$ idnf predict model.json new.csv -o labelled.csv
{_applied(_TABLE_OR_DATABASE)}{_ENGINE.format("predict")}\
--proba  add the training share of each label
--json  one JSON object per line
# explain applying.run_explain  give the reason for every row
$ idnf explain model.json new.csv --text
{_applied(_TABLE_OR_DATABASE)}{_ENGINE.format("explain")}\
| --json  one JSON object per line
| --text  one sentence per line
[]
{_CHANGES}\
--relevance  add which columns are in every reason and which in at least one
--attribution  add the share of reasons that mention each column
--principal  add the principal reasons, as adverse action notices do
--count N =4  most principal reasons (default 4)
--texts FILE  CSV of column,code,text and outcome for principal reasons
--outcome LABEL  the label that --texts is about; other rows get no reasons
# recourse applying.run_recourse  find the cheapest way to another outcome
$ idnf recourse model.json new.csv --row 3 --immutable age
{_applied()}\
--row N, =1  rows of the table, from 1: 3, or 3,5-7, or all (default 1)
--to LABEL  label to reach (default: any other)
--immutable A,B ...  columns that cannot change, comma-separated (repeatable)
--increase-only COLUMN ...  column that can only go up (repeatable)
--decrease-only COLUMN ...  column that can only go down (repeatable)
--count N =1  how many alternatives (default 1)
--json  print JSON
# record recording.run_record  add a record of every decision to a file, or correct one
$ idnf record model.json new.csv --id application -o decisions.jsonl
$ idnf record model.json --correct decisions.jsonl A-17 income=2500
model? =model.json  model file (default: model.json)
table*  {_TABLE}
{_FILES}\
--id COLUMN  column of identifiers, different in every row (default: the number of the row)
--keep A,B ...  columns that letters name, such as name
--alternative FILE ...  model whose decision to add
-o --output FILE =decisions.jsonl  default: decisions.jsonl
--correct FILE+  decide a recorded case again: the file of records, an identifier, COLUMN=VALUE ...
# letters recording.run_letters  write letters about decisions
$ idnf letters decisions.jsonl --template credit-denial --outcome no -o letters
records  file written by idnf record
--template FILE !  file of Markdown, HTML or DOCX, or an example: credit-denial, benefit, referral
--outcome LABEL ... !  decision that gets a letter (repeatable)
--model FILE  refuse records that do not say what this model says
--field NAME=TEXT ...  a field that is the same in all letters, such as sender='The Bank' (repeatable)
-o --output FOLDER =letters  default: letters
--overwrite  replace letters that say something else
# verify models.run_verify  prove a model's guarantee again
$ idnf verify model.json
$ idnf verify model.json loans.csv --test-size 0.25
model  model file
table*  the training table, to check what the file says about it; {_TABLE}
--target COLUMN  column of labels (default: as in the file)
--positive LABEL  as given to fit, if it was
[rows that fit held out, if it did]
{_MEASURING}\
[]
--alone COLUMN ...  also prove that this column alone never decides (repeatable)
--time-limit S =60.0  seconds that the proofs may take (default: 60)
{_FILES}\
--json  print JSON
# export models.run_export  write the model as a program
$ idnf export model.json --to sql --dialect duckdb
model?  model file; none is needed to write a checker
--to sql/python/javascript/onnx/xlsx  language or format
--checker  write the program that checks recorded decisions, in Python or with --to javascript
--optimum-checker  write the program that finds a proved optimum again from the training table, in Python with numpy
--dialect sqlite/duckdb/postgres =postgres  kind of SQL
--principal N =0  for sql: add this many principal reasons
--table NAME  for sql: write the whole query over this table
--reasons  for sql: add the reason of every row
-o --output FILE =-  file to write (default: standard output)
# report models.run_report  write one page for the auditor
$ idnf report model.json loans.csv -o report.html
{_applied(output="report.html")}\
--target COLUMN  column of true labels (default: as in the model file)
--subgroup COLUMN  break accuracy down by this column
--near-equals  list other models that are as good, learned from a part of these rows (takes a while)
--title TITLE  headline of the page (default: the target and its labels)
--positive LABEL  label to begin with (default: one that refuses, such as declined or bad, else the rarest)
{_CHANGES}\
--card FILE  write a model card in Markdown as well
--pack FOLDER
  write a folder for validators as well: model, page, card, workbook, records and the programs that check them
--json  print the figures of the page as JSON
# diff models.run_diff  say where two models disagree, or prove them equal
$ idnf diff old.json new.json rows.csv
old  model file, or a policy in a text file
new  model file, or a policy in a text file
table*  rows to count in each region; {_TABLE}
--most N =20  most regions to print (default 20)
{_FILES}{_SAID}\
# check models.run_check  prove or refute rules that a model must obey
$ idnf check model.json policy.txt
model  model file
rules  text file with one rule per line; - reads standard input
table*  rows to count those that break a rule; {_TABLE}
--rectify FILE  write the nearest model that obeys; needs labelled rows
--target COLUMN  column of true labels, for --rectify (default: as in the model file)
{_FILES}{_SAID}\
# audit models.run_audit  report what other people's rules amount to
$ idnf audit rules.sql
rules  text file: if ... then ... lines, or SQL's CASE WHEN, alone or in a query; - reads standard input
--model FILE  write the same function as a model file
{_SAID}\
# monitor models.run_monitor  count reasons by period and measure how far they moved
$ idnf monitor model.json 2026.parquet --by decided -o monitor.html
model  model file
table+  {_TABLE}; without --by each file is a batch
--by COLUMN  column of periods or dates
--every month/year =month  length of a period if the column holds dates (default month)
{_FILES}{_SAID}\
# analyse research.run_analyse  say which of the paper's classes a formula is in
$ idnf analyse 'a & b | c & ~d'
formula  a formula of &, |, ~ and brackets; quote names with other characters
--json  print JSON
# datasets research.run_datasets  list the data sets, or write one
$ idnf datasets --load loans -o loans.csv
--load NAME  load this one and say how large it is
-o --output FILE  write it as CSV or Parquet
--json  print JSON
# demo research.run_demo  learn, explain, verify and report on built-in data
$ idnf demo --output demo
--output OUTPUT =demo  folder for the model and the report (default demo)
"""
