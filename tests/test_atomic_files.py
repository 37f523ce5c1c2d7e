from __future__ import annotations

import errno
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from idnf import DNFClassifier, exporting
from idnf.atomic_files import write_atomically


@pytest.fixture
def clf() -> DNFClassifier:
    return DNFClassifier.from_dnf("late", columns={"late": bool})


def test_a_full_disk_leaves_the_old_file(clf: DNFClassifier, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "model.json"
    target.write_text("old")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match=r"model.json cannot be written \(No space left on device\)"):
        exporting.to_json(clf, target)
    assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["model.json"]


def test_a_file_larger_than_allowed_leaves_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "model.json"
    target.write_text("old")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
        with pytest.raises(OSError, match="cannot be written"):
            write_atomically(target, "x" * 1000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["model.json"]


def test_an_interrupted_write_leaves_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "model.json"
    target.write_text("old")
    program = (
        "import os, signal, sys\n"
        "from idnf.atomic_files import write_atomically\n"
        "os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)\n"
        "write_atomically(sys.argv[1], 'new' * 1000)\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(target)], check=False)
    assert done.returncode == -signal.SIGKILL
    assert target.read_text() == "old"


def test_a_model_that_cannot_be_written_leaves_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "model.json"
    target.write_text("old")
    with pytest.raises(ValueError, match="classes must be text"):
        exporting.to_json(DNFClassifier.from_dnf("a", classes=(1j, 2j)), target)
    assert target.read_text() == "old"


def test_a_path_that_cannot_be_written_is_named(clf: DNFClassifier, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"absent/model.json cannot be written \(No such file or directory\)"):
        exporting.to_json(clf, tmp_path / "absent" / "model.json")
    with pytest.raises(IsADirectoryError, match="path must be a file; got the folder"):
        exporting.to_json(clf, tmp_path)


def test_links_are_followed_and_permissions_kept(clf: DNFClassifier, tmp_path: Path) -> None:
    target, link = tmp_path / "model.json", tmp_path / "link.json"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    exporting.to_json(clf, link)
    assert link.is_symlink()
    assert target.stat().st_mode & 0o777 == 0o640
    assert exporting.from_json(target).k == 1


def test_a_device_is_written_to_and_stays_one() -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("there is no /dev/full here")
    with pytest.raises(OSError, match=r"/dev/full cannot be written \(No space left on device\)"):
        write_atomically(full, "x")
    assert full.is_char_device()


def test_a_killed_process_leaves_nothing_behind(tmp_path: Path) -> None:
    target = tmp_path / "model.json"
    target.write_text("old")
    code = (
        "import sys, time\n"
        "from idnf.atomic_files import whole_file\n"
        "with whole_file(sys.argv[1]) as stream:\n"
        "    stream.write(b'new' * 10000)\n"
        "    stream.flush()\n"
        "    print('begun', flush=True)\n"
        "    time.sleep(600)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code, str(target)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    process.kill()
    process.communicate()
    assert target.read_text() == "old"
    # Elsewhere files must have names from the start.
    if sys.platform == "linux":
        assert [path.name for path in tmp_path.iterdir()] == ["model.json"]


def test_drafts_of_killed_processes_go_with_the_next_file(tmp_path: Path) -> None:
    target = tmp_path / "model.json"
    program = (
        "import os, signal, sys\n"
        "from idnf.atomic_files import write_atomically\n"
        "os.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
        "write_atomically(sys.argv[1], 'new')\n"
    )
    assert subprocess.run([sys.executable, "-c", program, str(target)], check=False).returncode == -signal.SIGKILL
    (left,) = tmp_path.iterdir()
    others = [left.with_name(left.name.replace(".idnf.", ".idnf.another-")), left.with_name(".idnf.")]
    for other in others:
        other.write_text("not ours")
    write_atomically(target, "whole")
    assert sorted(tmp_path.iterdir()) == sorted([target, *others])


@pytest.mark.parametrize("name", ["\N{OWL}" * 60, "x" * 250])
def test_long_names_are_written(name: str, tmp_path: Path) -> None:
    write_atomically(tmp_path / name, "whole")
    assert (tmp_path / name).read_text() == "whole"
