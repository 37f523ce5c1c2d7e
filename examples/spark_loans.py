"""Loans in Spark: counts are made where the rows are, and the model is the one that memory gives."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl
from pyspark.sql import SparkSession

from idnf import DNFClassifier
from idnf.datasets.loans import loan_table


def main(spark: SparkSession) -> None:
    """Fit, score and explain a Spark DataFrame, and compare with the same rows in memory."""
    loans = loan_table(2000)
    table = loans.to_polars().select("income", "region", "debt", "guarantor")
    with TemporaryDirectory() as folder:
        path = Path(folder, "loans.parquet")
        table.with_columns(approved=pl.Series(loans.approved)).write_parquet(path)
        frame = spark.read.parquet(str(path))
        there = DNFClassifier(k=2, family="nested", learner="greedy").fit(frame, "approved")
        print(there.to_text())
        here = DNFClassifier(k=2, family="nested", learner="greedy").fit(table, loans.approved)
        print(f"\nthe same model as in memory: {there.double_dnf_ == here.double_dnf_}")
        print(f"share of right answers, counted by Spark: {there.score(frame, 'approved'):.3f}")
        for row in there.explain(frame).select("income", "guarantor", "predicted", "reason").take(3):
            print(row)


if __name__ == "__main__":
    session = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    main(session)
    session.stop()
