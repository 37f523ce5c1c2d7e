"""The paper's protocol run again, its tables beside ours: `make tables`, or a part of it, printed.

python experiments/reproduce.py --k 2 3 --datasets iris monks-1 --runs 3
"""

import argparse
import sys
from pathlib import Path

from reproduction.paper_tables import to_markdown, write
from reproduction.protocol import Experiment, run

from idnf.datasets import PAPER
from idnf.learning.choices import LEARNERS


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--k", type=int, nargs="+", default=(2, 3, 4, 5, 6), help="bounds (default 2 to 6)")
    parser.add_argument("--datasets", nargs="+", choices=PAPER, default=PAPER, help="data sets (default: all eleven)")
    parser.add_argument("--runs", type=int, default=10, help="fits on each split (default 10)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default 2)")
    parser.add_argument("--learner", choices=LEARNERS, default="greedy", help="column to add")
    parser.add_argument("--output", type=Path, help="folder for CSV, Markdown and the picture (default: print only)")
    options = parser.parse_args()
    experiment = Experiment(options.k, options.datasets, runs=options.runs, learner=options.learner)
    cells = run(experiment, jobs=options.jobs, progress=lambda done, total: print(f"{done}/{total}", file=sys.stderr))
    if options.output is None:
        print(to_markdown(cells))
        return
    for path in write(cells, options.output):
        print(f"written to {path}")


if __name__ == "__main__":
    main()
