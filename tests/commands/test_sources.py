import duckdb
import narwhals.stable.v2 as nw
import polars as pl
import pytest

from idnf.cli import main
from idnf.commands.sources import open_table

TABLE = pl.DataFrame({"age": [30, 50, 40], "sick": [False, True, True]})


@pytest.fixture
def folder(tmp_path):
    for part in range(2):
        TABLE.write_parquet(tmp_path / f"it's {part}.parquet")
        TABLE.write_csv(tmp_path / f"it's {part}.csv")
    return tmp_path


@pytest.mark.group("spark")
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_files_are_opened_by_each_engine(folder, kind, request):
    files = f"{folder}/*.{kind}"
    assert isinstance(lazy := open_table(files, "polars"), pl.LazyFrame)
    assert lazy.collect().equals(pl.concat([TABLE, TABLE]))
    assert isinstance(relation := open_table(files, "duckdb"), duckdb.DuckDBPyRelation)
    assert relation.pl().equals(pl.concat([TABLE, TABLE]))
    request.getfixturevalue("spark")
    assert open_table([folder / f"it's {part}.{kind}" for part in range(2)], "spark").count() == 6


@pytest.mark.parametrize("engine", ["polars", "duckdb", "spark"])
def test_tabs_and_the_short_name_of_parquet_are_known(tmp_path, engine, request):
    if engine == "spark":
        request.getfixturevalue("spark")
    table = pl.DataFrame({"words": ["a, b", "c"], "age": [3, 4]})
    table.write_csv(tmp_path / "words.tsv", separator="\t")
    table.write_parquet(tmp_path / "words.pq")
    for name in ("words.tsv", "words.pq"):
        opened = nw.from_native(open_table(tmp_path / name, engine)).lazy().collect()
        assert sorted(opened.rows()) == table.rows()


def test_a_table_of_a_database_is_opened_by_its_connection_string(postgres_url):
    import psycopg

    with psycopg.connect(postgres_url) as connection:
        connection.execute("CREATE TABLE opened AS SELECT 1 AS age")
    assert open_table(postgres_url, table="opened").to_polars().rows() == [(1,)]
    with pytest.raises(ValueError, match="table must name a table of 'postgresql://"):
        open_table(postgres_url)


def test_what_cannot_be_opened_is_refused(folder, monkeypatch):
    with pytest.raises(FileNotFoundError, match="files must exist; got '.*none"):
        open_table(f"{folder}/none*.csv")
    with pytest.raises(ValueError, match="all of one kind; got '.csv', '.parquet'"):
        open_table(f"{folder}/*")
    with pytest.raises(ValueError, match='engine must be "polars", "duckdb" or "spark"; got \'dask\''):
        open_table(f"{folder}/*.csv", "dask")
    with pytest.raises(ValueError, match="table must be left out for files; got 'people'"):
        open_table(f"{folder}/*.csv", table="people")
    monkeypatch.setattr("idnf.commands.sources.find_spec", lambda _: None)
    with pytest.raises(ModuleNotFoundError, match=r"the duckdb engine needs duckdb: pip install 'idnf\[duckdb\]'"):
        open_table(f"{folder}/*.csv", "duckdb")


@pytest.mark.parametrize("engine", ["polars", "duckdb", "spark"])
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_file_whose_name_is_a_pattern_too_is_read_itself(tmp_path, engine, kind, request):
    if engine == "spark":
        request.getfixturevalue("spark")
    for name, table in (("people[1]", TABLE), ("people1", TABLE[:1])):
        getattr(table, f"write_{kind}")(tmp_path / f"{name}.{kind}")
    opened = nw.from_native(open_table(tmp_path / f"people[1].{kind}", engine)).lazy().collect()
    assert sorted(opened.rows()) == sorted(TABLE.rows())


def test_a_folder_whose_name_is_a_pattern_too_is_read_and_written_itself(tmp_path):
    folders = [tmp_path / name for name in ("people[1]", "people1")]
    for folder, labels in zip(folders, (["no", "yes"], ["yes", "no"]), strict=True):
        folder.mkdir()
        pl.DataFrame({"age": [1, 2] * 30, "y": labels * 30}).write_csv(folder / "rows.csv")
    table, model, answers = (str(folders[0] / name) for name in ("rows.csv", "model.json", "answers.parquet"))
    assert main(["fit", table, "--target", "y", "--k", "1", "--learner", "greedy", "-q", "-o", model]) == 0
    assert main(["predict", model, table, "-q", "-o", answers]) == 0
    assert pl.read_parquet(answers, glob=False).rows()[:2] == [("1", "no", "no"), ("2", "yes", "yes")]
