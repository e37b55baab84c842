"""Sphinx settings of the documentation site; scripts/site_docs.py prepares the pages and runs Sphinx."""

project = "tulle"
extensions = ["myst_parser"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
myst_heading_anchors = 6  # as on GitHub
smartquotes = False  # would turn the -- of options into dashes
highlight_language = "none"
# Every page must be reachable from the front page, which scripts/check_site.py checks. Not all are in its menu.
suppress_warnings = ["toc.not_included"]
# The pages list their functions. Entries in the menus would double the time to build the site.
toc_object_entries = False
# One argument per line if a declaration is longer than a line of the header.
c_maximum_signature_line_length = 90

html_theme = "furo"
html_title = "tulle"
html_static_path = ["style.css"]
html_css_files = ["style.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_show_sphinx = False
html_use_index = True
