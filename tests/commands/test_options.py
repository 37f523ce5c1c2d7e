"""The options of all commands: how many there are, what help prints, and that its examples run as they are printed."""

from __future__ import annotations

import json
import shlex
from collections import Counter
from pathlib import Path

import pytest

from idnf import exporting
from idnf.cli import command_parser, main
from idnf.commands.registry import COMMANDS
from idnf.exporting.edits_json import DroppedLine, Edits, edits_to_plain

MOST = 193
"""Options of all commands together, each command's own counted, without --help, --quiet and --verbose."""

POLICY = "income alone never decides\n"
RULES = "SELECT CASE WHEN income > 3000 AND NOT late THEN 'approved' ELSE 'declined' END FROM loans\n"


def options(command):
    """The options of a command as argparse holds them."""
    return [each for each in command_parser(command)._actions if each.option_strings]


def test_there_are_no_more_options_than_one_can_survey():
    assert (
        sum(each.dest not in ("help", "quiet", "verbose") for command in COMMANDS for each in options(command)) <= MOST
    )


def test_an_option_takes_the_same_in_every_command_that_has_it():
    taken = {}
    for command in COMMANDS:
        for each in options(command):
            taken.setdefault(each.option_strings[-1], set()).add((each.dest, each.nargs == 0))
    # `verify` proves, `choose` tries several: each says in its help what it takes.
    assert {name: kinds for name, kinds in taken.items() if len(kinds) > 1} == {}
    assert Counter(name for name in taken if name.startswith("--no-")) == Counter(["--no-rows", "--no-tune"])


@pytest.fixture(scope="module")
def bank(tmp_path_factory):
    """A folder with what the examples read: the table of loans, rules of a lender, another policy."""
    folder = tmp_path_factory.mktemp("bank")
    (folder / "policy.txt").write_text(POLICY)
    (folder / "rules.sql").write_text(RULES)
    return folder


def write_edits(folder):
    """Write a file of edits of the model of the loans, as its page saves one."""
    digest = exporting.model_hash(exporting.from_json(folder / "model.json"))
    edits = Edits(digest, 0, "Dr Lee", "2026-01-02T10:00:00Z", (DroppedLine(1, "seldom holds"),))
    (folder / "edits.json").write_text(json.dumps(edits_to_plain(edits)), "utf-8")


def examples(name):
    command = next(command for command in COMMANDS if command.name == name)
    return [line.strip() for line in command_parser(command).epilog.splitlines()[1:]]


IN_ORDER = [
    *("datasets", "fit", "bands", "choose", "points", "near-equals", "retrain", "predict", "export", "explain"),
    *("recourse", "report", "verify", "check", "diff", "adopt", "record", "letters", "audit", "monitor"),
    *("analyse", "demo"),
]
"""Commands, those whose files others read first."""


@pytest.mark.group("examples of help")
def test_examples_of_help_run_as_printed_on_the_built_in_loans(bank, monkeypatch, capsys):
    monkeypatch.chdir(bank)
    assert sorted(IN_ORDER) == sorted(command.name for command in COMMANDS)
    codes = {}
    for name in IN_ORDER:
        assert examples(name), f"help of {name} must have an example"
        if name == "adopt":
            write_edits(bank)
        for line in examples(name):
            program, *words = shlex.split(line)
            assert program == "idnf"
            codes[line] = main([*words, "--quiet"])
            assert codes[line] in (0, 1), f"{line}: {capsys.readouterr().err}"
    no = {line.split()[1] for line, code in codes.items() if code == 1}
    assert no <= {"check", "diff"}, "the answer of these alone may be no"
    assert {"model.json", "bands.json", "report.html", "decisions.jsonl"} <= {path.name for path in bank.iterdir()}


def test_the_tour_runs_as_printed(tmp_path, monkeypatch, capsys):
    with pytest.raises(SystemExit, match="0"):
        main(["--help"])
    printed = capsys.readouterr().out.partition("auditor's desk:\n")[2].partition("\n\n")[0]
    monkeypatch.chdir(tmp_path)
    for line in printed.splitlines():
        _, *words = shlex.split(line)
        assert main([*words, "--quiet"]) == 0, line
    assert Path("report.html").is_file()


@pytest.fixture
def written(tmp_path):
    """A table that detection alone reads wrong, and a model of it: two lines of preamble, columns parted by colons."""
    rows = [f"{n % 23}:{'Zürich' if n % 3 else 'Łódź'}:{'yes' if n % 23 > 11 else 'no'}" for n in range(120)]
    text = "\n".join(["made:by:hand", "on:a:Monday", "fee:town:left", *rows])
    (tmp_path / "table.csv").write_bytes(text.encode("cp1250"))
    learn = ["--target", "left", "--learner", "greedy", "--k", "1", "-o", str(tmp_path / "model.json"), "-q"]
    told = [word for each in ("separator=:", "encoding=cp1250", "skip=2") for word in ("--read", each)]
    assert main(["fit", str(tmp_path / "table.csv"), *learn, *told]) == 0
    return tmp_path


def test_a_model_knows_how_its_table_is_written(written, capsys):
    kept = exporting.from_json(written / "model.json").fitted_.file
    assert (kept.separator, kept.encoding, kept.skip, kept.header, kept.test_size) == (":", "cp1250", 2, True, 0.25)
    for words in (
        ["verify"],
        ["report", "-o", str(written / "page.html")],
        ["predict", "-o", str(written / "new.csv")],
        ["explain", "--text"],
    ):
        assert main([words[0], str(written / "model.json"), str(written / "table.csv"), *words[1:], "-q"]) == 0
        assert "cannot be read" not in capsys.readouterr().err


def test_a_later_table_that_is_written_otherwise_is_read_as_detected(written, capsys):
    (written / "new.csv").write_text("fee;town;left\n3;Zürich;no\n20;Łódź;yes\n", "utf-8")
    words = ["predict", str(written / "model.json"), str(written / "new.csv"), "--json", "-q"]
    assert main(words) == 0
    assert capsys.readouterr().out == '{"predicted": "no"}\n{"predicted": "yes"}\n'
    (written / "new.csv").write_text("years/place\n3/Zürich\n", "utf-8")
    assert main(words) == 2
    assert "table must have the columns of the model; got none called 'fee' among years/place." in (
        capsys.readouterr().err
    )


def test_what_the_user_says_of_a_later_table_counts(written, capsys):
    (written / "new.csv").write_text("fee/town/left\n3/Zürich/no\n", "utf-8")
    words = ["predict", str(written / "model.json"), str(written / "new.csv"), "--json", "-q"]
    assert main([*words, "--read", "separator=/", "--read", "skip=0"]) == 0
    assert capsys.readouterr().out == '{"predicted": "no"}\n'
    assert main([*words, "--read", "decimal=,"]) == 2
    assert "--read must leave decimal and missing to the model, as learned; got decimal." in capsys.readouterr().err


@pytest.mark.parametrize("setting", ["separator", "colour=red", "=;"])
def test_settings_of_read_are_refused(setting, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["fit", "table.csv", "--read", setting])
    rule = (
        "--read must be separator, encoding, sheet, skip, header, unpacked, decimal, missing and a value, as in skip=3"
    )
    assert f"{rule}; got {setting}." in capsys.readouterr().err
