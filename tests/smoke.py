"""What must work after an installation: run by `make wheel`, without pytest, against the installed package."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import idnf
from idnf.learning.local.kernels import is_compiled, kernels


def main():
    assert is_compiled(), "the wheel has no compiled kernels"
    assert kernels().name == "compiled"
    points = np.array([[p >> j & 1 for j in range(5)] for p in range(32)])
    majority = points.sum(axis=1) >= 3
    model = idnf.DNFClassifier(3).fit(points, majority)
    assert model.score(points, majority) == 1.0
    assert max(model.double_dnf_.verify().widths) <= 3
    with TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        idnf.reporting.to_html(model, page, points, majority)
        assert "<html" in page.read_text(encoding="utf-8")


if __name__ == "__main__":
    main()
