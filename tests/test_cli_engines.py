"""Fit, predict and explain from the command line where the table is: files in an engine, a table of a database."""

import json

import polars as pl
import psycopg
import pytest
from tests.engines import postgres_table
from tests.test_engines import mixed_table

from idnf import exporting
from idnf.cli import main

PLACES = ("polars", "duckdb", "spark", "postgres")


def run(*arguments):
    return main([str(argument) for argument in arguments])


class Place:
    """A table in two files and in a database, and the arguments that name it."""

    def __init__(self, engine, folder, request):
        # The learning of each engine is compared in test_engines.py; queries of Spark take longest.
        columns = ("married",) if engine == "spark" else ("âge", "job", "married")
        self.table = mixed_table(300).select("id", *columns, "risk")
        self.folder = folder
        if engine == "postgres":
            url = request.getfixturevalue("postgres_url")
            name = f"from {folder.name}"
            postgres_table(url, name, self.table)
            self.arguments = (url, "--table-name", name)
            return
        if engine == "spark":
            request.getfixturevalue("spark")
        for part in range(2):
            self.table[part * 150 : part * 150 + 150].write_parquet(folder / f"{part}.parquet")
        self.arguments = (folder / "0.parquet", folder / "1.parquet", "--engine", engine)


@pytest.fixture(params=PLACES)
def place(request, tmp_path):
    return Place(request.param, tmp_path, request)


def test_fit_predict_and_explain_where_the_table_is(place, capsys):
    model = place.folder / "model.json"
    learn = ("--target", "risk", "--ignore", "id", "--learner", "greedy", "--k", 2, "-o", model, "--json")
    assert run("fit", *place.arguments, *learn) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["labels"], said["training_data"], said["test_rows"]) == (["hoch", "niedrig"], "distinct rows", 0)
    classifier, table = exporting.from_json(model), place.table
    assert said["train_accuracy"] == pytest.approx(classifier.score(table, table["risk"].to_numpy()))

    labelled = place.folder / "labelled.csv"
    assert run("predict", model, *place.arguments, "--proba", "-o", labelled) == 0
    found = pl.read_csv(labelled).sort("id")
    assert found.columns == [*table.columns, "predicted", "share of hoch", "share of niedrig"]
    assert found["predicted"].to_list() == classifier.predict(table).tolist()
    assert found["share of niedrig"].to_list() == pytest.approx(classifier.predict_proba(table)[:, 1].tolist())

    explained = place.folder / "explained.parquet"
    assert run("explain", model, *place.arguments, "-o", explained) == 0
    found = pl.read_parquet(explained).sort("id")
    assert found.columns == [*table.columns, "predicted", "reason id", "reason"]
    assert found["reason id"].to_list() == [one.reason for one in classifier.explain(table)]
    if "spark" in place.arguments:
        return
    capsys.readouterr()
    assert run("explain", model, *place.arguments, "--json") == 0
    lines = capsys.readouterr().out.splitlines()
    assert sorted({line["reason id"] for line in map(json.loads, lines)}) == sorted(set(found["reason id"].to_list()))
    assert len(lines) == len(table)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    table = mixed_table(200)
    table.write_parquet(folder / "all.parquet")
    learn = ("--target", "risk", "--ignore", "id", "--learner", "greedy", "--k", 2, "-o", folder / "model.json")
    assert run("fit", folder / "all.parquet", *learn, "--engine", "polars", "--quiet") == 0
    return folder


def test_rows_without_a_label_are_left_out_as_in_memory(files, capsys):
    table = pl.read_parquet(files / "all.parquet").drop("id")
    table.with_columns(risk=pl.when(pl.int_range(pl.len()) < 50).then(None).otherwise("risk")).write_parquet(
        files / "some.parquet"
    )
    learn = ("--target", "risk", "--learner", "greedy", "--k", 2, "-o", files / "some.json", "--json")
    accuracies = []
    for engine in ((), ("--engine", "polars"), ("--engine", "duckdb")):
        assert run("fit", files / "some.parquet", *learn, "--test-size", 0, *engine) == 0
        accuracies.append(json.loads(capsys.readouterr().out)["train_accuracy"])
    assert accuracies == pytest.approx([accuracies[0]] * 3)


def test_a_label_that_is_nan_is_no_label_as_in_memory(files, capsys):
    amounts = [1.0, 2.0, 3.0, 4.0] * 5
    for labels, said in (([0.0, 1.0, float("nan"), 1.0] * 5, 0), ([0.0, float("nan")] * 10, 2)):
        pl.DataFrame({"amount": amounts, "y": labels}).write_parquet(files / "nan.parquet")
        for engine in ((), ("--engine", "polars"), ("--engine", "duckdb")):
            learn = ("--target", "y", "--learner", "greedy", "--k", 1, "--test-size", 0, "-o", files / "nan.json")
            assert run("fit", files / "nan.parquet", *learn, "--quiet", *engine) == said
            if said:
                message = "2 to 100 different labels; got 1 in y: 0 (10)" if engine else "got only 0.0 in y."
                assert message in capsys.readouterr().err


def test_a_nan_that_an_engine_does_not_see_is_no_second_label(files, capsys):
    pl.DataFrame({"amount": [1.0, 2.0] * 10, "y": [0.0, float("nan")] * 10}).write_parquet(files / "unseen.parquet")
    in_duckdb = ("fit", files / "unseen.parquet", "--target", "y", "--engine", "duckdb", "-o", files / "nan.json")
    refused(capsys, "--target must be a column of 2 to 100 different labels; got", *in_duckdb)


def test_csv_files_have_the_missing_values_they_have_in_memory(files, capsys):
    pl.read_parquet(files / "all.parquet").drop("id").write_csv(files / "all.csv", null_value="NA")
    learn = ("--target", "risk", "--learner", "greedy", "--k", 2, "--test-size", 0, "-o", files / "csv.json", "--quiet")
    printed = []
    for engine in ((), ("--engine", "polars"), ("--engine", "duckdb")):
        assert run("fit", files / "all.csv", *learn, *engine) == 0
        printed.append(capsys.readouterr().out.partition("accuracy")[0])
    assert printed == [printed[0]] * 3


def refused(capsys, message, *arguments):
    assert run(*arguments) == 2
    assert message in capsys.readouterr().err


def test_what_an_engine_cannot_do_is_refused(files, capsys, postgres_url):
    model, table = files / "model.json", files / "all.parquet"
    refused(capsys, "--text must be left out with an engine", "explain", model, table, "--engine", "polars", "--text")
    refused(capsys, "files must exist; got '-'", "predict", model, "-", "--engine", "duckdb")
    in_polars = ("predict", model, table, "--engine", "polars")
    refused(capsys, "--table-name must be left out for files; got t", *in_polars, "--table-name", "t")
    refused(capsys, "--table-name must name a table of postgresql://", "predict", model, postgres_url)
    refused(capsys, "a database must be the only table; got two.csv too", "predict", model, postgres_url, "two.csv")
    secret = postgres_url.replace("postgres@", "postgres:secret@")
    assert run("predict", model, secret) == 2
    assert "secret" not in capsys.readouterr().err
    refused(capsys, "while opening the table of the database: ", "predict", model, postgres_url, "--table-name", "no")
    nowhere = ("predict", model, "postgresql://me@127.0.0.1:1/none", "--table-name", "no")
    refused(capsys, "while opening the table of the database: ", *nowhere)
    other = pl.read_parquet(table).with_columns(pl.col("âge").cast(pl.String))
    other.write_parquet(files / "other.parquet")
    wrong = "column 'âge' must hold numbers, as in training; got categories."
    refused(capsys, wrong, "predict", model, files / "other.parquet", "--engine", "duckdb")


def test_a_connection_lost_on_the_way_leaves_no_file(files, capsys, postgres_url, monkeypatch):
    postgres_table(postgres_url, "lost", mixed_table(200))
    from idnf.commands import applying

    opened = applying.open_lazily

    def lose(arguments):
        lazy = opened(arguments)
        with psycopg.connect(postgres_url, autocommit=True) as other:
            other.execute("SELECT pg_terminate_backend(%s)", [lazy.to_native().get_backend().con.info.backend_pid])
        return lazy

    monkeypatch.setattr(applying, "open_lazily", lose)
    target = files / "never.csv"
    lost = ("predict", files / "model.json", postgres_url, "--table-name", "lost", "-o", target)
    refused(capsys, "the engine failed while working out the answer: ", *lost)
    assert not target.exists()
