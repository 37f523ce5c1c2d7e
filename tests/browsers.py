"""A headless Chromium for the tests of pages, one for the whole run."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        pytest.fail("the tests of pages need Chromium: apt-get install chromium (as root), or put chromium on the PATH")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield chromium
        chromium.close()


def blank_page(browser: Browser, *, width: int = 1100, scheme: str = "light") -> Page:
    """Return the one page that all tests look at in turn: a new one takes three times as long as what it shows."""
    context = browser.contexts[0] if browser.contexts else browser.new_context()
    page = context.pages[0] if context.pages else context.new_page()
    page.goto("about:blank")
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=scheme, media="screen")
    return page
