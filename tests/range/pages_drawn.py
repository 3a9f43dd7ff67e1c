"""Notes that a page's own script asks for in JSON and draws, by `innerHTML` and in other ways."""

import html
from collections.abc import Callable
from functools import partial

from gatecrash.core.message import Request, Response
from tests.range.place import Given, Handler, answer, flaw, miss, page, posted, twin

KEPT: dict[str, list[str]] = {}
POLICY = (b"Content-Security-Policy", b"default-src 'self'")


def note(path: str) -> Request:
    return posted(path, b'{"title": "tea"}', b"application/json")


def beside(name: str) -> Callable[[str], Request]:
    return lambda path: Request("GET", f"{path}/{name}".encode())


BESIDE = (beside("list"), beside("notes"))


def drawing(
    script: str, asked: str = "notes", kept: Callable[[str], str] = str, *headers: tuple[bytes, bytes]
) -> Handler:
    """A page whose script does this to `notes`, the list that it asks for at this address beside its own."""

    def handle(given: Given) -> Response:
        place, _, rest = given.request.path.decode().removeprefix("/pages-drawn/").partition("/")
        base = f"/pages-drawn/{place}"
        notes = KEPT.setdefault(place, ["tea"])
        if given.request.method == "POST":
            notes[1:] = [kept(str(given.values["title"]))]
            return answer({"kept": True}, 201)
        if rest == "notes":
            return answer([{"id": number, "title": each} for number, each in enumerate(notes)])
        if rest == "links":
            return answer([{"id": 1, "title": "Kettles", "href": "https://kettles.example/"}])
        asking = f'fetch("{base}/{asked}").then(r => r.json()).then(notes => {{ {script} }});'
        return page(
            f"<div id=box></div><script>const box = document.getElementById('box'); {asking}</script>", 200, *headers
        )

    return handle


def drawn(handler: Handler, name: str) -> Handler:
    handler.__name__, handler.__module__ = name, __name__
    return handler


broken, sound = partial(flaw, "xss", request=note, beside=BESIDE), partial(twin, "xss", request=note, beside=BESIDE)

for _name, _script in {
    "put_together": "notes.forEach(n => { box.innerHTML += '<h3>' + n.title + '</h3>'; });",
    "as_a_template": "box.innerHTML = notes.map(n => `<li data-id='${n.id}'>${n.title}</li>`).join('');",
    "by_a_function": "function row(n) { return '<p>' + n.title + '</p>'; } box.innerHTML = notes.map(row).join('');",
    "in_a_variable": "let all = ''; for (const n of notes) { all += `<p>${n.title}</p>`; } box.innerHTML = all;",
    "written_alone": "const note = notes[1], p = document.createElement('p'); p.innerHTML = note.title; box.append(p);",
    "taken_apart_first": "box.innerHTML = notes.map(({ title }) => `<li>${title}</li>`).join('');",
    "appended_by_jquery": "$('#box').append(notes.map(n => '<li>' + n.title + '</li>').join(''));",
}.items():
    broken()(drawn(drawing(_script), _name))

MARKUP = "box.innerHTML = notes.map(n => `<li>${n.title}</li>`).join('');"
for _name, _handler in {
    "escaped_by_the_script": drawing("box.innerHTML = notes.map(n => `<li>${escapeHtml(n.title)}</li>`).join('');"),
    "formatted_by_the_script": drawing("box.innerHTML = notes.map(n => `<li>${shown(n.title)}</li>`).join('');"),
    "escaped_before": drawing(f"notes.forEach(n => {{ n.title = n.title.replace(/</g, '&lt;'); }}); {MARKUP}"),
    "written_as_text": drawing(
        "for (const n of notes) { const p = document.createElement('p'); p.textContent = n.title; box.append(p); }"
    ),
    "appended_as_a_text": drawing(
        "for (const n of notes) { box.append('<li>' + n.title + '</li>'); } box.innerHTML += '';"
    ),
    "cleaned_as_a_whole": drawing(
        "box.innerHTML = DOMPurify.sanitize(notes.map(n => `<li>${n.title}</li>`).join(''));"
    ),
    "by_a_template_with_a_tag": drawing("box.innerHTML = safe`<li>${notes[1].title}</li>`;"),
    "escaped_as_it_is_kept": drawing(MARKUP, "notes", html.escape),
    "under_a_policy": drawing(MARKUP, "notes", str, POLICY),
    "of_something_else": drawing(MARKUP, "links"),
    "in_a_text_area": drawing("box.innerHTML = '<textarea>' + notes[1].title + '</textarea>';"),
}.items():
    sound()(drawn(_handler, _name))

miss("xss", request=note, beside=BESIDE)(
    drawn(drawing("box.innerHTML = notes.map(n => `<img alt='${n.title}'>`).join('');"), "in_an_attribute")
)
