# SPDX-License-Identifier: BSD-3-Clause
# links.py - what is wrong with links below a folder of HTML, a line each; then how much was read.
"""links.py FOLDER: each link leads to a page, and a name on it; each page is reached from
index.html; nothing is loaded from elsewhere."""

import os
import posixpath
import sys
from html.parser import HTMLParser


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.names, self.links, self.loaded, self.faults = set(), [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        has = dict(attrs)
        if "id" in has:
            if has["id"] in self.names:
                self.faults.append("two of id " + has["id"])
            self.names.add(has["id"])
        if tag == "a" and "href" in has:
            self.links.append(has["href"])
        elif tag in ("link", "script", "img", "iframe", "source"):
            self.loaded.append(has.get("href") or has.get("src") or "")


def is_elsewhere(address):
    return address.startswith(("https://", "http://", "mailto:"))


def read_pages(folder):
    pages, files = {}, set()
    for at, _, names in os.walk(folder):
        for name in names:
            path = os.path.relpath(os.path.join(at, name), folder)
            files.add(path)
            if name.endswith(".html"):
                with open(os.path.join(folder, path), encoding="utf-8") as file:
                    pages[path] = Page(file.read())
    return pages, files


def target_of(path, address):
    """The page and the name on it that an address of page @path leads to."""
    to, _, name = address.partition("#")
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), to)) if to else path, name


def faults_of(path, pages, files):
    page = pages[path]
    yield from page.faults
    for address in page.loaded:
        if is_elsewhere(address) or target_of(path, address)[0] not in files:
            yield "loads " + (address or "an empty address")
    for address in page.links:
        to, name = target_of(path, address)
        if is_elsewhere(address):
            continue
        if to not in files:
            yield "no page " + address
        elif name and to in pages and name not in pages[to].names:
            yield "no place " + address


def reached(pages):
    found, ahead = set(), ["index.html"]
    while ahead:
        path = ahead.pop()
        if path in pages and path not in found:
            found.add(path)
            ahead += [target_of(path, link)[0] for link in pages[path].links
                      if not is_elsewhere(link)]
    return found


def main(folder):
    pages, files = read_pages(folder)
    for path in sorted(pages):
        for fault in faults_of(path, pages, files):
            print("fault: %s: %s" % (path, fault))
    for path in sorted(set(pages) - reached(pages)):
        print("fault: %s: no way from index.html" % path)
    links = sum(not is_elsewhere(link) for page in pages.values() for link in page.links)
    print("seen: %d pages, %d links" % (len(pages), links))


main(sys.argv[1])
