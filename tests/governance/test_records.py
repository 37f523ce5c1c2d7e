"""Records of decisions follow from their model, say the two checkers that share nothing with us; false ones do not."""

from __future__ import annotations

import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import time

import numpy as np
import polars as pl
import pytest
from tests.adversary.tally import count
from tests.exporting.cases import all_columns, case_of, large_case, learned_case, random_case, several_case
from tests.exporting.mutations import mutated
from tests.strategies import seeds

from idnf import DNFClassifier, exporting
from idnf.classifier.fitted import Fitted
from idnf.columns.predicates import Field
from idnf.governance import append_records, checker, correct_record, make_records
from idnf.governance.records import check_sentences, record_line
from idnf.learning.objective import Learned
from idnf.logic.checklists import Checklist

COMMANDS = {"python": [sys.executable, "-I"], "javascript": ["node"]}
POLICY = DNFClassifier.from_dnf("late | owner & member", classes=("no", "yes"), target="loan")
ROWS = pl.DataFrame({"late": [False, True, False], "owner": [True, True, False], "member": [False, True, True]})


def some_cases(rows):
    cases = [random_case(seed, rows) for seed in seeds(3, 20)] + [several_case(seed, rows) for seed in seeds(2, 10)]
    return [*cases, learned_case(0, rows), learned_case(1, rows), large_case(min(rows, 20)), checklist_case(rows)]


def checklist_case(rows):
    """A model that counts literals of every kind of column, one of them twice."""
    clf = DNFClassifier.from_dnf("0", columns=all_columns()[::4])
    names = clf.binariser_.literals_
    codes = [2 * feature + (feature % 3 == 0) for feature in range(0, len(names), max(1, len(names) // 4))][:4]
    model = Checklist(names, codes, 3, [2, *[1] * (len(codes) - 1)], space=clf.binariser_.space_)
    clf.k = model.k
    clf.fitted_ = Fitted.untrained(clf.binariser_, np.array(["no", "yes"]), Learned(model, 0.0), "none: made by hand")
    return case_of(clf, rows, 0)


@pytest.fixture(scope="module")
def checkers(tmp_path_factory):
    return written_checkers(tmp_path_factory.mktemp("checkers"))


def written_checkers(folder):
    """The commands that run the two checkers, which are written into a folder."""
    for language, name in (("python", "check.py"), ("javascript", "check.js")):
        (folder / name).write_text(checker(language), "utf-8")
    return [[*COMMANDS["python"], str(folder / "check.py")], [*COMMANDS["javascript"], str(folder / "check.js")]]


def verdicts(command, folder, lines, *models):
    """Which of some lines a checker refuses, each checked as if it stood alone: identifiers differ."""
    lines = list(lines)
    (folder / "decisions.jsonl").write_bytes(b"".join(line + b"\n" for line in lines))
    done = subprocess.run(
        [*command, str(folder / "decisions.jsonl"), *map(str, models)], capture_output=True, text=True, encoding="utf-8"
    )
    assert done.returncode in (0, 1), done.stderr
    refused = {int(one.split(":")[0][5:]) for one in done.stdout.splitlines() if one.startswith("line ")}
    return [number not in refused for number in range(1, len(lines) + 1)]


def test_every_record_follows_from_its_model(tmp_path, checkers):
    for number, case in enumerate(some_cases(25)):
        model = tmp_path / f"{number}.json"
        exporting.to_json(case.clf, model)
        made = make_records(case.clf, case.frame)
        assert [one["decision"] for one in made] == case.labels
        for command in checkers:
            assert all(verdicts(command, tmp_path, map(record_line, made), model))


def test_sentences_are_those_of_the_model():
    """What is read from a line again says the same of every kind of column; with any word changed it is refused."""
    for case in some_cases(len(seeds(3, 25))):
        for made in make_records(case.clf, case.frame):
            check_sentences(case.clf, json.loads(record_line(made)))
    (one,) = make_records(POLICY, ROWS[:1])
    reason, change = one["reasons"][0], one["changes"][0]
    condition = {**reason["conditions"][0], "said": "you are too old"}
    for key, value in [
        ("text", one["text"] + "."),
        ("reasons", [{**reason, "text": "your age"}]),
        ("reasons", [{**reason, "conditions": [condition, *reason["conditions"][1:]]}]),
        ("principal", [{**one["principal"][0], "text": "your age"}, *one["principal"][1:]]),
        ("changes", [{**change, "conditions": [{**change["conditions"][0], "said": "you win"}]}]),
    ]:
        said = (
            rf"about its values; got a different wording of its {key[:6]}[a-z ]*\. If another version of idnf wrote it"
        )
        with pytest.raises(ValueError, match=rf"record '1' must say what its model says {said}"):
            check_sentences(POLICY, {**one, key: value})
    cells = {**reason["conditions"][0], "cells": [0, 1]}
    for key, value in [("decision", "maybe"), ("reasons", [{**reason, "conditions": [cells]}]), ("principal", [])]:
        with pytest.raises(ValueError, match=rf"got a different {key[:6]}[a-z ]*\."):
            check_sentences(POLICY, {**one, key: value})
    with pytest.raises(ValueError, match="must have a value for every column of its model; got none for 'late'"):
        check_sentences(POLICY, {**one, "values": {}})


def false_records(record, clf, rng):
    """Yield what the name says: each differs from a true record in one thing that cannot hold."""
    others = [label for label in clf.classes_.tolist() if label != record["decision"]]
    reason, change = record["reasons"][0], record["changes"][0]
    yield {**record, "decision": rng.choice(others)}
    yield {**record, "decision": "another one"}
    yield {**record, "model": "0" * 64}
    yield {**record, "reasons": []}
    yield {**record, "reasons": [{**reason, "gives": rng.choice(others)}]}
    sizes = {column.name: len(column.labels) for column in clf.fitted_.columns}
    for place, one in enumerate(reason["conditions"]):
        rest = [c for i, c in enumerate(reason["conditions"]) if i != place]
        yield {**record, "reasons": [{**reason, "conditions": rest}]}
        opposite = [cell for cell in range(sizes[one["column"]]) if cell not in one["cells"]]
        for cells in (opposite, [*one["cells"], 999], [], list(range(sizes[one["column"]])), [-1]):
            yield {**record, "reasons": [{**reason, "conditions": [*rest, {**one, "cells": cells}]}]}
        yield {**record, "reasons": [{**reason, "conditions": [*rest, {**one, "column": "no such column"}]}]}
    if change is not None:
        yield {**record, "changes": [None]}
        yield {**record, "changes": [{**change, "gives": record["decision"]}]}
        yield {**record, "changes": [{**change, "conditions": []}]}
        for place, one in enumerate(change["conditions"]):
            rest = [c for i, c in enumerate(change["conditions"]) if i != place]
            yield {**record, "changes": [{**change, "conditions": rest}]}
            yield {**record, "changes": [{**change, "conditions": [*rest, {**one, "cells": []}]}]}
    for key in ("format", "version", "id", "time", "values", "decision", "reasons", "changes", "principal", "text"):
        yield {name: value for name, value in record.items() if name != key}
        yield {**record, key: [{"k": 1}]}
    yield {**record, "more": 1}
    yield {**record, "values": {**record["values"], "no such column": 1}}


def test_false_records_are_refused(tmp_path, checkers):
    rng = random.Random(0)
    for number, case in enumerate(some_cases(len(seeds(2, 8)))):
        model = tmp_path / f"{number}.json"
        exporting.to_json(case.clf, model)
        made = make_records(case.clf, case.frame)
        false = [dict(one) for record in made for one in false_records(record, case.clf, rng)]
        for place, one in enumerate(false):
            if isinstance(one.get("id"), str):
                one["id"] = f"{one['id']}.{place}"
        for command in checkers:
            held = verdicts(command, tmp_path, [json.dumps(one).encode() for one in false], model)
            assert not any(held), [one for one, is_held in zip(false, held) if is_held][:1]
        count("false records: refused by both checkers", len(false))


def test_the_checkers_agree_on_records_changed_at_random(tmp_path, checkers):
    rng = random.Random(1)
    for number, case in enumerate(some_cases(3)):
        model = tmp_path / f"{number}.json"
        exporting.to_json(case.clf, model)
        made = make_records(case.clf, case.frame)
        lines = [mutated(record_line(rng.choice(made)).decode(), rng) for _ in range(len(seeds(6, 300)))]
        lines = [line.replace(b"\n", b"") for line in lines]
        one, other = (verdicts(command, tmp_path, lines, model) for command in checkers)
        assert one == other
        for line, held in zip(lines, one):
            record = json.loads(line) if held else None
            if record and record["values"].keys() == made[0]["values"].keys():
                again = make_records(case.clf, read_again(case.clf, record))[0]
                assert record["decision"] == again["decision"]


def read_again(clf, record):
    return clf.fitted_.read_plain({name: [value] for name, value in record["values"].items()})


def test_a_changed_model_is_another_model(tmp_path, checkers):
    """Even if its hash is put into the record, what is accepted the changed model decides too."""
    rng = random.Random(2)
    for case in [random_case(1, 3), several_case(1, 3), learned_case(1, 3), checklist_case(3)]:
        exporting.to_json(case.clf, tmp_path / "model.json")
        text, made = (tmp_path / "model.json").read_text("utf-8"), make_records(case.clf, case.frame)
        files = [data for _ in seeds(36, 2500) if (data := mutated(text, rng)) != text.encode()]
        for start in range(0, len(files), 250):
            check_changed(tmp_path, checkers, case, made, files[start : start + 250])


def check_changed(folder, checkers, case, made, files):
    """Offer records to the checkers with changed models, as they are and with the hash of each model in them."""
    paths = [folder / f"changed{number}.json" for number in range(len(files))]
    claimed = []
    for number, (path, data) in enumerate(zip(paths, files)):
        path.write_bytes(data)
        claimed += [{**one, "id": f"{one['id']}.{number}", "model": hashlib.sha256(data).hexdigest()} for one in made]
    held, other = (verdicts(command, folder, map(record_line, [*made, *claimed]), *paths) for command in checkers)
    assert held == other
    assert not any(held[: len(made)])
    count("changed models: records of the model as it was, refused by both checkers", len(files) * len(made))
    for number, path in enumerate(paths):
        own = held[len(made) * (number + 1) :][: len(made)]
        count("changed models with their hash in the record: refused by both", own.count(False))
        count("changed models with their hash in the record: accepted by both", own.count(True))
        if any(own):
            try:
                changed = exporting.from_json(path)
            except ValueError:
                continue  # what is wrong with it has no part in these decisions
            decided = zip(changed.predict(case.frame).tolist(), made, own)
            assert all(label == one["decision"] for label, one, is_held in decided if is_held)


def test_cuts_that_do_not_ascend_and_numbers_among_texts_are_refused(tmp_path, checkers):
    """The two checkers look for a value among cuts in ways of their own, which differ if cuts are in disorder."""
    columns = {"x": [1, 2, 3], "job": ["clerk", "nurse"]}
    clf = DNFClassifier.from_dnf("'x <= 2' | 'job is clerk'", columns=columns)
    exporting.to_json(clf, tmp_path / "model.json")
    (one,) = make_records(clf, pl.DataFrame({"x": [1.0], "job": ["cook"]}))
    plain = json.loads((tmp_path / "model.json").read_text("utf-8"))
    plain["space"]["columns"][0]["cuts"] = [3, 2, 1]
    (tmp_path / "false.json").write_text(json.dumps(plain), "utf-8")
    hashed = hashlib.sha256((tmp_path / "false.json").read_bytes()).hexdigest()
    false = [{**one, "id": "a", "values": {**one["values"], "job": 7}}, {**one, "id": "b", "model": hashed}]
    for command in checkers:
        models = (tmp_path / "model.json", tmp_path / "false.json")
        assert verdicts(command, tmp_path, map(record_line, [one, *false]), *models) == [True, False, False]


def test_fields_of_a_record():
    one = make_records(POLICY.with_settings(texts={"a2": "you are on time and no member"}), ROWS, ids=["a", "b", "c"])[
        0
    ]
    assert (one["id"], one["decision"], one["values"]) == ("a", "no", {"late": False, "owner": True, "member": False})
    assert one["reasons"][0] == {
        "gives": "no",
        "id": "a2",
        "conditions": [
            {"column": "late", "cells": [0], "words": "late is false", "said": "late is false"},
            {"column": "member", "cells": [0], "words": "member is false", "said": "member is false"},
        ],
        "text": "you are on time and no member",
    }
    assert one["changes"][0]["gives"] == "yes"
    assert one["text"].startswith("Loan: no, because you are on time and no member.")
    assert {reason["text"] for reason in one["principal"]} == {"late is false", "member is false"}
    assert one["model"] == exporting.model_hash(POLICY.with_settings(texts={"a2": "you are on time and no member"}))


def test_alternatives_and_what_letters_name(tmp_path, checkers):
    other = DNFClassifier.from_dnf("owner", classes=("no", "yes"))
    made = make_records(POLICY, ROWS, about={"name": ["Ann", "Bo", "Cy"]}, alternatives=[other])
    assert [one["alternatives"] for one in made] == [
        [{"sha256": exporting.model_hash(other), "decision": decision}] for decision in ("yes", "yes", "no")
    ]
    assert made[0]["about"] == {"name": "Ann"}
    exporting.to_json(POLICY, tmp_path / "model.json")
    exporting.to_json(other, tmp_path / "other.json")
    false = [{**one, "alternatives": [{**one["alternatives"][0], "decision": "maybe"}]} for one in made]
    models = (tmp_path / "model.json", tmp_path / "other.json")
    for command in checkers:
        assert all(verdicts(command, tmp_path, map(record_line, made), *models))
        assert not any(verdicts(command, tmp_path, map(record_line, false), *models))


@pytest.mark.parametrize(("ids", "got"), [(["a", "a", "b"], "'a' twice"), (["a", "", "b"], "''"), ([1], "got 1")])
def test_identifiers_are_refused(ids, got):
    with pytest.raises(ValueError, match=rf"ids must .*{got}"):
        make_records(POLICY, ROWS, ids=ids)


def test_a_second_record_of_an_identifier_is_refused(tmp_path):
    path = tmp_path / "decisions.jsonl"
    assert append_records(path, make_records(POLICY, ROWS)) == 3
    before = path.read_bytes()
    later = ROWS.with_columns(late=False)
    with pytest.raises(ValueError, match="id must be new; got '2', decided on other values. Correct these"):
        append_records(path, make_records(POLICY, later))
    with pytest.raises(ValueError, match="id must be new; got '1', decided by another model. Record it in another"):
        append_records(path, make_records(DNFClassifier.from_dnf("late"), ROWS))
    with pytest.raises(ValueError, match="ids must all be given and differ; got '9' twice"):
        append_records(path, make_records(POLICY, ROWS[:1], ids=[9]) * 2)
    assert path.read_bytes() == before


ONE = make_records(POLICY, ROWS)[0]


@pytest.mark.parametrize(
    "line",
    [
        "{}",
        '{"format": "idnf-decision", "version": 1, "id": "a", "values": {}}',
        "[" * 100_000,
        *(
            json.dumps({**ONE, key: value})
            for key, value in [
                ("id", "\ud800"),
                ("decision", [1]),
                ("text", 5),
                ("reasons", []),
                ("principal", [{}]),
                ("about", [1]),
                ("corrects", 5),
                ("changes", {}),
                ("values", {"late": {"a": 1}}),
                ("values", {"late": float("nan")}),
            ]
        ),
    ],
    ids=range(13),  # a line has the time it was written, and all workers must collect the same names
)
def test_a_file_that_holds_something_else_is_refused(tmp_path, line):
    path = tmp_path / "decisions.jsonl"
    path.write_text(line + "\n", "utf-8")
    with pytest.raises(ValueError, match="line 1 of .* must be a record of version 1; got '"):
        append_records(path, [])


def test_records_are_added_to_files_alone(tmp_path):
    with pytest.raises(ValueError, match="records must be added to a file that can be read again; got /dev/full"):
        append_records("/dev/full", [])
    with pytest.raises(ValueError, match="a record must hold whole characters; got half of one in '"):
        append_records(tmp_path / "decisions.jsonl", make_records(POLICY, ROWS[:1], ids=["\ud800"]))
    assert (tmp_path / "decisions.jsonl").read_bytes() == b""


def test_a_stranger_s_model_takes_no_memory_or_time_without_bound(tmp_path, checkers):
    """Cells as bits of a set grow with the square of the cuts; terms are looked at again for each part of a box."""
    exporting.to_json(DNFClassifier.from_dnf("'x <= 1' | y", columns={"x": [1], "y": bool}), tmp_path / "model.json")
    plain = json.loads((tmp_path / "model.json").read_text("utf-8"))
    plain["space"]["columns"][0]["cuts"] = list(range(60_000))
    (tmp_path / "wide.json").write_text(json.dumps(plain), "utf-8")
    for command in checkers:
        done = subprocess.run([*command, os.devnull, str(tmp_path / "wide.json")], capture_output=True, text=True)
        assert (done.returncode, "refused: it has too many cells" in done.stdout) == (1, True)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills a forked process")
def test_a_kill_loses_and_repeats_nothing(tmp_path):
    count = 400
    table = pl.DataFrame({"late": [False] * count, "owner": [True, False] * (count // 2), "member": [True] * count})
    made, path, rng = make_records(POLICY, table), tmp_path / "decisions.jsonl", random.Random(3)
    whole, unfinished = b"".join(record_line(one) + b"\n" for one in made), 0
    for _ in seeds(3, 100):
        child = os.fork()
        if child == 0:
            append_records(path, (time.sleep(0.00002) or one for one in made))
            os._exit(0)
        time.sleep(rng.random() * 0.05)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        data = path.read_bytes() if path.exists() else b""
        assert whole.startswith(data), "what is there is the beginning of what should be"
        unfinished += not data.endswith(b"\n")
        if rng.random() < 0.3:
            assert append_records(path, made) == count - data.count(b"\n")
            assert path.read_bytes() == whole
            path.unlink()
    append_records(path, made)
    assert path.read_bytes() == whole


def test_a_correction_names_what_it_corrects(tmp_path, checkers):
    path, model = tmp_path / "all.jsonl", tmp_path / "model.json"
    exporting.to_json(POLICY, model)
    append_records(path, make_records(POLICY, ROWS, ids="abc", about={"name": ["Ann", "Bo", "Cy"]}))
    first = path.read_bytes()
    old, new = correct_record(POLICY, path, "a", {"member": "yes"})
    assert (old["decision"], new["decision"]) == ("no", "yes")
    assert new["corrects"] == {"record": hashlib.sha256(record_line(old)).hexdigest(), "values": {"member": False}}
    assert new["about"] == {"name": "Ann"}
    assert path.read_bytes() == first + record_line(new) + b"\n"
    assert append_records(path, make_records(POLICY, ROWS, ids="abc")) == 0, "what was decided first is still there"
    again = correct_record(POLICY, path, "a", {"member": "no"})[1]
    assert again["decision"] == "no"
    lines = path.read_bytes().splitlines()
    for command in checkers:
        assert verdicts(command, tmp_path, lines, model) == [True] * 5
        for false in ({**new["corrects"], "values": {}}, {**new["corrects"], "values": {"member": True}}):
            line = record_line({**new, "corrects": false})
            assert verdicts(command, tmp_path, [*lines[:3], line], model) == [True] * 3 + [False]
        assert verdicts(command, tmp_path, [lines[1], lines[3]], model) == [True, False], (
            "what it corrects is not there"
        )
        assert verdicts(command, tmp_path, [lines[0], lines[0]], model) == [True, False]


def test_corrections_are_refused(tmp_path):
    path = tmp_path / "decisions.jsonl"
    append_records(path, make_records(POLICY, ROWS))
    before = path.read_bytes()
    for name, values, message in [
        ("7", {"late": "yes"}, "ID must be a decision of .*; got '7'"),
        ("1", {"income": "5"}, "a correction must be of late, owner, member; got income"),
        ("1", {"late": "no"}, "a correction of 'late' must differ from what was recorded; got no"),
        ("1", {"late": "perhaps"}, "a correction of 'late' must be true or false; got 'perhaps'"),
    ]:
        with pytest.raises(ValueError, match=message):
            correct_record(POLICY, path, name, values)
    with pytest.raises(ValueError, match="model must be the one that decided, of SHA-256"):
        correct_record(DNFClassifier.from_dnf("late"), path, "1", {"late": "yes"})
    assert path.read_bytes() == before


def test_typed_values():
    assert Field("opened", "date").from_text("2020-01-31") == "2020-01-31"
    with pytest.raises(ValueError, match="'opened' must be a date such as 2020-12-31; got 'soon'"):
        Field("opened", "date").from_text("soon")


def test_a_checker_is_for_a_language_we_have():
    with pytest.raises(ValueError, match="language must be python or javascript; got cobol"):
        checker("cobol")
