"""What a command or a fit leaves behind when it is stopped, and how soon it stops."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
import pytest
from tests.adversary.tally import count
from tests.strategies import seeds

from idnf import DNFClassifier


@pytest.fixture
def table(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 50, (3000, 12))
    labels = (rows[:, 0] * rows[:, 1] + rows[:, 2] > 700) ^ (rng.random(3000) < 0.2)
    lines = [",".join(map(str, (*row, int(label)))) for row, label in zip(rows, labels)]
    path = tmp_path / "rows.csv"
    path.write_text(",".join(f"x{j}" for j in range(12)) + ",y\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sent", "tuning"),
    [(signal.SIGINT, ["--no-tune"]), (signal.SIGTERM, [])],
    ids=["interrupt", "terminate while tuning"],
)
def test_a_stopped_fit_leaves_the_older_model(table, sent, tuning):
    model = table.parent / "model.json"
    model.write_text("older", encoding="utf-8")
    command = [sys.executable, "-u", "-c", _ANNOUNCED, "fit", table, "--target", "y", "--k", "4", "-o", model]
    command += ["--effort", "100", "--jobs", "2", *tuning]
    process = subprocess.Popen(
        list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "learning\n"
    time.sleep(0.5)
    process.send_signal(sent)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said.endswith("idnf: interrupted; no file was changed.\n")
    assert model.read_text(encoding="utf-8") == "older"
    assert sorted(path.name for path in table.parent.iterdir()) == ["model.json", "rows.csv"]
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


# Says when learning has begun, in tuning and then in the search itself.
_ANNOUNCED = """
import sys
from idnf.cli import main
from idnf.learning import dispatch
begin = dispatch.ROW_LEARNERS["search"]
def told(*arguments, **options):
    print("learning")
    return begin(*arguments, **options)
dispatch.ROW_LEARNERS["search"] = told
sys.exit(main(sys.argv[1:]))
"""


@contextmanager
def interrupted_after(seconds):
    """Press Ctrl-C once, some time from here, unless the work is done by then."""

    def press(_signal, _frame):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, press)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


SETTINGS = {
    "two classes, exact": (2, {"learner": "exact"}),
    "two classes, exact trees": (2, {"learner": "exact", "family": "tree"}),
    "two classes, exact nested": (2, {"k": 2, "learner": "exact", "family": "nested"}),
    "two classes, tuned": (2, {"effort": 0.3}),
    "two classes, capped": (2, {"tune": False, "effort": 0.3, "max_reasons": 5}),
    "two classes, greedy": (2, {"learner": "greedy"}),
    "three classes, exact": (3, {"learner": "exact", "effort": 0.1}),
    "three classes, exact trees": (3, {"learner": "exact", "family": "tree", "effort": 0.1}),
    "three classes, exact, any": (3, {"learner": "exact", "effort": 0.1}),
    "three classes, tuned": (3, {"effort": 0.1}),
    "three classes, search": (3, {"tune": False, "effort": 0.3}),
    "three classes, capped": (3, {"tune": False, "effort": 0.1, "max_terms": 4}),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("setting", SETTINGS)
def test_an_interrupt_at_any_moment_leaves_a_true_model_or_none(setting):
    classes, options = SETTINGS[setting]
    rng = np.random.default_rng(7)
    X = rng.integers(0, 6, (90, 4)).astype(float)
    y = np.where(rng.random(90) < 0.15, rng.integers(0, classes, 90), (X[:, 0] + X[:, 1] > 5) + (X[:, 2] > 3)) % classes
    make = lambda: DNFClassifier(**{"k": 3, **options})  # noqa: E731
    began = time.monotonic()
    whole = make().fit(X, y)
    longest = time.monotonic() - began
    for seed in seeds(2, 45):
        clf = make()
        with suppress(KeyboardInterrupt), interrupted_after(1e-4 + random.Random(seed).random() * longest):
            clf.fit(X, y)
        if not hasattr(clf, "fitted_"):
            count("fits interrupted at random moments: no model, and the interrupt is raised")
            continue
        count("fits interrupted at random moments: a model, proved again, that claims nothing false")
        clf.verify()
        if clf.optimal_ is not None:
            assert (clf.optimal_, clf.objective_) == (whole.optimal_, pytest.approx(whole.objective_))
        if clf.bound_ is not None and clf.bound_family_ == whole.optimal_:
            assert clf.bound_ <= whole.objective_ + 1e-9
