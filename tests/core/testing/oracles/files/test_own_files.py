"""Files of applications, known by their shape."""

import html
import json

import pytest

from gatecrash.core.testing.oracles.files.own_files import (
    COMPOSER,
    EXPRESS,
    MANIFEST,
    PACKAGE,
    PROPERTIES,
    REQUIREMENTS,
    WEB_XML,
    shows_file,
)

CONTENTS = {
    PACKAGE: json.dumps({"name": "shop", "version": "1.2.0", "dependencies": {"express": "^4"}}, indent=2),
    COMPOSER: '{"require": {"php": "^8.2", "slim/slim": "4.*"}}',
    EXPRESS: "![Express Logo](logo.png)\n\n**A minimalist web framework for Node.**\n",
    REQUIREMENTS: "# of the shop\nflask==3.0.3\nrequests[socks] >= 2.31\n",
    WEB_XML: '<?xml version="1.0"?>\n<web-app version="6.0">\n</web-app>',
    MANIFEST: "Manifest-Version: 1.0\nMain-Class: shop.Main\n",
    PROPERTIES: "# of the shop\nserver.port=8080\nspring.datasource.url=jdbc:h2:mem:shop\n",
}


@pytest.mark.parametrize("file", CONTENTS, ids=lambda file: file.name)
def test_a_file_is_known_as_it_is_escaped_for_html_and_as_a_json_text(file):
    content = CONTENTS[file]
    for shown in (content, f"<pre>{html.escape(content)}</pre>", json.dumps({"text": content})):
        assert shows_file(file, shown)


@pytest.mark.parametrize("file", CONTENTS, ids=lambda file: file.name)
def test_no_file_is_taken_for_another_or_found_in_a_text_about_it(file):
    others = [content for other, content in CONTENTS.items() if other is not file]
    for text in (*others, f"There is no {file.name}.", "Install flask==3.0 or package 1.2, then set server.port."):
        assert not shows_file(file, text)


def test_a_document_without_a_version_is_no_manifest():
    assert not shows_file(PACKAGE, '{"title": "About", "scripts": {"main": "a"}}')


def test_hostile_texts_are_judged_soon():
    for text in ("{" * 50_000, '"version": "1' * 20_000, "<" * 100_000, "a==" * 100_000):
        for file in CONTENTS:
            assert shows_file(file, text) in (True, False)
