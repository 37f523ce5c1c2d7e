"""No part of a connection string but its scheme, host and database reaches a message, however it is mistyped."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idnf.cli import main
from idnf.commands.sources import open_table
from idnf.engines.addresses import shown_address, without_address

SECRET = "hunter2secret"

MISTYPED = [
    f"postgresql://me:{SECRET}@host/bank",
    f"postgresql://me:{SECRET}@host:notaport/bank",
    f"postgresql://me:{SECRET}@/bank",
    f"postgresql://me:{SECRET}",
    f"postgresql://me:{SECRET}/bank",
    f"postgresql://me:12{SECRET}@host/bank?sslmode=require",
    f"postgresql://host/bank?user=me&password={SECRET}",
    f"postgresql://host/bank?password={SECRET}@x",
    f"postgresql://me:a/{SECRET}@host/bank",
    f"postgresql://me:a@{SECRET}@host/bank",
    f"postgresql://me:a?{SECRET}@host/bank",
    f"postgresql://me:a#{SECRET}@host/bank",
    f"postgresql://me:a b{SECRET}@host/bank",
    f"postgresql:/me:{SECRET}@host/bank",
    f"postgresql:me:{SECRET}@host/bank",
    f"postgresql//me:{SECRET}@host/bank",
    f"postgresql;//me:{SECRET}@host/bank",
    f"postgressql://me:{SECRET}@host/bank",
    f"post gres://me:{SECRET}@host/bank",
    f"me:{SECRET}@host/bank",
    f"postgresql://me:{SECRET}@host/bank.parquet",
    f"postgresql://me:{SECRET}@host/bank.csv",
    f"mysql+pymysql://me:{SECRET}@host/bank",
    f"host=localhost user=me password={SECRET} dbname=bank",
    f"host=localhost,user=me,password={SECRET},dbname=bank",
    f"https://host/a.parquet?token={SECRET}",
    f"https://me:{SECRET}@host/a.parquet",
]


EXTRAS = [["--table-name", "loans"], ["--engine", "polars"], ["--engine", "duckdb"]]


# Every address alone, and with one of the options in turn.
@pytest.mark.parametrize(
    ("address", "extra"), [(one, extra) for i, one in enumerate(MISTYPED) for extra in ([], EXTRAS[i % len(EXTRAS)])]
)
def test_a_command_tells_no_secret(address, extra, capsys):
    assert main(["fit", address, "--target", "y", "-o", "unused.json", *extra]) == 2
    assert_hidden(capsys)


def test_a_command_that_is_mistyped_tells_no_secret(capsys):
    for address in MISTYPED:
        with pytest.raises(SystemExit):
            main(["fit", "--tabel", address, "--target", "y"])
        assert_hidden(capsys)


def assert_hidden(capsys):
    said = "".join(capsys.readouterr())
    assert SECRET not in said
    assert said


@pytest.mark.parametrize("address", [address for address in MISTYPED if not address.startswith("https")])
@pytest.mark.parametrize("table", ["loans", None])
def test_an_error_tells_no_secret(address, table):
    with pytest.raises((ValueError, OSError, RuntimeError)) as raised:
        open_table(address, table=table)
    error: BaseException | None = raised.value
    while error is not None:
        assert SECRET not in str(error)
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


names = st.from_regex(r"[a-z]{1,8}", fullmatch=True)
passwords = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1).map(lambda text: f"Zq{text}Zq")


@given(names, passwords, names, names)
def test_a_password_of_any_signs_is_not_shown(user, password, host, database):
    address = f"postgresql://{user}:{password}@{host}/{database}"
    assert shown_address(address) in (f"postgresql://{host}/{database}", "postgresql://***")
    assert password not in without_address(f"cannot connect to {address}: {password} is wrong", address)


def test_what_may_be_shown_is_shown():
    assert shown_address("postgresql://me:p@host:5432/bank?sslmode=off") == "postgresql://host/bank"
    assert shown_address("s3://bucket/folder/a.parquet") == "s3://bucket/folder/a.parquet"
    assert shown_address("a/b c/loans.csv") == "a/b c/loans.csv"
