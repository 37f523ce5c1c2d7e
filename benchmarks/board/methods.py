"""Who is on the scoreboard, what each needs, and an environment for each: their pins clash.

Everything that can be set is in peers/settings.toml.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = Path(__file__).resolve().parents[1] / "peers"
SETTINGS = tomllib.loads((SCRIPTS / "settings.toml").read_text("utf-8"))
RUN = SETTINGS["run"]


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
        if not self.environment:
            return {name: version(name) for name in names}
        code = "import sys; from importlib.metadata import version; print(*map(version, sys.argv[1:]))"
        found = subprocess.run([self.python(), "-c", code, *names], check=True, capture_output=True, text=True)
        return dict(zip(names, found.stdout.split()))

    def answers(self, folder: Path, cells: list[str]) -> Iterator[dict]:
        """Ask for cells and return each answer as it comes."""
        one_core = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        command = [self.python(), SCRIPTS / self.script, folder, *cells]
        environment = {**os.environ, **one_core}
        with (
            subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
            ) as process,
            ThreadPoolExecutor() as reader,
        ):
            assert process.stdout is not None
            assert process.stderr is not None
            said = reader.submit(process.stderr.read)
            yield from map(json.loads, process.stdout)
            if process.wait():
                raise RuntimeError(f"{self.script} ended with {process.returncode}: {said.result()[-2000:]}")


@dataclass(frozen=True)
class Method:
    """A method: its line in the tables, who runs it, the packages its figures depend on, and what it takes."""

    name: str
    title: str
    worker: Worker
    packages: tuple[str, ...]
    form: str
    kind: str
    says: str
    tuned: str
    two_classes: bool
    bounds: tuple[int, ...]
    groups: tuple[str, ...]
    slow: bool
    seeded: bool
    digest: str

    @property
    def shared(self) -> bool:
        """Return whether it is part of the second view, on features that all share."""
        return self.form == "boolean"

    @property
    def ours(self) -> bool:
        """Return whether figures change with our library."""
        return self.kind == "ours"

    @cache  # noqa: B019 - a handful of methods that live as long as the program
    def version(self) -> str:
        """Return packages with versions, and a few digits that name the settings and, for ours, what learns."""
        found = self.worker.versions(self.packages)
        digits = [self.digest, *([our_digest()] if self.ours else [])]
        return " ".join([*(f"{name} {number}" for name, number in found.items()), *digits])


def _methods() -> dict[str, Method]:
    specs = {name: spec for name, spec in SETTINGS.items() if name != "run"}
    installs = {spec["environment"]: tuple(spec["install"]) for spec in specs.values() if "install" in spec}
    return {name: _method(name, spec, installs) for name, spec in specs.items()}


def _method(name: str, spec: dict, installs: dict[str, tuple[str, ...]]) -> Method:
    environment = spec.get("environment", "")
    decides = {key: spec.get(key) for key in ("form", "settings", "says", "tuned")}
    title = spec["title"] if "tuned" in spec else f"{spec['title']}, untuned"
    bounds = spec.get("bounds", [0] if spec["kind"] == "ceiling" else RUN["bounds"])
    return Method(
        name=name,
        title=title,
        worker=Worker(spec["script"], environment, installs.get(environment, ())),
        packages=tuple(spec["packages"]),
        form=spec["form"],
        kind=spec["kind"],
        says=spec["says"],
        tuned=spec.get("tuned", "nothing"),
        two_classes=spec.get("classes", "any") == "two",
        bounds=tuple(bounds),
        groups=tuple(spec.get("groups", RUN["groups"])),
        slow=spec.get("slow", False),
        seeded=spec.get("seeded", False),
        digest=sha256(json.dumps(decides, sort_keys=True).encode()).hexdigest()[:6],
    )


METHODS = _methods()
OURS = tuple(name for name, method in METHODS.items() if method.ours)
CEILINGS = tuple(name for name, method in METHODS.items() if method.kind == "ceiling")
BOUNDED = tuple(name for name, method in METHODS.items() if method.kind == "bounded")
RULES = tuple(name for name, method in METHODS.items() if method.kind == "rules")


LEARNING = ("classifier", "columns", "counting", "explaining", "learning", "logic", "tables")
"""The parts of our library on which figures depend."""


@cache
def our_digest() -> str:
    """Return a few digits that name the sources of our library that figures depend on."""
    digest = sha256()
    for part in LEARNING:
        for path in sorted((ROOT / "src" / "idnf" / part).rglob("*.p[yx]*")):
            if path.suffix in (".py", ".pyx", ".pxi", ".pxd"):
                digest.update(path.read_bytes())
    return digest.hexdigest()[:6]


@cache
def our_commit() -> str:
    """Return the commit, and whether files of the library differ from it."""
    head, changes = (
        subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()
        for words in (("rev-parse", "--short=10", "HEAD"), ("status", "--porcelain", "--", "src"))
    )
    return f"{head} with changes" if changes else head
