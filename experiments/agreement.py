"""How close a reproduction comes to the paper's printed figures: reads reproduction/*.csv, writes agreement.csv."""

import csv
from pathlib import Path

FOLDER = Path(__file__).parent / "reproduction"


def lines(name):
    with (FOLDER / f"{name}.csv").open() as file:
        return [line for line in csv.DictReader(file) if line["paper"]]


def summary(table, method):
    """Cells, equal as printed, within 0.5, further above, further below, mean and largest difference with its cell."""
    found = [line for line in lines(table) if line["method"] == method]
    signed = [round(float(line[table]) - float(line["paper"]), 6) for line in found]
    differences = list(zip(map(abs, signed), found, strict=True))
    largest, line = max(differences, key=lambda pair: pair[0])
    return [
        len(found),
        sum(line[table] == line["paper"] for line in found),
        sum(difference <= 0.5 for difference, _ in differences),
        sum(difference > 0.5 for difference in signed),
        sum(difference < -0.5 for difference in signed),
        f"{sum(difference for difference, _ in differences) / len(found):.2f}",
        f"{largest:.2f}",
        f"{line['dataset']} k={line['k']}",
    ]


if __name__ == "__main__":
    columns = ("accuracy", "CART"), ("accuracy", "DNF"), ("accuracy", "complement"), ("size", "CART"), ("size", "DNF")
    with (FOLDER / "agreement.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        counts = ["cells", "equal", "within 0.5", "above", "below"]
        writer.writerow(["table", "method", *counts, "mean", "largest", "where"])
        for table, method in columns:
            row = [table, method, *summary(table, method)]
            writer.writerow(row)
            print(*row)
