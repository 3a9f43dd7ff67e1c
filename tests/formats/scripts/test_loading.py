"""Scripts name the further ones that they load."""

from gatecrash.formats.scripts.loading import chunks_of, imported_by, workers_of


def test_imports_are_found_as_bundlers_write_them() -> None:
    code = """import{a as b}from"./one-1F.js";import "../two.mjs";const c=()=>import("./three.js").then(d);import('/four.js')"""
    assert imported_by(code) == ["./one-1F.js", "../two.mjs", "./three.js", "/four.js"]


def test_texts_between_other_quotes_are_addresses_as_well() -> None:
    assert imported_by("const a=()=>import(`./one.js`);import{b}from`./two.js`") == ["./one.js", "./two.js"]


def test_workers_are_found_as_pages_start_them() -> None:
    code = (
        """new Worker('w.js');new SharedWorker("/s.js?v=2", {name: 'x'});navigator.serviceWorker.register('/sw.js')"""
    )
    assert workers_of(code) == ["w.js", "/s.js?v=2", "/sw.js"]
    assert workers_of("new Worker(place);new CoWorker('/a.js');x.register('/b.js')") == []


def test_what_workers_load_is_seen_from_themselves() -> None:
    code = "importScripts('part.js');new Worker(new URL('./w.js', import.meta.url))"
    assert imported_by(code) == ["part.js", "./w.js"]
    assert workers_of(code) == []


def test_packages_variables_and_other_files_are_no_imports() -> None:
    assert (
        imported_by("""import a from "vue";import(b);x.from("./c.js.map");import d from "./e.css";reimport("./f.js")""")
        == []
    )


def test_pieces_are_put_together_from_number_and_hash() -> None:
    code = 'u=e=>"static/js/"+({7:"admin"}[e]||e)+"."+{7:"1f3a",12:"9b0c"}[e]+".chunk.js",p="/"'
    assert chunks_of(code, "/shop/static/js/main.77.js") == [
        "/shop/static/js/admin.1f3a.chunk.js",
        "/shop/static/js/12.9b0c.chunk.js",
    ]


def test_pieces_without_a_folder_stand_beside_the_script() -> None:
    assert chunks_of('u=e=>e+"."+{3:"aa11"}[e]+".js"', "/app/main.js") == ["/app/3.aa11.js"]
    assert chunks_of('x="a"+b;u=e=>e+"."+{3:"aa11"}[e]+".js"', "/app/main.js") == ["/app/3.aa11.js"]
    assert chunks_of('u=e=>e+"."+{3:"aa11"}[e]+".css"', "/app/main.js") == []
