"""How the documentation is built; `make docs` builds it, warnings being errors."""

import re
import warnings
from importlib.metadata import version as installed

from sphinx.application import Sphinx

project = "idnf"
author = "The idnf developers"
copyright = "the idnf developers, BSD-3-Clause"
release = version = installed("idnf")

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "sphinx_gallery.gen_gallery",
]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
exclude_patterns = ["site"]

myst_heading_anchors = 3

napoleon_google_docstring = False
napoleon_use_param = False
napoleon_use_rtype = False
napoleon_use_ivar = False
autodoc_typehints = "none"
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True}
add_module_names = False
# `word` in a docstring is code, as in Markdown.
default_role = "code"

# Types in docstrings are words; where one is also the name of several attributes, none of them is meant.
suppress_warnings = ["ref.python"]

copybutton_prompt_text = r">>> |\.\.\. "
copybutton_prompt_is_regexp = True

# Warnings in the gallery are shown without the place of the build.
warnings.formatwarning = lambda message, category, *_: f"{category.__name__}: {message}\n"

# Programs of the gallery are run; what their lines give is shown as a notebook would.
sphinx_gallery_conf = {
    "examples_dirs": "../examples/gallery",
    "gallery_dirs": "gallery",
    "filename_pattern": r"\.py$",
    "capture_repr": ("_repr_html_", "__repr__"),
    "within_subsection_order": "FileNameSortKey",
    "min_reported_time": 10_000,
    "image_scrapers": (),
    "reset_modules": (),
    "show_memory": False,
    "show_signature": False,
    "write_computation_times": False,
    "download_all_examples": False,
    "abort_on_example_error": True,
}

html_theme = "furo"
html_title = f"idnf {release}"
html_static_path = ["_static"]
html_css_files = ["idnf.css"]
# Pages are read from a folder or a server without network: no source links, no outside address.
html_show_sourcelink = False
html_copy_source = False
html_show_sphinx = False


def quote_sizes(_app: Sphinx, _what: str, _name: str, _thing: object, _options: object, lines: list[str]) -> None:
    """Write the paper's |D| and ||D|| as code; reStructuredText takes them for substitutions."""
    lines[:] = [re.sub(r"(\|{1,2})D\1", r"``\g<0>``", line) for line in lines]


def close_blocks(_app: Sphinx, _name: str, source: list[str]) -> None:
    """Drop the empty line that ends an example for the tests; a page shows it as a gap."""
    source[0] = re.sub(r"\n\n```$", "\n```", source[0], flags=re.MULTILINE)


def setup(app: Sphinx) -> None:
    """Register what is done to pages and docstrings."""
    app.connect("source-read", close_blocks)
    app.connect("autodoc-process-docstring", quote_sizes)
