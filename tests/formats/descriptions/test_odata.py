"""An OData service's description: what its sets are asked, and what its functions are called with."""

import io
from urllib.parse import unquote

import orjson
import pytest

from gatecrash.formats import opening
from gatecrash.formats.capture import Malformed, UnreadableCapture
from gatecrash.formats.descriptions.odata import read, with_base
from gatecrash.formats.draft import Draft

URL = "http://127.0.0.1:8080/tea/odata/$metadata?x=1"
TYPES = """
<EntityType Name="Named" Abstract="true"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32"/></EntityType>
<EntityType Name="Pot" BaseType="T.Named">
  <Property Name="Label" Type="Edm.String"/><Property Name="Price" Type="Edm.Decimal"/><Property Name="Kind" Type="T.Kind"/>
  <Property Name="Bought" Type="Edm.DateTimeOffset"/><Property Name="Whole" Type="Edm.Boolean"/>
  <Property Name="Tags" Type="Collection(Edm.String)"/><Property Name="Place" Type="T.Place"/>
</EntityType>
<EntityType Name="Line"><Key><PropertyRef Name="OrderID"/><PropertyRef Name="Code"/></Key>
  <Property Name="OrderID" Type="Edm.Int64"/><Property Name="Code" Type="Edm.String"/><Property Name="Cups" Type="Edm.Int16"/>
</EntityType>
<EntityType Name="Count"><Key><PropertyRef Name="ID"/></Key>
  <Property Name="ID" Type="Edm.Guid"/><Property Name="Times" Type="Edm.Int32"/></EntityType>
<EnumType Name="Kind"><Member Name="Clay"/><Member Name="Glass"/></EnumType>
<Function Name="Find" IsBound="true"><Parameter Name="pot" Type="T.Pot"/></Function>
<Function Name="Find"><Parameter Name="name" Type="Edm.String"/><Parameter Name="most" Type="Edm.Int32"/></Function>
<Action Name="Brew"><Parameter Name="sort" Type="Edm.String"/></Action>
"""
OFFERED = """
<EntitySet Name="Pots" EntityType="T.Pot"/><EntitySet Name="Lines" EntityType="T.Line" sap:updatable="false"/>
<EntitySet Name="Counts" EntityType="T.Count" sap:creatable="false"/><Singleton Name="Me" Type="T.Pot"/>
<FunctionImport Name="Find" Function="T.Find"/><ActionImport Name="Brew" Action="T.Brew"/>
<FunctionImport Name="Old" m:HttpMethod="GET"><Parameter Name="name" Type="Edm.String"/></FunctionImport>
"""


def document(offered: str = OFFERED, types: str = TYPES) -> bytes:
    return f"""<?xml version="1.0"?><edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
        <edmx:DataServices><Schema Namespace="T" xmlns="http://docs.oasis-open.org/odata/ns/edm" xmlns:sap="urn:sap" xmlns:m="urn:m">
        {types}<EntityContainer Name="C">{offered}</EntityContainer></Schema></edmx:DataServices></edmx:Edmx>""".encode()


def drafts(offered: str) -> list[Draft]:
    found = list(read(io.BytesIO(with_base(document(offered), URL))))
    assert all(isinstance(each, Draft) for each in found)
    return found  # type: ignore[return-value]


def asked(offered: str) -> list[str]:
    return [f"{each.request.method} {unquote(each.request.target.decode())}" for each in drafts(offered)]


def test_a_set_is_read_filtered_and_changed_below_the_address_that_tells_of_it():
    assert asked('<EntitySet Name="Pots" EntityType="T.Pot"/>') == [
        "GET /tea/odata/Pots",
        "GET /tea/odata/Pots?$filter=Label ne 'example'&$orderby=Label&$top=50",
        "GET /tea/odata/Pots(1)",
        "POST /tea/odata/Pots",
        "PATCH /tea/odata/Pots(1)",
    ]
    (*_, made, changed) = drafts('<EntitySet Name="Pots" EntityType="T.Pot"/>')
    assert (made.request.host, made.request.port) == ("127.0.0.1", 8080)
    sent = {"Label": "example", "Price": 1.5, "Kind": "Clay", "Bought": "2026-01-15T10:30:00Z", "Whole": True}
    assert orjson.loads(made.request.body) == orjson.loads(changed.request.body) == sent
    assert [(hole.name, hole.point, hole.counted) for hole in changed.holes] == [("Potid", ("path", "2", "key"), True)]
    assert made.holes == ()


def test_several_keys_have_their_names_and_what_may_not_be_is_not_asked():
    assert asked('<EntitySet Name="Lines" EntityType="T.Line" sap:updatable="false"/>')[2:] == [
        "GET /tea/odata/Lines(OrderID=1,Code='example')",
        "POST /tea/odata/Lines",
    ]
    (_, _, one, made) = drafts('<EntitySet Name="Lines" EntityType="T.Line" sap:updatable="false"/>')
    assert [(hole.name, hole.point[-1]) for hole in one.holes] == [("LineOrderID", "OrderID"), ("LineCode", "Code")]
    assert orjson.loads(made.request.body) == {"Code": "example", "Cups": 1}


def test_a_set_without_texts_is_asked_by_a_number():
    offered = '<EntitySet Name="Counts" EntityType="T.Count" sap:creatable="false"/>'
    assert asked(offered)[1:3] == [
        "GET /tea/odata/Counts?$filter=Times ne -1&$orderby=Times&$top=50",
        "GET /tea/odata/Counts(3f2b8c1e-5d47-4a6b-9c0e-1a2b3c4d5e6f)",
    ]
    assert not any(line.startswith("POST") for line in asked(offered))


@pytest.mark.parametrize(
    ("offered", "line"),
    [
        ('<FunctionImport Name="Find" Function="T.Find"/>', "GET /tea/odata/Find(name='example',most=1)"),
        ('<ActionImport Name="Brew" Action="T.Brew"/>', "POST /tea/odata/Brew"),
        ('<Singleton Name="Me" Type="T.Pot"/>', "GET /tea/odata/Me"),
        (
            '<FunctionImport Name="Old" m:HttpMethod="GET"><Parameter Name="name" Type="Edm.String"/></FunctionImport>',
            "GET /tea/odata/Old?name='example'",
        ),
    ],
)
def test_what_stands_by_itself_is_called_once(offered: str, line: str):
    assert asked(offered) == [line]


def test_nothing_is_deleted():
    assert not any(line.startswith("DELETE") for line in asked(OFFERED))


def test_what_is_not_described_is_named_with_the_reason():
    found = list(read(io.BytesIO(document('<EntitySet Name="Cups" EntityType="T.Cup"/><Singleton Name="Me"/>'))))
    assert [type(each) for each in found] == [Malformed, Draft]
    assert "EntitySet Cups" in found[0].why  # type: ignore[union-attr]


def test_it_is_known_by_its_first_element():
    capture = opening.opened(io.BytesIO(document()))
    assert (capture.kind, capture.drafted) == ("odata", True)
    assert len(list(capture.items)) == 17
    with pytest.raises(UnreadableCapture):
        opening.opened(io.BytesIO(b"<Edm/>"))


def test_an_address_that_the_document_has_itself_stays():
    told = document().replace(b"<edmx:Edmx ", b'<edmx:Edmx xml:base="/api/" ')
    assert with_base(told, URL) == told
    assert with_base(b"{}", URL) == b"{}"
    (first, *_) = read(io.BytesIO(told))
    assert first.request.target == b"/api/Pots"  # type: ignore[union-attr]
    with pytest.raises(UnreadableCapture, match="where it is"):
        list(read(io.BytesIO(told.replace(b'"/api/"', b'"ftp://a/"'))))
