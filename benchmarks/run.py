"""Run every benchmark of this folder, each in a process of its own; those that fail are named at the end."""

import subprocess
import sys
from pathlib import Path

if __name__ == "__main__":
    here = Path(__file__).resolve()
    failed = []
    for path in sorted(here.parent.glob("*.py")):
        if path != here:
            print(f"\n{path.stem}", flush=True)
            if subprocess.run([sys.executable, str(path)], check=False).returncode:
                failed.append(path.stem)
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")
