#!/usr/bin/env python3
"""Build the documentation site from the tree, without a network.

Usage: site_docs.py TREE OUT. Writes the pages into OUT-pages, runs Sphinx on them with warnings as errors, checks the
result (check_site.py) and prints the path of the front page. Exit status 77 if Sphinx is not installed.

Every .md file is a page at its own path. Links of pages to other files of the tree become links to pages as well: of a
header to its API reference, of a manual page to its page, of a folder to its README.md or a list of its files, of any other
file to a page that shows it.
Files of docs/site are pages of the site only, at its root. In them,

    <!-- section: PATH#anchor -->   is replaced by the text of that section
    <!-- top: PATH -->              by the text between the title and the line <!-- end of top -->
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import api_docs
import check_site
import man_docs
from check_readme import slug

SITE = "docs/site"
TOOLS = "build/site-tools/bin/python"
SKIPPED = 77
IGNORED = {"build", "dist", "node_modules", "__pycache__"}
CODE = re.compile(r"(^```.*?^```$|`[^`\n]*`)", re.S | re.M)
LINK = re.compile(r"(!?)(\[[^\]]*\])\((?!\w+:|#)([^)\s#]+)(#[^)\s]*)?\)")
INSERT = re.compile(r"^<!-- (section|top): ([^\s#]+)(?:#(\S+))? -->$", re.M)
HEADING = re.compile(r"^(#+) (.*)$", re.M)
REFERENCES = {"include": "api", "docs/man": "command"}
LANGUAGES = {".c": "c", ".h": "c", ".def": "c", ".gpu": "c", ".cpp": "cpp", ".hpp": "cpp", ".py": "python",
             ".f90": "fortran", ".jl": "julia", ".rs": "rust"}


class Fault(Exception):
    """Something in the sources that the site cannot show."""


def section(text, anchor):
    """The text under a heading, without the heading."""
    # headings in code blocks (comments of shells) are not headings
    masked = re.sub(r"^```.*?^```$", lambda match: re.sub(r"[^\n]", " ", match.group()), text, flags=re.S | re.M)
    headings = list(HEADING.finditer(masked))
    for number, heading in enumerate(headings):
        if slug(heading.group(2)) == anchor:
            following = (h.start() for h in headings[number + 1:] if len(h.group(1)) <= len(heading.group(1)))
            return text[heading.end():next(following, len(text))].strip()
    raise Fault(f"no section #{anchor}")


def top(text):
    found = re.match(r"# .*?\n(.*?)^<!-- end of top -->$", text, re.S | re.M)
    if not found:
        raise Fault("no line <!-- end of top -->")
    return found.group(1).strip()


class Site:
    def __init__(self, tree, pages):
        self.tree, self.pages, self.shown = tree, pages, set()

    def write(self, path, text):
        file = self.pages / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def page_of(self, path):
        """The page of the site, relative to its root, for a path of the tree."""
        file = self.tree / path
        if path in REFERENCES:
            return f"{REFERENCES[path]}/index.rst"
        if file.is_dir():
            return self.page_of(f"{path}/README.md") if (file / "README.md").exists() else self.show(path)
        if file.suffix == ".md":
            return path.removeprefix(f"{SITE}/")
        if path.startswith("include/") and file.suffix == ".h":
            return f"api/{file.name}.rst"
        if path.startswith("docs/man/"):
            return f"command/{file.stem}.rst"
        return self.show(path)

    def show(self, path):
        """A page that shows a file, or lists the files of a folder."""
        file = self.tree / path
        page = f"source/{path}/index.rst" if file.is_dir() else f"source/{path}.rst"
        if path in self.shown:
            return page
        self.shown.add(path)
        title = f":orphan:\n:nosearch:\n\n{path}\n{'=' * len(path)}\n\n"
        if file.is_dir():
            files = [f"{path}/{entry.name}" for entry in sorted(file.iterdir()) if entry.is_file()]
            rows = [f"- :doc:`{name} </{self.page_of(name).rsplit('.', 1)[0]}>`" for name in files]
            self.write(page, title + "\n".join(rows) + "\n")
            return page
        language = LANGUAGES.get(file.suffix, "none")
        copied = self.pages / "source" / path
        copied.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, copied)
        self.write(page, f"{title}.. literalinclude:: {file.name}\n   :language: {language}\n")
        return page

    def linked(self, text, source, page):
        """The text of a file of the tree with its links adjusted to the page where it is shown."""
        def link(match):
            image, label, target, anchor = match.groups()
            path = os.path.normpath(source.parent / target)
            if path.startswith("..") or not (self.tree / path).exists():
                raise Fault(f"{source}: no target: {target}")
            if image:
                copied = self.pages / path
                copied.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(self.tree / path, copied)
            to = os.path.relpath(path if image else self.page_of(path), page.parent)
            return f"{image}{label}({to}{anchor or ''})"
        return "".join(piece if number % 2 else LINK.sub(link, piece) for number, piece in enumerate(CODE.split(text)))

    def add(self, path):
        """A Markdown file of the tree."""
        source, page = Path(path), Path(self.page_of(path))
        text = self.linked((self.tree / path).read_text(), source, page)
        if path.startswith(SITE):
            text = INSERT.sub(lambda match: self.inserted(page, *match.groups()), text)
        self.write(page, text)

    def inserted(self, page, kind, path, anchor):
        text = (self.tree / path).read_text()
        try:
            text = section(text, anchor) if kind == "section" else top(text)
        except Fault as fault:
            raise Fault(f"{path}: {fault}") from fault
        return self.linked(text, Path(path), page)


def prepare(tree, pages):
    site = Site(tree, pages)
    for folder, folders, files in os.walk(tree):
        folders[:] = sorted(name for name in folders if name not in IGNORED and not name.startswith(".")
                            and not Path(folder, name, "CMakeCache.txt").exists())
        for name in files:
            if name.endswith(".md"):
                site.add(os.path.relpath(os.path.join(folder, name), tree))
    headers = {file.name: file.read_text() for file in sorted((tree / "include").glob("*.h"))}
    manual = {file.stem: file.read_text() for file in sorted((tree / "docs/man").glob("*.1"))}
    made = api_docs.pages(headers, lambda name: site.show(f"include/{name}").removesuffix(".rst"))
    for path, text in (made | man_docs.pages(manual)).items():
        site.write(path, text)


def python_with_sphinx(tree):
    for python in (tree / TOOLS, sys.executable):
        if Path(python).exists() and not subprocess.run([python, "-c", "import sphinx, myst_parser, furo"],
                                                        stderr=subprocess.DEVNULL, check=False).returncode:
            return python
    return None


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    tree, out = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    pages = out.with_name(out.name + "-pages")
    python = python_with_sphinx(tree)
    if not python:
        print(f"skipped: Sphinx and the packages of {SITE}/requirements.txt are not installed (./dev setup)")
        return SKIPPED
    for folder in (out, pages):
        shutil.rmtree(folder, ignore_errors=True)
    try:
        prepare(tree, pages)
    except (Fault, man_docs.Fault) as fault:
        print(fault)
        return 1
    status = subprocess.run([python, "-m", "sphinx", "-q", "-W", "--keep-going", "-j", "auto", "-c", tree / SITE,
                             "-d", pages / ".doctrees", pages, out], check=False).returncode
    if not status:
        status = check_site.report(tree, out)
    if not status:
        print(out / "index.html")
    return status


if __name__ == "__main__":
    sys.exit(main())
