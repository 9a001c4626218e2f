"""TPC-C's own consistency conditions (clause 3.3.2) on our load, as loaded and after a run, and the mix of 5.2.3."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import psycopg
import pytest

import database_place
from drivecast.bench.database import tpcc
from drivecast.bench.database.directory import choose, made
from drivecast.bench.database.generator import Run
from drivecast.bench.database.postgresql import DATABASE, USER, PostgreSQL
from drivecast.bench.database.server import Running, run_whole, running
from drivecast.bench.database.tuning import MIB, Tuning
from needs import needs

LOAD = tpcc.ours(warehouses=3, scale=0.02)
CUSTOMERS = 60
ITEMS = 2000

# Each gives the rows that break it.
CONDITIONS = {
    1: "SELECT 1 FROM warehouse WHERE w_ytd <> (SELECT SUM(d_ytd) FROM district WHERE d_w_id = w_id)",
    2: """SELECT 1 FROM district WHERE d_next_o_id - 1 <>
          (SELECT MAX(o_id) FROM orders WHERE o_w_id = d_w_id AND o_d_id = d_id) OR d_next_o_id - 1 <>
          (SELECT MAX(no_o_id) FROM new_orders WHERE no_w_id = d_w_id AND no_d_id = d_id)""",
    3: """SELECT 1 FROM new_orders GROUP BY no_w_id, no_d_id
          HAVING MAX(no_o_id) - MIN(no_o_id) + 1 <> COUNT(*)""",
    4: """SELECT 1 FROM (SELECT o_w_id, o_d_id, SUM(o_ol_cnt) AS told FROM orders GROUP BY o_w_id, o_d_id) AS o
          WHERE told <> (SELECT COUNT(*) FROM order_line WHERE ol_w_id = o_w_id AND ol_d_id = o_d_id)""",
    5: """SELECT 1 FROM orders LEFT JOIN new_orders ON no_w_id = o_w_id AND no_d_id = o_d_id AND no_o_id = o_id
          WHERE (o_carrier_id IS NULL) <> (no_o_id IS NOT NULL)""",
    6: """SELECT 1 FROM orders WHERE o_ol_cnt <>
          (SELECT COUNT(*) FROM order_line WHERE ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id)""",
    7: """SELECT 1 FROM order_line JOIN orders ON ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id
          WHERE (ol_delivery_d IS NULL) <> (o_carrier_id IS NULL)""",
    8: "SELECT 1 FROM warehouse WHERE w_ytd <> (SELECT SUM(h_amount) FROM history WHERE h_w_id = w_id)",
    9: """SELECT 1 FROM district WHERE d_ytd <>
          (SELECT SUM(h_amount) FROM history WHERE h_w_id = d_w_id AND h_d_id = d_id)""",
    12: """SELECT 1 FROM customer WHERE c_balance + c_ytd_payment <> COALESCE(
          (SELECT SUM(ol_amount) FROM orders JOIN order_line ON ol_w_id = o_w_id AND ol_d_id = o_d_id
           AND ol_o_id = o_id WHERE o_w_id = c_w_id AND o_d_id = c_d_id AND o_c_id = c_id
           AND ol_delivery_d IS NOT NULL), 0)""",
}


@dataclass(frozen=True)
class Asked:
    """A server with the data, and how to ask it."""

    started: Running

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(host=str(self.started.place.work), user=USER, dbname=DATABASE) as connection:
            return connection.execute(sql).fetchall()  # type: ignore[call-overload,no-any-return]


@pytest.fixture(scope="module")
def asked() -> Iterator[Asked]:
    needs("sysbench", "postgres")
    server = PostgreSQL()
    with database_place.target() as (on, _environment), made(on, None, choose(on, server.accounts)) as place:
        server.create(place)
        with running(server, place, Tuning(64 * MIB, 96 * MIB, 2), 16) as started:
            LOAD.bring(place)
            for argv in LOAD.prepare(server, place, 2):
                run_whole(argv, place, "loading")
            yield Asked(started)


def broken(asked: Asked) -> dict[int, int]:
    found = {number: len(asked.rows(sql)) for number, sql in CONDITIONS.items()}
    return {number: rows for number, rows in found.items() if rows}


def test_the_data_are_whole_before_and_after_a_run(asked: Asked) -> None:
    counts = {
        "warehouse": 3,
        "district": 30,
        "customer": 30 * CUSTOMERS,
        "orders": 30 * CUSTOMERS,
        "history": 30 * CUSTOMERS,
        "new_orders": 30 * CUSTOMERS * 3 // 10,
        "item": ITEMS,
        "stock": 3 * ITEMS,
    }
    found = {name: asked.rows(f"SELECT COUNT(*) FROM {name}")[0][0] for name in counts}  # noqa: S608
    assert found == counts
    lines = asked.rows("SELECT COUNT(*) FROM order_line")[0][0]
    assert lines == pytest.approx(10 * counts["orders"], rel=0.05)
    assert broken(asked) == {}
    assert asked.rows(CONDITIONS[1].replace("<>", "=")), "the conditions look at nothing"

    run = Run(4, 0, 4, 1)
    server, place = asked.started.server, asked.started.place
    told = LOAD.read(run_whole(LOAD.argv(server, place, run), place, "run"), place, run)
    assert broken(asked) == {}
    kinds = told.kinds or {}
    whole = sum(kinds.values())
    shares = {"new-order": 45, "payment": 43, "order-status": 4, "delivery": 4, "stock-level": 4}
    for name, percent in shares.items():
        expected = whole * percent / 100
        assert abs(kinds[name] - expected) < 4.5 * (expected * (1 - percent / 100)) ** 0.5 + 1, kinds
    assert asked.rows("SELECT MAX(d_next_o_id) FROM district")[0][0] > CUSTOMERS + 1
    # One new order in a hundred is taken back; all others are there.
    added = asked.rows("SELECT COUNT(*) FROM orders")[0][0] - counts["orders"]
    assert 0.93 * kinds["new-order"] < added <= kinds["new-order"]
