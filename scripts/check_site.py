#!/usr/bin/env python3
"""Check the pages of the documentation site as a browser gets them.

Usage: check_site.py TREE SITE. Links to files of the site, and to anchors in them, must have a target; every page must be
reachable from index.html; no page may load anything from another host; every function that a header declares with
TULLE_API must have an entry.
"""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# Attributes that make a browser load something.
LOADS = {("script", "src"), ("link", "href"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("object", "data")}


class Page(HTMLParser):
    def __init__(self, file):
        super().__init__()
        self.anchors, self.links, self.loads = set(), [], []
        self.feed(file.read_text())

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name == "id" or (tag, name) == ("a", "name"):
                self.anchors.add(value)
            elif (tag, name) in LOADS:
                self.loads.append(value or "")
            elif (tag, name) == ("a", "href"):
                self.links.append(value or "")


def resolve(site, file, link):
    """(file, anchor) of a link within the site; None for a link to another host."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return None
    path = unquote(parts.path)
    target = (site / path[1:] if path.startswith("/") else file.parent / path) if path else file
    return target.resolve(), unquote(parts.fragment)


def check_pages(site, pages):
    """Yield links and loads without a target, and pages that no link leads to."""
    seen, waiting = set(), [site / "index.html"]
    while waiting:
        file = waiting.pop()
        if file in seen or file not in pages:
            continue
        seen.add(file)
        for link in pages[file].links + pages[file].loads:
            target = resolve(site, file, link)
            where = file.relative_to(site)
            if target is None:
                if link in pages[file].loads and not link.startswith("data:"):
                    yield f"{where}: loads {link}"
                continue
            path, anchor = target
            if not path.exists():
                yield f"{where}: no target: {link}"
            elif anchor and path in pages and anchor not in pages[path].anchors:
                yield f"{where}: no anchor: {link}"
            waiting.append(path)
    for file in sorted(pages.keys() - seen):
        yield f"{file.relative_to(site)}: not reachable from index.html"


def check_styles(site):
    for file in sorted(site.rglob("*.css")):
        for link in re.findall(r"(?:url\(\s*|@import\s+)[\"']?((?:https?:)?//[^\"')\s]+)", file.read_text()):
            yield f"{file.relative_to(site)}: loads {link}"


def functions(header):
    """Names of what a header declares with TULLE_API, whatever the declaration looks like."""
    text = re.sub(r"/\*.*?\*/", "", header, flags=re.S)
    return [re.split(r"\s*\(", declaration)[0].split()[-1].lstrip("*")
            for declaration in re.findall(r"^(?!#).*\bTULLE_API\s([^;]*);", text, re.M)]


def check_functions(tree, pages):
    anchors = set().union(*(page.anchors for page in pages.values()))
    for header in sorted((tree / "include").glob("*.h")):
        for name in functions(header.read_text()):
            if f"c.{name}" not in anchors:
                yield f"{header.name}: no entry for {name}"


def report(tree, site):
    site = site.resolve()
    pages = {file: Page(file) for file in sorted(site.rglob("*.html")) if "_static" not in file.parts}
    if site / "index.html" not in pages:
        print("no index.html")
        return 1
    faults = [*check_pages(site, pages), *check_styles(site), *check_functions(tree, pages)]
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(report(Path(sys.argv[1]), Path(sys.argv[2])))
