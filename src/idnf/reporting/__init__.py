"""Models and explanations as pages and pictures."""

from idnf.columns.phrases import one_line
from idnf.explaining.wording import label_words
from idnf.reporting.band_page import bands_page
from idnf.reporting.html import page, to_html, to_svg
from idnf.reporting.model_card import model_card
from idnf.reporting.page_parts import alternatives_to_html, stability_to_html
from idnf.reporting.summary import summarise

__all__ = [
    "alternatives_to_html",
    "bands_page",
    "label_words",
    "model_card",
    "one_line",
    "page",
    "stability_to_html",
    "summarise",
    "to_html",
    "to_svg",
]
