"""Values with their names, as pages show them."""

import pytest

from gatecrash.core.testing.oracles.pages.labelled import labelled


@pytest.mark.parametrize(
    ("page", "shown"),
    [
        ("<dl><dt>Mail</dt><dd>a@x.example</dd><dt>Card:</dt><dd>4000</dd></dl>", [("mail", "a@x.example"), ("card", "4000")]),
        ("<table><tr><th>Balance</th><td>12 &euro;</td></tr><tr><th>IBAN</th><td>NO1</td></tr></table>",
         [("balance", "12 €"), ("iban", "NO1")]),
        ("<table><tr><th>Id</th><th>Owner</th></tr><tr><td>7</td><td>ann</td></tr><tr><td>8</td><td>ben</td></tr></table>",
         [("id", "7"), ("owner", "ann"), ("id", "8"), ("owner", "ben")]),
        ("<form><label>Phone</label><input name='tel' value='0123'><input type=hidden name=csrf value=x1></form>",
         [("tel", "0123")]),
        ("<p>Salary: 5100</p><li><b>Address:</b> High Street 5</li>", [("salary", "5100"), ("address", "High Street 5")]),
        ("<form><label>Income</label><input name=income><label>From</label><select><option>Graz</select><button>Save</button></form>",
         []),
        ("<a href='/bal'><b>Balance</b></a> - What it means.<a href='/mail'><b>Mail</b></a> a@x.example<p><b>Income</b> - 5100",
         [("mail", "a@x.example"), ("income", "- 5100")]),
        ("<table><tr><td>Role:</td><td>member</td></tr><tr><td>Town<td>Voss<tr><td>7</td><td>tea</td></tr></table>",
         [("role", "member"), ("town", "Voss")]),
        ("<table><tr><td>tea</td><td>3</td><td>ann</td></tr><tr><td>What is new today, and more of it?</td><td>no</td></tr><tr><td>a</td></tr></table>",
         []),
        ("<p>Nothing is named here</p><a href='/x'>more</a>", []),
        ("", []),
    ],
    ids=["definitions", "rows with a head each", "a head for all rows", "fields", "a form to fill in", "lines", "an index of pages", "two plain cells", "other cells", "prose", "nothing"],
)  # fmt: skip
def test_values_are_found_with_their_names(page: str, shown: list[tuple[str, str]]) -> None:
    assert [tuple(each) for each in labelled(page)] == shown


def test_a_hostile_page_is_read_in_bounds() -> None:
    assert len(labelled("<dt>a<dd>b" * 50_000)) == 2000
