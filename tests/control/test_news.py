"""News reach everybody who listens, once each, and only who asks has them made."""

import pytest

from gatecrash.control import news


def test_everybody_who_listens_hears_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(news, "_hearers", [])
    heard: list[tuple[str, str | None]] = []

    def curious(kind: str, about: news.About) -> None:
        told = about()
        heard.append((kind, told and told.text))

    def incurious(kind: str, _about: news.About) -> None:
        heard.append((kind, None))

    for hear in (curious, incurious, curious):
        news.register(hear)
    news.tell(news.RUN_ENDED, lambda: news.News("It ended.", "/", {}))
    assert heard == [(news.RUN_ENDED, "It ended."), (news.RUN_ENDED, None)]


def test_notifications_listen_from_the_start() -> None:
    from gatecrash.control.notifications import apps

    assert apps._hear in news._hearers
