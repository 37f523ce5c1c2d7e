"""Models and explanations as pages and pictures."""

from idnf.reporting.html import page, to_html
from idnf.reporting.picture import to_svg

__all__ = ["page", "to_html", "to_svg"]
