"""The paper's tables on splits of our own, random states 0 to 4: how much its figures owe to its splits."""

import os
from pathlib import Path

from idnf.reproduction import Experiment, run, write

if __name__ == "__main__":
    cells = run(Experiment(splits=range(5)), jobs=os.cpu_count() or 1)
    for path in write(cells, Path(__file__).parent / "other-splits"):
        print(path)
