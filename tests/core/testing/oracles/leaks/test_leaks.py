"""Traces by their frames, secrets by their form; pages that speak of them are none."""

import shutil
import subprocess
import traceback

import pytest
from tests.absent import require

from gatecrash.core.testing.oracles.leaks.leaks import (
    DEBUG,
    DEPLOYED,
    LISTING,
    METRICS,
    SECRET,
    TRACE,
    Leak,
    leaks,
    passages,
)


def test_pythons_own_trace():
    try:
        int("x")
    except ValueError:
        assert Leak(TRACE, "Python") in leaks(traceback.format_exc())


def test_nodes_own_trace():
    require(shutil.which("node"), "node is absent")
    done = subprocess.run(
        ["node", "-e", "throw new Error('x')"], capture_output=True, text=True, timeout=60, check=False
    )
    assert Leak(TRACE, "Node") in leaks(done.stderr)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (TRACE, "java.lang.NullPointerException\n\tat com.shop.Cart.add(Cart.java:17)\n"),
        (TRACE, '{"trace":"x\\n\\tat java.base/java.lang.Long.parseLong(Long.java:692)"}'),
        (TRACE, "<pre>java.lang.RuntimeException: x\n\tcom.shop.Cart.add(Cart.java:17)\n</pre>"),
        (TRACE, "Can't use an undefined value as a HASH reference at /srv/shop/lib/Cart.pm line 17, <DATA> line 3.\n"),
        (TRACE, "no such table: carts at ./shop.pl line 4."),
        (TRACE, "<b>Warning</b>:  Undefined index: q in <b>/var/www/html/a.php</b> on line <b>3</b>"),
        (TRACE, '{"trace":["com.shop.Cart.add(Cart.java:17)","com.shop.Web.post(Web.java:4)"]}'),
        (TRACE, r'{"trace":[{"file":"\/srv\/a.php","line":12,"function":"x"},{"file":"\/srv\/b.php","line":7}]}'),
        (TRACE, "goroutine 1 [running]:\nmain.main()"),
        (DEPLOYED, "DEBUG=false\nDB_PASSWORD=Tr0ub4dor-kiln\n"),
        (DEPLOYED, "MAIL_API_KEY='k9fz31aa0x'\nPORT=80\n"),
        (DEPLOYED, "-- dump\nCREATE TABLE `a` (id int);\nINSERT INTO `a` VALUES (1,'x');\n"),
        (DEPLOYED, "CREATE TABLE public.a (\n  id integer\n);\n\nCOPY public.a (id) FROM stdin;\n1\n"),
        (DEPLOYED, "[core]\n\trepositoryformatversion = 0\n"),
        (DEPLOYED, "ref: refs/heads/main\n"),
        (DEPLOYED, "<?php\n$db = new PDO('x');\n"),
        (DEBUG, '{"env":{"HOME":"/root","PATH":"/usr/local/bin:/usr/bin"}}'),
        (DEBUG, '{"PATH": "/usr/bin:/bin", "LANG": "C"}'),
        (DEBUG, "You're seeing this error because you have DEBUG = True in your\nDjango settings file."),
        (DEBUG, "<title>ValueError: x // Werkzeug Debugger</title>"),
        (SECRET, "key AKIAQWERTYUIOPASDFGH end"),
        (SECRET, "mysql://shop:kh83hfk2@db.internal/shop"),
        (SECRET, "mysql://shop:kh83hfk2@host.docker.internal/shop"),
        (SECRET, '{"name":"ann","password":"5f4dcc3b5aa765d61d8327deb882cf99"}'),
        (SECRET, '{"password_hash":"$2b$12$R9h/cIPz0gi.URNNX3kh2OPST9/PgBkqquzi.Ss7KIUgO2t0jWMUW"}'),
        (SECRET, "pbkdf2_sha256$600000$abcdefgh$Zm9vYmFyYmF6Zm9vYmFyYmF6Zm9v"),
        (LISTING, "<title>Index of /files</title><a href='/'>Parent Directory</a>"),
        (LISTING, '<title>Index of /files/</title><h1>Index of /files/</h1><hr><pre><a href="../">../</a>'),
        (LISTING, "<html><head><title>listing directory /files/</title></head>"),
        (METRICS, "# HELP process_cpu_seconds_total Time.\n# TYPE process_cpu_seconds_total counter\n"),
        (DEPLOYED, '10.0.0.1 - - [01/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200\n' * 2),
    ],
)
def test_what_gives_something_away(kind, text):
    assert kind in {leak.kind for leak in leaks(text)}


@pytest.mark.parametrize(
    "text",
    [
        "Traceback (most recent call last) is how Python begins.",
        "at home (in the kitchen)",
        "<p>Nothing at /a&#39;b</p><footer>11:17:05</footer>",
        "Nobody looked at /shelf/2 since 11:17:05",
        "the key AKIAIOSFODNN7EXAMPLE of the manual",
        "postgres://user:***@localhost/db",
        "postgres://app:kh83hfk2@db.example.com:5432/app",
        "redis://:kh83hfk2@host:6379/0",
        "-----BEGIN PUBLIC KEY-----\nMIIB",
        "Warning: mind the gap on line 3",
        "Index of terms",
        'Like this: 10.0.0.1 - - [01/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200\n',
        "# TYPE tea_cups gauge",
        "export API_KEY=<your key>\nexport PORT=80",
        "DB_PASSWORD=changeme\nDB_HOST=localhost",
        "CREATE TABLE a (id int); is how a table is made",
        '{"PATH": "is a variable", "HOME": "is another"}',
        "the branch is refs/heads/main",
        '{"problems":[{"file":"/src/a.py","line":12,"told":"too long"}]}',
        "see (Cart.java:17)",
        "the mistake is in\n\t(Cart.java:17), or\nCart.add(Cart.java:17)",
        "look at Cart.pm line by line, or at shop.pl line 4 to 9",
    ],
)
def test_what_does_not(text):
    assert leaks(text) == frozenset()


def test_a_passage_is_the_whole_key_and_nothing_behind_it():
    leak, lines = Leak(SECRET, "a private key"), ["MIIE" + letter * 60 for letter in "ab"]
    key = "-----BEGIN PRIVATE KEY-----\n" + "\n".join(lines)
    assert passages(f"{key}\n-----END PRIVATE KEY-----\nasked at noon", leak) == {key}
    assert passages("nothing", leak) == frozenset()
