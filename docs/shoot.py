"""Take pictures of three pages, on a desk and on a phone, for `report.md`: loans, three classes, bands.

Run as `python docs/shoot.py`; it needs Chromium, playwright and Pillow.
"""

from __future__ import annotations

import io
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Page, sync_playwright

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


def shot(page: Page, path: Path, device: str) -> bytes:
    """Return what a window shows of a page, on a phone from the case to try on, as a small picture."""
    width, height = SIZES[device]
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{path.as_uri()}{'#h-what-if' * (device == 'phone')}")
    picture = Image.open(io.BytesIO(page.screenshot()))
    packed = io.BytesIO()
    few = picture.convert("RGB").quantize(64, dither=Image.Dither.NONE)
    few.convert("RGB").save(packed, "WEBP", lossless=True, quality=100, method=6)
    return packed.getvalue()


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
        browser.close()


if __name__ == "__main__":
    main()
