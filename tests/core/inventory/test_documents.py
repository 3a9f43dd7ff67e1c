"""The paths of a document travel as they are."""

import msgspec

from gatecrash.core.inventory.documents import DocumentPaths


def test_a_documents_paths_come_back_as_they_were():
    paths = DocumentPaths("api.example.com", "/v1", (("GET", "/teas/{tea_id}"),))
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(paths), type=DocumentPaths) == paths
