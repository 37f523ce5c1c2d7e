"""Pictures of models as SVG, and text that is inert inside a page."""
