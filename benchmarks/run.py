"""Run the benchmarks of this folder, each in a process of its own; those that fail are named at the end."""

import subprocess
import sys
from pathlib import Path

# Not these: `make bench` runs the first four, one is the peer's part of another benchmark, one needs an accelerator.
APART = {"scoreboard", "engines", "fitting", "micro", "optimal_trees", "exact_gpu"}
APART = {"scoreboard", "audits", "engines", "micro", "optimal_trees", "exact_gpu"}

if __name__ == "__main__":
    here = Path(__file__).resolve()
    failed = []
    for path in sorted(here.parent.glob("*.py")):
        if path != here and path.stem not in APART:
            print(f"\n{path.stem}", flush=True)
            if subprocess.run([sys.executable, str(path)], check=False).returncode:
                failed.append(path.stem)
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")
