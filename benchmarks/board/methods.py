"""Who is on the scoreboard, what each needs, and an environment for each: their pins clash."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from .data import PAPER, splits_of

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = Path(__file__).resolve().parents[1] / "peers"


@dataclass(frozen=True)
class Worker:
    """A script beside its environment; without packages it runs in ours."""

    script: str
    environment: str = ""
    packages: tuple[str, ...] = ()

    def python(self) -> Path:
        """Return the Python that runs the script; its environment is made if it is not there."""
        if not self.environment:
            return Path(sys.executable)
        folder = ROOT / f".venv-peers-{self.environment}"
        done = folder / ".installed"
        if not done.exists():
            print(f"installing {', '.join(self.packages)} into {folder.name}", flush=True)
            subprocess.run([sys.executable, "-m", "venv", folder], check=True)
            pip = [folder / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check"]
            subprocess.run([*pip, *self.packages], check=True)
            done.touch()
        return folder / "bin" / "python"

    def versions(self, names: tuple[str, ...]) -> dict[str, str]:
        """Return the versions of some packages where the script runs."""
        code = "import sys; from importlib.metadata import version; print(*map(version, sys.argv[1:]))"
        found = subprocess.run([self.python(), "-c", code, *names], check=True, capture_output=True, text=True)
        return dict(zip(names, found.stdout.split()))

    def run(self, answers: Path, folder: Path, cells: list[str]) -> None:
        """Answer the cells; those already written stay if this is interrupted."""
        one_core = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        command = [self.python(), SCRIPTS / self.script, answers, folder, *cells]
        subprocess.run(command, check=True, env={**os.environ, **one_core})


_CART = Worker("cart.py")
_BRCG = Worker("brcg.py", "aix360", ("aix360[rbm]==0.3.0", "ecos==2.0.14"))
_OURS = Worker("ours.py")


@dataclass(frozen=True)
class Method:
    """A method: its line in the tables, who runs it, the packages its figures depend on, and the bounds it takes."""

    title: str
    worker: Worker
    packages: tuple[str, ...]
    least_k: int = 2
    most_k: int = 6
    most_k_of_tables: int = 6
    """Tables have hundreds of features, too many for the exact learner's proofs."""

    def takes(self, data: str, k: int) -> bool:
        """Tell whether a cell is this method's; one that knows no bound has k = 0."""
        return self.least_k <= k <= (self.most_k if data in PAPER else min(self.most_k, self.most_k_of_tables))


_NO_BOUND = {"least_k": 0, "most_k": 0}
METHODS = {
    "idnf": Method("**idnf**, any function, search (the default)", _OURS, ("idnf",)),
    "idnf-nested": Method("idnf, nested DNF, search", _OURS, ("idnf",)),
    "idnf-exact": Method("idnf, proved optimal pair tree", _OURS, ("idnf",), most_k=3, most_k_of_tables=0),
    "idnf-greedy": Method("idnf, the paper's heuristic", _OURS, ("idnf",)),
    "cart": Method("CART of depth k", _CART, ("scikit-learn",)),
    "pystreed": Method(
        "optimal tree of depth k (pystreed)",
        Worker("optimal.py", "pystreed", ("pystreed==1.4.0", "scikit-learn")),
        ("pystreed",),
    ),
    "brcg-dnf": Method("BRCG, terms <= k, DNF (aix360)", _BRCG, ("aix360",)),
    "brcg-cnf": Method("BRCG, terms <= k, CNF (aix360)", _BRCG, ("aix360",)),
    "ripper": Method(
        "RIPPER, max_rule_conds = k (wittgenstein)",
        Worker("ripper.py", "ripper", ("wittgenstein==0.3.5", "scikit-learn", "pandas")),
        ("wittgenstein",),
    ),
    "xgboost": Method(
        "XGBoost",
        Worker("boosting.py", "xgboost", ("xgboost==3.2.0", "scikit-learn")),
        ("xgboost",),
        **_NO_BOUND,
    ),
    "random-forest": Method("random forest", _CART, ("scikit-learn",), **_NO_BOUND),
}


def cells_of(method: str, data: list[str], bounds: list[int], splits: int) -> list[tuple[str, int, int]]:
    """Return the cells (data, split, k) of a method, the smallest k first: a run cut short has whole columns."""
    spec = METHODS[method]
    return [
        (name, split, k)
        for k in (0, *bounds)
        for name in data
        if spec.takes(name, k)
        for split in splits_of(name, splits)
    ]
