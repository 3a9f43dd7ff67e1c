"""Which members of data scripts write as markup."""

import time

import pytest

from gatecrash.core.testing.oracles.scripts.members import LONGEST, Draw, draws_of, is_packed, texts_in


def members_of(codes):
    return frozenset(draw.members for draw in draws_of(codes).written)


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


FROM_VENDOR = 'import{j as t,r as s,D as p}from"./vendor.js";'


@pytest.mark.parametrize(
    "code",
    [
        'function C({note:e}){return t.jsxs("p",{children:[e.author,t.jsx("b",{dangerouslySetInnerHTML:{__html:e.title}})]})}',
        'function C({author:e,title:n}){return t.jsxs("p",{children:[e,t.jsx("b",{dangerouslySetInnerHTML:{__html:n}})]})}',
        't("article",null,n.author,t("div",{dangerouslySetInnerHTML:{__html:n.title}}))',
        'const S={setup(e){return(a,o)=>(r(),i("b",S,[t("h4",null,m(e.note.author),1),t("b",{innerHTML:e.note.title},null,8,b)]))}}',
        'function V(a){let n,m=a[0].title+"",q=a[0].author+"";return{m(){n.innerHTML=m},p(c){m!==(m=c[0].title+"")&&(n.innerHTML=m),q!==(q=c[0].author+"")&&w(s,q)}}}',
        'function h(e,t){var l="";q(()=>{l!==(l=t()??"")&&(e.innerHTML=l)})}function M(t){h(i,()=>(p(t()),f(()=>t().title))),w(t().author)}',
        't("<h4></h4>").text(a.author).appendTo(e),t("<div></div>").html(a.title).appendTo(e)',
        'class U{}U.directiveName="unsafeHTML";var y=A(U);Y`<h4>${t.author}</h4><div>${y(t.title)}</div>`',
        "this.html=this.dom.bypassSecurityTrustHtml(e.title),this.by=e.author",
        "function m(e){const n=d.createElement(a);n.textContent=e.author,e.title&&(o.innerHTML=e.title)}",
        'n.insertAdjacentHTML("beforeend","<li>"+e.title+"</li>"),w(e.author)',
        "var x={directives:{innerHTML:t._s(t.note.title)},by:t._s(t.note.author)};",
    ],
)
def test_what_frameworks_are_compiled_to(code):
    assert set(draws_of([FROM_VENDOR + code]).written) == {
        Draw(("title",), frozenset({"author"}), alone_is_enough=False)
    }


@pytest.mark.parametrize(
    "code",
    [
        't.jsx("b",{children:e.title})',
        't.jsx("b",{dangerouslySetInnerHTML:{__html:p(e.title)}})',
        't.jsx("b",{dangerouslySetInnerHTML:{__html:p.parse(e.title)}})',
        't.jsx("b",{dangerouslySetInnerHTML:{__html:l("note.title",{title:1})}})',
        't.jsx("b",{dangerouslySetInnerHTML:{__html:e.__html}})',
        't("b",{innerHTML:p(e.note.title)},null,8,b)',
        't("b",{textContent:e.note.title},null,8,b)',
        't("div").text(e.title)',
        "o.textContent=e.title",
        "function a(e){o.innerHTML=e}function b(n){let e=n.detail;return e}",
        'o.innerHTML="",o.append(e.title)',
    ],
)
def test_what_is_text_or_treated_in_bundles(code):
    assert draws_of([FROM_VENDOR + code]).written == ()


def test_in_bundles_the_use_of_the_same_object_is_told():
    other = (
        'function T({note:e}){return t.jsx("b",{children:[e.title,e.author]})}function R(e){return e.flags&&p(e.title)}'
    )
    doubtful = draws_of([FROM_VENDOR + "o.innerHTML=n.title,n.author;" + other]).doubtful
    assert {each.beside for each in doubtful if each.members == ("title",)} == {
        frozenset({"author"}),
        frozenset({"flags"}),
    }


@pytest.mark.parametrize("name", ["value", "detail", "data", "html"])
def test_names_that_objects_of_browsers_have_too(name):
    (draw,) = draws_of([f"box.innerHTML = note.{name}; head.textContent = note.author"]).written
    assert not draw.alone_is_enough


@pytest.mark.parametrize(
    ("code", "packed"),
    [
        (FROM_VENDOR, True),
        ('(()=>{"use strict";var e={}})()', True),
        ("var ab=1,bc=2;" * 60, True),
        ("const note = await load();\nbox.textContent = note.title;\n" * 20, False),
        ("", False),
    ],
)
def test_what_a_bundler_wrote(code, packed):
    assert is_packed(code) is packed


def test_what_cleans_all():
    code = "box.innerHTML = note.title;"
    assert members_of([code])
    for more in (
        "new Sanitizer()",
        "trustedTypes.createPolicy('default', {})",
        "DOMPurify.sanitize(a)",
        "box.setHTML(b)",
    ):
        assert not members_of([code, more])
    assert members_of([code, "trustedTypes.createPolicy('vue', {})"])


def test_no_beginning_of_a_script_breaks_it():
    code = (
        FROM_VENDOR
        + 'for(const n of l){t("<p>").html(`<b>${n.title}</b>`);const f=async({a:e,...r})=>{return e?.b[0]}}class A{m(){}}'
    )
    for end in range(len(code)):
        draws_of([code[:end] + " innerHTML"])
        draws_of(["innerHTML;" + code[end:]])


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


@pytest.mark.parametrize(
    "code",
    [
        'ask(`{ notes(like: "${word}") { title } }`)',
        "ask('{ notes(like: \"' + box.value + '\") { title } }')",
        "ask(`{ notes(like: \"${words.map(w => w + ' ')}\") { title } }`)",
    ],
)
def test_a_document_that_a_value_is_put_into_is_told_with_an_empty_one(code):
    assert '{ notes(like: "") { title } }' in texts_in([code])
