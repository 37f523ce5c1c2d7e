"""The loops in C: every variant gives the results of the plain one, with every compiler that is there."""

import shlex
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

HERE = Path(__file__).parent
LOOPS = HERE.parents[2] / "src" / "idnf" / "learning" / "local" / "compiled"

# How each compiler is called, and what its programs run in.
COMPILERS = {
    "cc": (shlex.split(sysconfig.get_config_var("CC") or "cc")[:1], []),
    "clang": (["clang"], []),
    "gcc for ARM": (["aarch64-linux-gnu-gcc", "-static"], ["qemu-aarch64"]),
    "clang for ARM": (["clang", "--target=aarch64-linux-gnu", "-static"], ["qemu-aarch64"]),
}


def is_there(name):
    compiler, emulator = COMPILERS[name]
    needed = [compiler[0], *emulator, *(["aarch64-linux-gnu-gcc"] if emulator else [])]
    return all(shutil.which(program) for program in needed)


@pytest.mark.parametrize("name", list(filter(is_there, COMPILERS)))
def test_every_variant_gives_the_results_of_the_plain_loops(name, tmp_path):
    compiler, emulator = COMPILERS[name]
    program = tmp_path / "loops_agree"
    flags = ["-O3", "-Wall", "-Werror", f"-I{LOOPS}", "-o", str(program)]
    subprocess.run([*compiler, *flags, str(HERE / "loops_agree.c")], check=True)
    found = subprocess.run([*emulator, str(program)], capture_output=True, text=True)
    assert found.returncode == 0, found.stdout
    assert int(found.stdout) >= 2, "vectors and plain loops"
