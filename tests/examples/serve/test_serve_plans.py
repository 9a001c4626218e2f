"""Plans of a server: made in a process of their own, followed, cancelled, killed, made again, edited by two."""

import json
import os
import signal
from pathlib import Path
from typing import Any

import httpx
import pytest

from drivecast.document.plan import Plan
from drivecast.document.plan_options import PlanOptions
from drivecast.document.served import PlanComparison, PlanJob
from drivecast.serve.plan_form import command
from served import API, SHORT, Served, planted, serving, start, tiny
from waiting import until

LONG = {"peak_window": 1.0}
"""Options of a plan that takes some seconds."""

QUOTES = "drive,price,currency,date,supplier\nkingston-dc2000b-480gb,1,EUR,2026-01-05,acme\n"
QUOTED = {**SHORT, "quotes": QUOTES, "rates": ["EUR=2"]}
"""A drive for $2."""

pytest_plugins = ["served_once"]


@pytest.fixture(scope="module")
def done(server: Served, trace: str) -> dict[str, Any]:
    """A plan that is made."""
    made = server.ask(
        "POST", "/plans", 202, json={"traces": [trace], "options": QUOTED, "notes": "<b>mine</b>"}
    )
    found = server.ended(f"/plans/{made['id']}")
    assert found["state"] == "done", found
    return found


def ask_plan(server: Served, trace: str, options: dict[str, Any]) -> str:
    return str(server.ask("POST", "/plans", 202, json={"traces": [trace], "options": options})["id"])


def events(server: Served, after: int, subject: str, last: str) -> list[dict[str, Any]]:
    """The events of a subject after a number, up to the first of this name."""
    found: list[dict[str, Any]] = []
    url = f"http://127.0.0.1:{server.port}{API}/events?subject={subject}"
    with httpx.stream("GET", url, headers={"Last-Event-ID": str(after)}, timeout=60) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        event: dict[str, Any] = {}
        for line in answer.iter_lines():
            name, _, value = line.partition(": ")
            if name in ("id", "event", "data"):
                event[name] = value
            elif not line and event.get("event") == "here":
                event = {}
            elif not line and "event" in event:
                found.append({"id": int(event["id"]), "name": event["event"], **json.loads(event["data"])})
                event = {}
                if found[-1]["name"] == last:
                    break
    return found


def test_a_plan_is_the_document_of_the_verb(server: Served, done: dict[str, Any]) -> None:
    job = PlanJob.model_validate(done)
    plan = Plan.check(server.ask("GET", f"/plans/{job.id}/document"))
    assert (job.answer.considered, job.answer.winner) == (plan.counts.considered, plan.winner)
    assert plan.counts.simulated > 0
    assert plan.command == (
        "drivecast plan tiny --capacity 300GB --growth 0% --budget 1300 --drive-losses 0 --peak-window 1"
        " --quotes quotes.csv --rate EUR=2"
    )
    assert plan.workload.name == "tiny"


def test_what_its_report_carries_is_there_alone(server: Served, done: dict[str, Any]) -> None:
    carried = server.ask("GET", f"/plans/{done['id']}/what-if")
    lines = {design["line"] for design in carried["designs"]}
    assert done["answer"]["winner"] in lines
    assert len(server.client.get(f"{API}/plans/{done['id']}/recording").content) > 100
    bare = planted(server.data)
    for what in ("what-if", "recording"):
        assert server.refused(409, "GET", f"/plans/{bare}/{what}")["code"] == "answer"


def test_its_report_can_do_nothing_to_the_server(server: Served, done: dict[str, Any]) -> None:
    answer = server.client.get(f"{API}/plans/{done['id']}/report")
    policy = answer.headers["content-security-policy"]
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "sandbox" in policy
    assert "allow-same-origin" not in policy
    assert "connect-src 'self'" not in policy
    assert "</html>" in answer.text
    attached = server.client.get(f"{API}/plans/{done['id']}/report?download=true")
    assert attached.headers["content-disposition"].startswith("attachment")


def test_events_say_what_happened_and_can_be_caught_up_with(server: Served, done: dict[str, Any]) -> None:
    found = events(server, 0, done["id"], "done")
    names = [event["name"] for event in found]
    assert (names[0], names[1], names[-1]) == ("queued", "running", "done")
    assert "progress" in names
    shares = [event["share"] for event in found if event["name"] == "progress"]
    assert shares == sorted(shares)
    middle = found[len(found) // 2]["id"]
    assert events(server, middle, done["id"], "done") == [event for event in found if event["id"] > middle]


def test_two_edit_one_plan(server: Served, done: dict[str, Any]) -> None:
    place = f"/plans/{done['id']}"
    tag = server.client.get(API + place).headers["etag"]
    assert server.refused(428, "PATCH", place, json={"name": "x"})["code"] == "need-if-match"
    first = server.client.patch(API + place, json={"notes": "hers"}, headers={"If-Match": tag})
    assert (first.status_code, first.json()["notes"]) == (200, "hers")
    second = server.refused(412, "PATCH", place, json={"notes": "his"}, headers={"If-Match": tag})
    assert second["code"] == "changed"
    assert server.ask("GET", place)["notes"] == "hers"
    tag = server.client.get(API + place).headers["etag"]
    assert tag == first.headers["etag"]
    renamed = server.ask("PATCH", place, json={"name": "ours"}, headers={"If-Match": tag})
    assert (renamed["name"], renamed["notes"]) == ("ours", "hers")
    for bad in ("*", '"x"', '"99"', ""):
        assert server.refused(412, "PATCH", place, json={"name": "x"}, headers={"If-Match": bad})
    server.refused(422, "PATCH", place, json={"name": "  "}, headers={"If-Match": renamed and '"3"'})


def test_two_plans_are_compared(server: Served, done: dict[str, Any]) -> None:
    document = server.ask("GET", f"/plans/{done['id']}/document")
    for requirement in document["requirements"]:
        if requirement["name"] == "budget":
            requirement["display"] = "$150"
    first = min(
        (design for design in document["designs"] if design["rank"]), key=lambda design: design["rank"]
    )
    first["headroom"] = 99.0
    other = planted(server.data, plan=json.dumps(document))
    found = PlanComparison.model_validate(
        server.ask("GET", f"/plans/compared?first={done['id']}&second={other}")
    )
    assert {row.name: row.second for row in found.requirements if not row.same} == {"budget": "$150"}
    differing = [design for design in found.designs if design.first != design.second]
    assert [design.line for design in differing] == [first["line"]]
    assert differing[0].second.headroom == 99.0
    for design in document["designs"]:
        design.update(verdict="misses", rank=None)
    none_fits = planted(server.data, plan=json.dumps({**document, "nearest": [first["line"]]}))
    nearest = server.ask("GET", f"/plans/compared?first={none_fits}&second={none_fits}")["designs"]
    assert [design["line"] for design in nearest] == [first["line"]]


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({"capacity": "much"}, "capacity"),
        ({"p99_read": "5"}, "p99_read"),
        ({"drive_losses": 3}, "drive_losses"),
        ({"designs": ["raid1(2 * no-such-drive)"]}, "no-such-drive"),
        ({"designs": ["raid1("]}, "raid1("),
        ({"quotes": "/etc/passwd"}, "quotes"),
        ({"seed": -1}, "seed"),
    ],
)
def test_options_that_cannot_be_are_named(
    server: Served, trace: str, options: dict[str, Any], names: str
) -> None:
    found = server.refused(422, "POST", "/plans", json={"traces": [trace], "options": options})
    assert (found["code"], names in found["reason"]) == ("input", True)


def test_a_plan_of_a_model_needs_one_that_is_accepted(server: Served) -> None:
    names = {model["name"] for model in server.ask("GET", "/models")["models"]}
    assert "tpcc-innodb" in names
    server.refused(404, "POST", "/plans", json={"model": "none-such"})
    server.refused(422, "POST", "/plans", json={"model": "tpcc-innodb", "traces": ["t-1"]})
    plan = server.ask("POST", "/plans", 202, json={"model": "tpcc-innodb"})
    assert (plan["model"], plan["name"]) == ("tpcc-innodb", "tpcc-innodb")
    assert "--accept-model" in server.ended(f"/plans/{plan['id']}")["hint"]
    options = {**SHORT, "accept_model": True, "budget": "1500"}
    plan = server.ask("POST", "/plans", 202, json={"model": "tpcc-innodb", "options": options})
    found = server.ended(f"/plans/{plan['id']}")
    assert found["state"] == "done", found
    document = server.ask("GET", f"/plans/{plan['id']}/document")
    assert document["command"].startswith("drivecast plan tpcc-innodb --capacity 300GB")
    assert "--accept-model" in document["command"]


def test_quoted_prices_count(server: Served, trace: str, done: dict[str, Any]) -> None:
    document = server.ask("GET", f"/plans/{done['id']}/document")
    winner = next(design for design in document["designs"] if design["line"] == document["winner"])
    assert winner["cost"]["purchase"] - winner["cost"]["hosting"] == pytest.approx(2 * winner["count"])
    refused = server.refused(422, "POST", "/plans", json={"traces": [trace], "options": {"quotes": "a\nb\n"}})
    assert refused["reason"].startswith("quotes.csv, line 1")


def test_a_plan_needs_traces_that_are_there(server: Served) -> None:
    server.refused(404, "POST", "/plans", json={"traces": ["t-none"]})
    server.refused(422, "POST", "/plans", json={"traces": []})
    draft = server.upload("a.blktrace", b"x", more=True)
    found = server.refused(409, "POST", "/plans", json={"traces": [draft["id"]]})
    assert found["code"] == "not-ready"
    server.ask("DELETE", f"/traces/{draft['id']}", 204)


def test_a_plan_is_cancelled(server: Served, trace: str) -> None:
    plan, waiting = ask_plan(server, trace, LONG), ask_plan(server, trace, LONG)
    pid = server.working(plan)
    assert server.state(f"/plans/{waiting}") == "queued"
    assert server.refused(409, "DELETE", f"/traces/{trace}")["code"] == "busy"
    assert server.refused(409, "GET", f"/plans/{plan}/document")["code"] == "not-ready"
    for id_ in (waiting, plan):
        assert server.ask("POST", f"/plans/{id_}/cancel")["state"] == "cancelled"
    until(lambda: not Path(f"/proc/{pid}").exists(), "the process is gone")
    assert server.state(f"/plans/{plan}") == "cancelled"
    assert server.refused(409, "POST", f"/plans/{plan}/cancel")["code"] == "busy"
    for id_ in (waiting, plan):
        server.ask("DELETE", f"/plans/{id_}", 204)
    assert not (server.data / "plans" / plan).exists()


def test_a_killed_worker_is_a_failed_plan(server: Served, trace: str) -> None:
    plan = ask_plan(server, trace, LONG)
    os.kill(server.working(plan), signal.SIGKILL)
    found = server.ended(f"/plans/{plan}")
    assert found["state"] == "failed"
    assert "killed" in found["message"]
    assert server.ask("GET", "/about"), "and the server lives"
    assert server.ask("POST", f"/plans/{plan}/again", 202)["state"] in ("queued", "running")
    server.ask("DELETE", f"/plans/{plan}", 204)
    until(lambda: not server.workers(), "a plan that is deleted works no more")


def test_limits_of_a_job_are_sentences(tmp_path: Path) -> None:
    with serving(tmp_path / "data", job_memory_bytes=1_000_000) as server:
        failed = server.upload("tiny.blktrace", tiny(tmp_path))
        found = server.ended(f"/traces/{failed['id']}")
        assert found["state"] == "failed"
        assert "--job-memory" in found["hint"]
    with serving(tmp_path / "slow", job_time_s=0.01) as server:
        failed = server.upload("tiny.blktrace", tiny(tmp_path))
        found = server.ended(f"/traces/{failed['id']}")
        assert (found["state"], "--job-time" in found["message"]) == ("failed", True)


def test_a_restart_marks_what_ran_and_runs_what_waited(tmp_path: Path) -> None:
    """However the server ended, its workers ended with it."""
    server = start(tmp_path / "data")
    trace = server.upload("tiny.blktrace", tiny(tmp_path))["id"]
    ran, waited = ask_plan(server, trace, LONG), ask_plan(server, trace, SHORT)
    draft = server.upload("half.blktrace.0", b"x", more=True)["id"]
    pid = server.working(ran)
    server.process.kill()
    server.end()
    until(lambda: not Path(f"/proc/{pid}").exists(), "the worker has ended")
    again = start(tmp_path / "data")
    assert not (tmp_path / "data/traces" / draft).exists(), "what was half sent is gone"
    found = again.ask("GET", f"/plans/{ran}")
    assert (found["state"], bool(found["message"])) == ("interrupted", True)
    until(lambda: again.state(f"/plans/{waited}") == "running", "what waited is made")
    again.ask("DELETE", f"/plans/{waited}", 204)
    assert again.ask("POST", f"/plans/{ran}/again", 202)["message"] is None
    assert events(again, 0, ran, "interrupted")
    pid = again.working(ran)
    again.end()
    assert again.process.returncode == 0
    assert not Path(f"/proc/{pid}").exists(), "a server that is asked to end leaves no worker behind"


def test_one_server_a_folder(server: Served) -> None:
    from drivecast.errors import InputError  # noqa: PLC0415
    from drivecast.serve import listen  # noqa: PLC0415
    from drivecast.serve.settings import Settings  # noqa: PLC0415

    with pytest.raises(InputError, match="another server uses"):
        listen.run(Settings(server.data, port=0), lambda _host, _port: None)


def test_a_command_says_what_was_chosen() -> None:
    options = PlanOptions(
        designs=("raid1(2 * a)",),
        quotes="drive\n",
        caches=False,
        trimmed=False,
        spread=False,
        where="any",
        interval=0.5,
        power=50,
    )
    assert command(["a b"], options) == (
        "drivecast plan 'a b' --interval 0.5 --power 50 --design 'raid1(2 * a)' --no-caches --where any --no-trim"
        " --quotes quotes.csv --no-spread"
    )
