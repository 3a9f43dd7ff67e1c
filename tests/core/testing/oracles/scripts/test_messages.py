"""What another window sends flows into the page where nobody looks at who sent it, and what."""

import pytest

from gatecrash.core.testing.oracles.scripts.flow import Flow
from gatecrash.core.testing.oracles.scripts.messages import message_flow


@pytest.mark.parametrize(
    "code",
    [
        "window.addEventListener('message', function (ev) { el.innerHTML = '<b>' + ev.data.title + '</b>'; });",
        "addEventListener('message', e => { document.write(e.data) })",
        "self.onmessage = async (m) => { const told = JSON.parse(m.data); if (told.kind === 'show') { $('#a').html(told.html); } }",
        "window.addEventListener('message', (e) => { var d = e.data;\nif (d) { eval(d.run.trim()); } }, false);",
    ],
)
def test_a_message_is_written(code):
    assert message_flow(code) is not None


def test_a_flow_names_its_ends():
    assert message_flow("onmessage = e => { eval(e.data) }") == Flow("a message of any other window", "eval")


@pytest.mark.parametrize(
    "code",
    [
        "addEventListener('message', (e) => { if (e.origin !== 'https://a.example') return; el.innerHTML = e.data; })",
        "addEventListener('message', (e) => { if (e.source !== frame) return; el.innerHTML = e.data; })",
        "addEventListener('message', (e) => { if (!known.includes(e.data.view)) return; el.innerHTML = e.data.view; })",
        "addEventListener('message', (e) => { if (e.data === 'a' || e.data === 'b') el.innerHTML = e.data; })",
        "addEventListener('message', (e) => { el.innerHTML = clean(e.data.html); })",
        "addEventListener('message', (e) => { const d = e.data; el.textContent = d.text; })",
        "addEventListener('message', (e) => { let d = e.data; d = clean(d); el.innerHTML = d; })",
        "worker.addEventListener('message', (e) => { el.innerHTML = e.data; })",
        "socket.onmessage = (e) => { el.innerHTML = e.data; }",
        "addEventListener('click', (e) => { el.innerHTML = e.data; }); show('message');",
        "addEventListener('message', (e) => { kept = 1; }); feed.onmessage = (e) => { el.innerHTML = e.data; }",
        "addEventListener('message', show);",
        "addEventListener('message', (e) => { el.innerHTML = e.data;",
    ],
)
def test_no_flow(code):
    assert message_flow(code) is None
