"""What groups of values are worth in columns of many categories: python experiments/many_values.py.

Tables to choose on are merchants, alone and with an amount; tables to judge on are drawn from other rules: breeds of
which some are rare, postcodes with a share of their own each, three classes, and columns of noise. With `--folder`,
tables of CSV files are added to judge on: adult (github.com/jbrownlee/Datasets), taxi rides (mwaskom/seaborn-data).
Each is fitted with groups, and with the frequent values named and all others in one cell, which is what no grouping
leaves; beside them is boosting of scikit-learn that takes categories as they are, as a ceiling. The result is
experiments/many_values.csv.
"""

from __future__ import annotations

import argparse
import csv
import time
import warnings
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import train_test_split

from idnf import DNFClassifier
from idnf.tables import column_fitting
from idnf.tables.column_check import TableWarning

ROWS, TRAINING = 5000, 4000
HEAD = ["table", "k", "split", "method", "accuracy", "seconds", "uses the column"]


def names(letter, codes):
    """Return codes as texts."""
    return [f"{letter}{code}" for code in codes]


def merchants(rng):
    """200 merchants, 60 of which are always fraud."""
    code = rng.integers(0, 200, ROWS)
    return pd.DataFrame({"merchant": names("m", code), "amount": rng.integers(1, 500, ROWS)}), code < 60


def amounts(rng):
    """60 of 200 merchants with amounts above a limit; 3 in a hundred labels are wrong."""
    X, bad = merchants(rng)
    return X, (bad & (X.amount > 150)) ^ (rng.random(ROWS) < 0.03)


def breeds(rng):
    """336 breeds, a few of them common and most rare; 1 in 200 animals is given the wrong species."""
    share = 1 / np.arange(1, 337)
    code = rng.choice(336, ROWS, p=share / share.sum())
    cat = np.random.default_rng(7).random(336) < 0.4
    X = pd.DataFrame({"breed": names("b", code), "age": rng.integers(0, 15, ROWS)})
    return X, cat[code] ^ (rng.random(ROWS) < 0.005)


def postcodes(rng):
    """400 postcodes, each with a share of its own, beside an income."""
    code, income = rng.integers(0, 400, ROWS), rng.normal(30, 10, ROWS).round()
    own = np.random.default_rng(8).beta(2, 4, 400)
    chance = np.clip(own[code] + 0.3 * (income < 25), 0, 1)
    return pd.DataFrame({"postcode": names("p", code), "income": income}), rng.random(ROWS) < chance


def diagnoses(rng):
    """120 codes that go with three departments; 1 in 20 rows goes elsewhere."""
    code = rng.integers(0, 120, ROWS)
    own = np.random.default_rng(9).integers(0, 3, 120)
    where = np.where(rng.random(ROWS) < 0.05, rng.integers(0, 3, ROWS), own[code])
    return pd.DataFrame({"code": names("d", code), "age": rng.integers(18, 90, ROWS)}), np.array(list("abc"))[where]


def noise(rng):
    """300 values that say nothing, beside two numbers that do."""
    X = pd.DataFrame({"value": names("v", rng.integers(0, 300, ROWS)), "a": rng.random(ROWS), "b": rng.random(ROWS)})
    return X, rng.random(ROWS) < np.where(X.a > 0.6, 0.5, 0.15) + 0.15 * (X.b > 0.5)


CHOOSE = {"merchants": (merchants, 1), "merchants and amounts": (amounts, 2)}
JUDGE = {"breeds": (breeds, 1), "postcodes": (postcodes, 2), "diagnoses": (diagnoses, 2), "noise": (noise, 2)}
FILES = {"adult": ("adult-train.csv", -1), "taxis": ("taxis.csv", "payment")}


def from_file(folder, name):
    """Return a table of a CSV file, a random part of it if it is long."""
    file, target = FILES[name]
    table = pd.read_csv(folder / file, header=None if target == -1 else 0, skipinitialspace=True)
    table.columns = [f"x{column}" if isinstance(column, int) else column for column in table.columns]
    target = table.columns[-1] if target == -1 else target
    table = table[table[target].notna()].sample(min(len(table), ROWS), random_state=0)
    dates = [column for column in ("pickup", "dropoff") if column in table]
    return table.drop(columns=[target, *dates]).reset_index(drop=True), table[target].to_numpy()


def boosted(X, y, train, test):
    """Return the accuracy of boosting that takes categories as they are; the rarest beyond 254 count as one."""
    coded = X.copy()
    for name in X.select_dtypes(include=["object", "str"]):
        common = X[name].value_counts().index[:254]
        coded[name] = pd.Categorical(X[name].where(X[name].isin(common), "other"))
    model = HistGradientBoostingClassifier(categorical_features="from_dtype", random_state=0)
    return model.fit(coded.iloc[train], y[train]).score(coded.iloc[test], y[test])


def lines(name, X, y, k, split):
    """Yield a line for each method."""
    size = min(TRAINING, len(y) * 4 // 5)
    train, test = train_test_split(np.arange(len(y)), train_size=size, random_state=split, stratify=y)
    text = X.select_dtypes(include=["object", "str"]).columns
    for method in ("groups", "named"):
        way = column_fitting.grouped_column if method == "groups" else ungrouped
        began = time.process_time()
        with patch.object(column_fitting, "grouped_column", way):
            clf = DNFClassifier(k).fit(X.iloc[train], y[train])
        seconds = time.process_time() - began
        used = any(clf.binariser_.columns_[j].name in text for j in clf.fitted_.used)
        yield [name, k, split, method, f"{100 * clf.score(X.iloc[test], y[test]):.2f}", f"{seconds:.2f}", used]
    began = time.process_time()
    right = boosted(X, y, train, test)
    yield [name, k, split, "boosting", f"{100 * right:.2f}", f"{time.process_time() - began:.2f}", ""]


def ungrouped(*_given, **_settings):
    """Return no column, whatever the values tell of the labels."""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--splits", type=int, default=2)
    parser.add_argument("--seeds-of-noise", type=int, default=20)
    parser.add_argument("--folder", type=Path, help="where the CSV files are")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore", TableWarning)
    with Path(__file__).with_name("many_values.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(HEAD)
        for name, (rule, k) in (CHOOSE | JUDGE).items():
            for split in range(arguments.seeds_of_noise if name == "noise" else arguments.splits):
                X, y = rule(np.random.default_rng(split))
                writer.writerows(lines(name, X, np.asarray(y), k, split))
        for name in FILES if arguments.folder else ():
            X, y = from_file(arguments.folder, name)
            for split in range(arguments.splits):
                writer.writerows(lines(name, X, y, 3, split))
    found = pd.read_csv(Path(__file__).with_name("many_values.csv"), dtype={"uses the column": str})
    print(found.pivot_table("accuracy", "table", "method")[["named", "groups", "boosting"]].round(1))
    grouped = found[found.method == "groups"]
    print(
        grouped.groupby("table")["uses the column"].agg(
            lambda used: f"{(used.astype(str) == 'True').sum()} of {len(used)}"
        )
    )


if __name__ == "__main__":
    main()
