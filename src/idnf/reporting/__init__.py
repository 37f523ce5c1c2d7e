"""Models and explanations as pages and pictures."""

from idnf.reporting.html import page, to_html
from idnf.reporting.notebook import notebook_html
from idnf.reporting.picture import to_svg
from idnf.reporting.summary import summarise

__all__ = ["notebook_html", "page", "summarise", "to_html", "to_svg"]
