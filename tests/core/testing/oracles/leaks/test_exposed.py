"""What is handed out at well-known names, by its form; pages and the application's own data are none of it."""

import pytest

from gatecrash.core.message import Response
from gatecrash.core.testing.oracles.leaks.exposed import handed_out
from gatecrash.core.testing.oracles.leaks.kinds import PASSWORD


def answer(body: str | bytes, kind: str = "text/plain", status: int = 200) -> Response:
    content = body if isinstance(body, bytes) else body.encode()
    return Response(status, ((b"Content-Type", kind.encode()),), content)


LINE = "2026-11-02 10:00:01,812 INFO  worker started\n"


@pytest.mark.parametrize(
    ("path", "body", "what"),
    [
        ("/.env", "APP_NAME=shop\nAPP_PORT=80\n", "settings"),
        ("/.env", "# first\n\nAPP_NAME=shop\n# next\nAPP_PORT=80\n", "settings"),
        ("/.env.bak", "APP_NAME=shop\nDB_PASSWORD=kf83jd93kd\n", "settings with a password or a key"),
        ("/.htpasswd", "ann:$apr1$x1y2z3w4$abcdefghijklmnopqrstuv\n", "accounts of the web server"),
        (
            "/WEB-INF/web.xml",
            '<?xml version="1.0"?>\n<web-app version="4.0"><servlet/></web-app>',
            "the description of a servlet application",
        ),
        ("/web.config", "<configuration>\n <connectionStrings/></configuration>", "settings"),
        ("/appsettings.json", '{"ConnectionStrings": {"Main": "x"}}', "settings"),
        ("/application.properties", "server.port=80\nspring.datasource.password=x\n", "settings"),
        ("/application.yml", "spring:\n  datasource:\n    url: x\n", "settings"),
        ("/docker-compose.yml", "services:\n  web:\n    image: shop\n", "settings"),
        ("/app.log", LINE + "\tat x\n" + LINE, "a log"),
        ("/app.py.bak", "import os\n\nfrom flask import Flask\n", "source code"),
        ("/app.js.old", "const e = require('express');\n", "source code"),
        ("/.hg/requires", "dotencode\nfncache\nrevlogv1\nstore\n", "version control"),
        ("/backup.zip", b"PK\x03\x04\x14\x00", "an archive"),
        ("/db.sqlite3", b"SQLite format 3\x00\x10", "a database"),
        ("/x", b"JAVA PROFILE 1.0.2\x00", "a dump of the server's memory"),
    ],
)
def test_what_is_handed_out(path, body, what):
    assert handed_out(path, answer(body)).what == what


@pytest.mark.parametrize(
    "body",
    [
        '{"_links":{"self":{"href":"http://h/actuator","templated":false},"env":{"href":"http://h/actuator/env"}}}',
        "<html><head><title>Apache Status</title></head><body>Server Version: x <dt>Server uptime: 3 days</dt>",
        "<html><head>\n<title>/debug/pprof/</title>",
        '{\n"cmdline": ["/srv/app"],\n"memstats": {"Alloc":1}}',
        "<html><head><title>H2 Console</title></head>",
        "Active connections: 3 \nserver accepts handled requests\n 4 4 9 \n",
        "<title>Directory: /files/</title>",
        '<!doctype html>\n<meta name="viewport" content="width=device-width">\n<pre>\n<a href="a.txt">a.txt</a>\n</pre>\n',
    ],
)
def test_what_tells_of_the_server(body):
    assert handed_out("/x", answer(body, "text/html")) is not None


def test_accounts_with_their_passwords():
    assert handed_out("/_debug", answer('[{"username":"ann","password":"lamp-oil"}]', "application/json")) == PASSWORD


@pytest.mark.parametrize(
    ("path", "body", "kind", "status"),
    [
        ("/.env", "APP_NAME=shop\nAPP_PORT=80\n", "text/plain", 403),
        ("/.env", "APP_NAME=shop\nAPP_PORT=80\n", "text/html", 200),
        ("/.env", "not found", "text/plain", 200),
        ("/env", '{"name":"production"}', "application/json", 200),
        (
            "/actuator",
            '{"_links":{"self":{"href":"/actuator"},"health":{"href":"/actuator/health"}}}',
            "application/json",
            200,
        ),
        ("/backup.zip", "<!doctype html><title>Shop</title>", "text/html", 200),
        ("/app.log", "2026-11-02 a diary in one line\n", "text/plain", 200),
        ("/config.json", '{"theme":"dark"}', "application/json", 200),
        ("/metrics", '{"visitors": 7}', "application/json", 200),
        ("/x.bak", "a letter to the editor, as it was\n", "text/plain", 200),
        ("/x", "", "text/plain", 200),
    ],
)
def test_what_is_none_of_it(path, body, kind, status):
    assert handed_out(path, answer(body, kind, status)) is None
