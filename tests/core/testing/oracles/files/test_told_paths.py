"""Paths in the words of runtimes are read, and none in an application's own."""

import pytest

from gatecrash.core.testing.oracles.files.told_paths import denied_paths, takes_nothing, told_paths


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("<b>Warning</b>:  include(pages/a.php): Failed to open stream: No such file or directory in", "pages/a.php"),
        ("Warning: fopen(x/a): failed to open stream: No such file or directory", "x/a"),
        (
            "file(a) [<a href='function.file'>function.file</a>]: failed to open stream: No such file or directory",
            "a",
        ),
        ('{"error":"ENOENT: no such file or directory, open \'\\/srv\\/a.md\'"}', "/srv/a.md"),
        ("Error: ENOENT: no such file or directory, open &#39;/srv/a.md&#39;", "/srv/a.md"),
        ("FileNotFoundError: [Errno 2] No such file or directory: &#x27;pages/../a.html&#x27;", "pages/../a.html"),
        ("No such file or directory @ rb_sysopen - pages/a.erb", "pages/a.erb"),
        ("java.io.FileNotFoundException: /srv/a.txt (No such file or directory)", "/srv/a.txt"),
        ("<p>Error: /srv/up/../a.txt (No such file or directory)</p>", "/srv/up/../a.txt"),
        ("java.nio.file.NoSuchFileException: /srv/a.txt", "/srv/a.txt"),
        ("open pages/a.tmpl: no such file or directory", "pages/a.tmpl"),
    ],
)
def test_a_runtime_tells_the_path_it_opened(text: str, path: str):
    assert told_paths(text) == (path,)


@pytest.mark.parametrize(
    "text",
    [
        "No such file: ../../a.txt",
        "../../a.txt (No such file or directory)",
        "The file ../../a.txt was not found",
        "include(): open_basedir restriction in effect. File(/a.php) is not within the allowed path(s)",
        "include(/a.php): Failed to open stream: Operation not permitted",
        "openat ../../a: path escapes from parent",
    ],
)
def test_other_words_tell_none(text: str):
    assert told_paths(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "<b>Warning</b>:  file_put_contents(/srv/a): Failed to open stream: Permission denied in",
        "EACCES: permission denied, open '/srv/a'",
        "[Errno 13] Permission denied: &#x27;/srv/a&#x27;",
        "Permission denied @ rb_sysopen - /srv/a",
        "java.io.FileNotFoundException: /srv/a (Permission denied)",
        "java.nio.file.AccessDeniedException: /srv/a",
        "open /srv/a: permission denied",
    ],
)
def test_a_runtime_tells_what_it_may_not_open(text: str):
    assert denied_paths(text) == ("/srv/a",)
    assert told_paths(text) == ()


@pytest.mark.parametrize("text", ["Permission denied: /srv/a", "cat: /srv/a: Permission denied", "permission denied"])
def test_nobody_else_tells_so(text: str):
    assert denied_paths(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        '{"errors":[{"message":"[Errno 22] Invalid argument","path":["save"]}]}',
        "Error: EINVAL: invalid argument, write\n    at writeSync",
        "file_put_contents(): Write of 7 bytes failed with errno=22 Invalid argument in <b>/srv/a.php</b>",
        "Invalid argument @ fptr_finalize_flush - /proc/self/stat",
        "java.io.IOException: Invalid argument",
        "write /proc/self/stat: invalid argument",
    ],
)
def test_a_runtime_tells_of_a_file_that_takes_nothing(text: str):
    assert takes_nothing(text)


@pytest.mark.parametrize(
    "text",
    [
        "[Errno 22] Invalid argument: '/proc/self/stat'",
        "EINVAL: invalid argument, readlink '/proc/self/stat'",
        "Invalid argument @ rb_readlink - /proc/self/stat",
        "Invalid argument",
        "readlink /proc/self/stat: invalid argument",
    ],
)
def test_what_is_only_looked_up_or_refused_in_own_words_takes_what_it_likes(text: str):
    assert not takes_nothing(text)
