"""What was decided about paths, as it travels to the nodes."""

import msgspec

from gatecrash.core.inventory.documents import DocumentPaths, HostTemplate


def test_it_travels_without_the_names_of_its_fields_and_comes_back_as_it_was():
    given = DocumentPaths("api.example.com", "/v1", (("GET", "/teas/{tea_id}"), ("POST", "/brew")))
    sent = msgspec.json.encode(given)
    assert sent == b'["api.example.com","/v1",[["GET","/teas/{tea_id}"],["POST","/brew"]]]'
    assert msgspec.json.decode(sent, type=DocumentPaths) == given


def test_templates_of_a_host_have_an_order():
    """The same decisions make the same message, whichever came first."""
    first, second = HostTemplate("", "/b"), HostTemplate("a.example", "/a")
    assert sorted([second, first]) == [first, second]
