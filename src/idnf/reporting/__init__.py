"""Models and explanations as pages and pictures."""

from idnf.reporting.html import page, to_html, to_svg
from idnf.reporting.summary import summarise

__all__ = ["page", "summarise", "to_html", "to_svg"]
