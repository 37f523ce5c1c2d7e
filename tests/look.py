"""Look at a built site in a browser: `python look.py CHROMIUM SITE WORD ...` prints what it saw as JSON.

A script, run by test_docs.py: how many pixels each page is wider than the window, on a phone and on a desktop, and the
titles that a search for each word shows.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

WIDTHS = {"phone": 390, "desktop": 1280}
NOT_OURS = ("genindex", "py-modindex", "search")
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def widths(page: Page, site: Path) -> dict[str, int]:
    found = {}
    for path in sorted(site.rglob("*.html")):
        if path.stem not in NOT_OURS:
            page.goto(path.as_uri())
            for device, width in WIDTHS.items():
                page.set_viewport_size({"width": width, "height": 900})
                found[f"{path.relative_to(site)} on a {device}"] = page.evaluate(WIDER)
    return found


def titles(page: Page, site: Path, word: str) -> list[str]:
    page.goto(f"{(site / 'search.html').as_uri()}?q={word}")
    page.wait_for_function("document.querySelector('.search-summary')?.textContent.includes('found')")
    return [link.inner_text() for link in page.query_selector_all("#search-results li > a")]


def main(chromium: str, site: Path, words: list[str]) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        seen = {"wider": widths(page, site), "found": {word: titles(page, site, word) for word in words}}
        browser.close()
    sys.stdout.write(json.dumps(seen))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3:])
