"""Take pictures of three pages, on a desk and on a phone: loans, three classes, bands; and of the editor on a desk.

Run as `python docs/shoot.py`; it needs Chromium, playwright and Pillow.
"""

from __future__ import annotations

import io
import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from PIL import Image
from playwright.sync_api import Page, sync_playwright
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from idnf import DNFBands, DNFClassifier, datasets, reporting
from idnf.choosing import near_optimal_models

FOLDER = Path(__file__).with_name("screenshots")
SIZES = {"desk": (1280, 1040), "phone": (375, 900)}


def write_pages(folder: Path) -> None:
    """Write the three pages; models learn from the first three quarters of the rows."""
    X, y = datasets.load("loans")
    loans = DNFClassifier(k=3).fit(X[:700], y[:700])
    near = near_optimal_models(loans, X[:700], y[:700])
    reporting.to_html(loans, folder / "loans.html", X[700:], y[700:], near=near)
    bands = DNFBands(
        k=3, boundaries=[0.25, 0.75], names=["approve", "refer", "decline"], order=["approved", "declined"]
    )
    reporting.to_html(bands.fit(X[:700], y[:700]), folder / "bands.html", X[700:], y[700:])
    X, y = datasets.load("wine-three")
    rows = X.sample(frac=1, random_state=0).index
    train, test = rows[:130], rows[130:]
    wine = DNFClassifier(k=3).fit(X.loc[train], y.loc[train])
    reporting.to_html(wine, folder / "classes.html", X.loc[test], y.loc[test])


def edited_shots(page: Page, folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield pictures of the editor by name: as it opens, and after two edits that break the guarantee."""
    data = load_breast_cancer(as_frame=True)
    labels = np.array(["malignant", "benign"])[data.target]
    X, X_test, y, y_test = train_test_split(data.data, labels, random_state=0, stratify=labels)
    clf = DNFClassifier(2, effort=0.1).fit(X, y)
    reporting.to_html(clf, folder / "editor.htm", X_test, y_test, first="malignant", editable=True)
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{(folder / 'editor.htm').as_uri()}#h-editor")
    page.wait_for_selector('#edit-verdict[aria-busy="false"]')
    yield "editor-desk", packed(page)
    for line, place, cut in (("2", 0, "15.5"), ("3", 1, "0.12")):
        field = page.locator(f'[data-line="{line}"] .edit-condition').nth(place).locator("input").first
        field.fill(cut)
        field.press("Enter")
    page.wait_for_selector("#edit-mends button")
    page.evaluate("document.getElementById('h-editor').scrollIntoView()")
    yield "editor-broken", packed(page)


def packed(page: Page) -> bytes:
    """Return what a window shows as a small picture."""
    picture = Image.open(io.BytesIO(page.screenshot()))
    small = io.BytesIO()
    few = picture.convert("RGB").quantize(64, dither=Image.Dither.NONE)
    few.convert("RGB").save(small, "WEBP", lossless=True, quality=100, method=6)
    return small.getvalue()


def shot(page: Page, path: Path, device: str) -> bytes:
    """Return what a window shows of a page, on a phone from the case to try on, as a small picture."""
    width, height = SIZES[device]
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{path.as_uri()}{'#h-what-if' * (device == 'phone')}")
    return packed(page)


def main() -> None:
    """Write every picture."""
    with TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        write_pages(folder)
        path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(color_scheme="light")
        for file in sorted(folder.glob("*.html")):
            for device in SIZES:
                (FOLDER / f"{file.stem}-{device}.webp").write_bytes(shot(page, file, device))
        for name_of_picture, data in edited_shots(page, folder):
            (FOLDER / f"{name_of_picture}.webp").write_bytes(data)
        browser.close()


if __name__ == "__main__":
    main()
