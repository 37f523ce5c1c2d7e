"""Models and explanations as pages and pictures."""

from idnf.columns.phrases import is_number, measured_words, one_line
from idnf.explaining.wording import label_words
from idnf.reporting.alternatives_page import alternatives_to_html
from idnf.reporting.band_page import bands_page
from idnf.reporting.html import page, report_of, to_html, to_svg
from idnf.reporting.making import making_sections
from idnf.reporting.retraining_section import retraining_section
from idnf.reporting.said_labels import with_said_labels
from idnf.reporting.sections import Section, sections_to_html
from idnf.reporting.starting_cases import MOST_ROWS
from idnf.reporting.summary import summarise

__all__ = [
    "MOST_ROWS",
    "Section",
    "alternatives_to_html",
    "bands_page",
    "is_number",
    "label_words",
    "making_sections",
    "measured_words",
    "one_line",
    "page",
    "report_of",
    "retraining_section",
    "sections_to_html",
    "summarise",
    "to_html",
    "to_svg",
    "with_said_labels",
]
