"""What a script tells its router."""

from gatecrash.formats.scripts.routes import routes_in


def test_routes_are_read_as_every_router_has_them() -> None:
    code = """[{path:"/orders/:id",component:a},{path:'admin',loadChildren:()=>b},{name:"x", "path": `notes/:note?`}]"""
    assert routes_in(code) == ["/orders/1", "/admin", "/notes/1"]


def test_what_takes_anything_and_what_is_no_route_is_none() -> None:
    code = """[{path:"*"},{path:"**"},{path:""},{path:"/a b"},{xpath:"/c"},{path:d},{path:"https://e.example/f"}]; cookie="x;path=/g";"""
    assert routes_in(code) == []


def test_each_is_told_once_and_not_more_than_a_few_hundred() -> None:
    assert routes_in('{path:"a"},{path:"/a/"}') == ["/a"]
    assert len(routes_in(",".join(f'{{path:"r{number}"}}' for number in range(1000)))) == 200
