"""Which members of data scripts write as markup."""

import time

import pytest

from gatecrash.core.testing.oracles.scripts.members import LONGEST, members_of, texts_in


@pytest.mark.parametrize(
    "code",
    [
        "box.innerHTML = `<b>${note.title}</b>`",
        "box.innerHTML += '<b>' + note.title + '</b>'",
        "box.outerHTML = '<b>' + (note.title || '') + '</b>';",
        "box.insertAdjacentHTML('beforeend', '<li>' + note.title + '</li>');",
        "$('#box').html('<p>' + note.title);",
        "$('#box').append('<li>' + note.title + '</li>');",
        "$list.append(`<li>${note.title}</li>`);",
        "$('<li>' + note.title + '</li>').appendTo(list);",
        "box.innerHTML = notes.map(({ title }) => `<li>${title}</li>`).join('');",
        "const { id, title: shown } = note; box.innerHTML = '<li>' + shown + '</li>';",
        "function row({ title }) { return `<p>${title}</p>`; } box.innerHTML = notes.map(row).join('');",
        "box.innerHTML = `<b>${note.title}</b>`; field.value = note.title;",
        "box.innerHTML = note.title;",
        "box.innerHTML = note?.title",
        "const rows = notes.map(note => `<li class='${note.kind}'>${note.title}</li>`).join('');\nbox.innerHTML = rows;",
        "function row(note) { const mark = 3; return '<td>' + note.title + '</td>'; }\nbox.innerHTML = notes.map(row).join('')",
        "const row = (note) => {\n  return `<td>${note.title}</td>`;\n};\nnotes.forEach(n => { box.innerHTML += row(n); });",
        "box.innerHTML = notes.length ? '<b>' + notes[0].title + '</b>' : '';".replace("notes[0]", "first"),
        "box.innerHTML = `<p>${clean(note.body)}</p><p>${note.title}</p>`",
    ],
)
def test_members_between_elements(code):
    assert members_of([code]) == {("title",)}


@pytest.mark.parametrize(
    "code",
    [
        "box.textContent = note.title",
        "box.innerHTML = `<b>${escape(note.title)}</b>`",
        "box.innerHTML = `<b>${note.title.replace(/</g, '')}</b>`",
        "box.innerHTML = `<b>${note.title}</b>`; other.textContent = note.title;",
        "note.title = cut(note.title); box.innerHTML = `<b>${note.title}</b>`",
        "box.innerHTML = clean(`<b>${note.body}</b>`); const x = sanitizer;",
        "box.innerHTML = html`<b>${note.title}</b>`",
        "box.innerHTML = `<img alt='${note.title}'>`",
        "box.innerHTML = `<a href=${note.title}>`",
        "box.innerHTML = '<textarea>' + note.title + '</textarea>'",
        "box.innerHTML = note.title === 'a' ? '<b>' : ''",
        "box.innerHTML = ''; const mail = `<b>${note.title}</b>`; send(mail);",
        "// box.innerHTML = `<b>${note.title}</b>`",
        'const text = "box.innerHTML = `<b>${note.title}</b>`"',
        "box.innerHTML = '<p>' + error.message + '</p>'",
        "box.innerHTML = title",
        "list.append('<li>' + note.title + '</li>'); box.innerHTML = ''",
        "$('<li>').text(note.title).appendTo(list); box.innerHTML = `<b>${note.title}</b>`",
        "box.innerHTML = notes.map(({ title }) => `<li>${escape(title)}</li>`).join('');",
        "send(({ title }) => title); function head(title) { box.innerHTML = '<h1>' + title + '</h1>'; }",
        "send(({ title }) => 1); const title = 'Tea'; box.innerHTML = '<h1>' + title + '</h1>';",
        "",
    ],
)
def test_others_are_none(code):
    assert members_of([code]) == frozenset()


def test_the_names_above_count_where_they_are_told():
    assert members_of(["box.innerHTML = '<p>' + reply.data.user.name + '</p>'"]) == {("user", "name")}


def test_scripts_of_a_page_are_read_together():
    drawing, asking = "function draw(n) { return '<p>' + n.title; }", "fetch('/api/notes'); box.innerHTML = draw(x)"
    assert members_of([drawing, asking]) == {("title",)}
    assert members_of([drawing, asking, "bar.textContent = n.title"]) == frozenset()
    assert "/api/notes" in texts_in([drawing, asking])


def test_the_pieces_of_templates_are_texts():
    assert {"/api/notes/", "/words"} <= texts_in(["fetch(`${base}/api/notes/${id}/words`)"])


@pytest.mark.parametrize(
    "piece",
    ["x.", "box.innerHTML = ", "'<b>' + x.y + ", "a.b = ", "`${", "\n", "esc", "(", "<", "$(", "{a", "({a})=>a;"],
)
def test_long_scripts_are_read_in_time(piece):
    code = "x.innerHTML = '<b>' + " + piece * (LONGEST // len(piece) - 10)
    began = time.process_time()
    members_of([code])
    assert time.process_time() - began < 20


def test_longer_ones_are_not_read():
    assert members_of(["box.innerHTML = `<b>${note.title}</b>`" + " " * LONGEST]) == frozenset()
