"""The inventory's first page with any filter, over 50,000 endpoints with 5 parameters each.

Asked over the API as a page asks for it: token, gate, query, total, parameters and JSON included, in this process and
without a server. Each question is asked 15 times; its median counts, and the fastest stands beside it, for the machine may
have other work. Later pages, by cursor and by offset, are shown and not judged.

    python -m bench inventory                       SQLite
    BENCH_DATABASE=postgresql://… python -m bench inventory
"""

import statistics
import time

from bench.counts import database

TARGET = 0.1
ENDPOINTS = 50_000
TIMES = 15
QUESTIONS = (
    "",
    "status=consistent",
    "status=partial",
    "status=missing",
    "status=no_traffic",
    "type=bearer",
    "type=scram",
    "type=none",
    "host=api7.example.com",
    "method=POST",
    "protocol=graphql",
    "path=parts/4999",
    "path=nowhere",
    "seen_since={recent}",
    "public=only",
    "public=without",
    "document=shadow",
    "document=none",
    "badge=new",
    "badge=changed",
    "badge=unused",
    "status=partial&type=hmac&method=GET&path=v1",
    "sort=-requests",
    "sort=-coverage,host",
    "sort=-last_seen",
    "status=missing&sort=-requests,host,path",
)
LATER = ("offset=25000", "cursor={cursor}")


def main() -> None:
    """Measure and print."""
    with database() as kind:
        from django.test import Client

        from bench import filling
        from gatecrash.control import wall
        from gatecrash.control.accounts import services
        from gatecrash.control.api.roles import Role

        client_id = filling.client()
        filling.fill(client_id, endpoints=ENDPOINTS, days=1)
        filling.analyse()
        with wall.client(client_id):
            _, token = services.create_token("bench", Role.VIEWER)
        http = Client(headers={"X-Service-API-Token": token})
        cursor = http.get("/v1/endpoints?limit=1000").json()["body"]["next_cursor"]
        print(f"{kind}: {ENDPOINTS} endpoints with 5 parameters, first page of 50")
        slowest = (0.0, "")
        for question in (*QUESTIONS, *LATER):
            query = question.format(recent=int(time.time()) - 3600, cursor=cursor)
            spent, fastest, total = ask(http, query)
            if question not in LATER:
                slowest = max(slowest, (spent, question))
            print(
                f"  {question or '(no filter)':45} {spent * 1000:7.1f} ms  (fastest {fastest * 1000:.1f})  of {total}"
            )
        print(f"  worst {slowest[0] * 1000:.1f} ms ({slowest[1] or 'no filter'}), target {TARGET * 1000:.0f} ms")


def ask(http: object, query: str) -> tuple[float, float, int]:
    """The median and the least of the seconds that a question takes, and how many match."""
    times = []
    total = 0
    for _ in range(TIMES):
        began = time.perf_counter()
        answer = http.get(f"/v1/endpoints?{query}")  # type: ignore[attr-defined]
        times.append(time.perf_counter() - began)
        assert answer.status_code == 200, answer.content
        total = answer.json()["body"]["total"]
    return statistics.median(times), min(times), total


if __name__ == "__main__":
    main()
