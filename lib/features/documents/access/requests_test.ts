import { assertEquals } from "@std/assert";
import {
  type AccessRequestRow,
  afterAction,
  listRequestIds,
  listRequests,
  possibleActions,
  REQUEST_KEPT_MS,
  type RequestAction,
  type RequestState,
  saveRequest,
  stateOf,
} from "./requests.ts";
import { openKv } from "../../../platform/kv/mod.ts";
import { raceKv } from "../../../platform/kv/testing/race_kv.ts";
import type { Mailer } from "../../../platform/mail/mod.ts";
import { DAY_MS } from "../../../base/time.ts";
import { accessData } from "./access.ts";

const NOW = Date.parse("2026-03-01T10:00:00Z");
const ACTIONS: RequestAction[] = ["confirm", "approve", "refuse", "revoke"];

/** Every state, the state after each action, and how many days it lasts. */
const TABLE: [
  state: RequestState,
  after: Record<RequestAction, RequestState | null>,
  days: number | null,
][] = [
  ["requested", { confirm: "open", approve: null, refuse: null, revoke: null }, 7],
  ["open", { confirm: null, approve: "approved", refuse: "refused", revoke: null }, 30],
  ["approved", { confirm: null, approve: null, refuse: null, revoke: "revoked" }, 7],
  ["refused", { confirm: null, approve: null, refuse: null, revoke: null }, null],
  ["revoked", { confirm: null, approve: null, refuse: null, revoke: null }, null],
  ["expired", { confirm: null, approve: null, refuse: null, revoke: null }, null],
];

const days = (count: number) => new Date(NOW + count * DAY_MS).toISOString();

/** Returns a request in a state; an expired one is an open one whose time is over. */
const rowIn = (state: RequestState) =>
  ({
    state: state === "expired" ? "open" : state,
    ends_at: state === "expired"
      ? days(0)
      : TABLE.find(([each]) => each === state)![2] === null
      ? null
      : days(1),
  }) as AccessRequestRow;

for (const [state, after, lasts] of TABLE) {
  for (const action of ACTIONS) {
    Deno.test(`${action} in the state ${state} leads to ${after[action] ?? "nothing"}`, () => {
      const row = afterAction(rowIn(state), action, NOW);
      assertEquals(row?.state ?? null, after[action]);
      assertEquals(possibleActions(rowIn(state), NOW).includes(action), after[action] !== null);
    });
  }
  if (lasts !== null && state !== "requested") {
    Deno.test(`${state} lasts ${lasts} days and is kept 90 days longer`, () => {
      const [before, action] = state === "open"
        ? ["requested", "confirm"] as const
        : ["open", "approve"] as const;
      const row = afterAction(rowIn(before), action, NOW)!;
      assertEquals(row.ends_at, days(lasts));
      assertEquals(row.expires_at, days(lasts + REQUEST_KEPT_MS / DAY_MS));
      assertEquals(stateOf(row, NOW + lasts * DAY_MS - 1), state);
      assertEquals(stateOf(row, NOW + lasts * DAY_MS), "expired");
    });
  }
}

Deno.test("a refused and a revoked request stay in their state, and are kept 90 days", () => {
  for (const [from, action] of [["open", "refuse"], ["approved", "revoke"]] as const) {
    const row = afterAction(rowIn(from), action, NOW)!;
    assertEquals([row.ends_at, row.expires_at], [null, days(90)]);
    assertEquals(stateOf(row, NOW + 89 * DAY_MS), row.state);
  }
});

Deno.test("requests that are approved or open are listed, however many newer ones there are", async () => {
  using kv = await openKv(":memory:");
  const save = async (id: string, state: AccessRequestRow["state"], at: number) => {
    const commit = kv.atomic();
    const requested_at = new Date(NOW + at).toISOString();
    const row = { ...rowIn(state), id, document: "d", record: "r", mac: id, requested_at };
    saveRequest(commit, { ...row, confirmed_at: requested_at, expires_at: days(90) }, NOW);
    await commit.commit();
  };
  await save("approved", "approved", 0);
  await save("open", "open", 1);
  for (let i = 0; i < 150; i++) await save(`refused ${i}`, "refused", 2 + i);
  for (let i = 0; i < 30; i++) await save(`stranger ${i}`, "open", 200 + i);
  const ids = (await listRequests(kv, "r", NOW)).map(({ id }) => id);
  assertEquals([ids.length, ids[0], ids.slice(-2)], [100, "stranger 29", ["open", "approved"]]);
});

Deno.test("a request that another process moves on, or deletes, during a move is not moved back", async () => {
  using kv = raceKv(await openKv(":memory:"));
  const mailer = {} as Mailer; // only moves that undo a correction use it
  const data = accessData({ kv, clock: () => NOW, mailer });
  const commit = kv.atomic();
  saveRequest(commit, {
    ...rowIn("open"),
    id: "request",
    document: "d",
    record: "first",
    mac: "m",
    links: [],
    share: null,
    requested_at: days(0),
    confirmed_at: null,
    expires_at: days(90),
  }, NOW);
  await commit.commit();
  const places = async () => {
    const ids = ["first", "second", "third"].map((record) => listRequestIds(kv, record));
    return (await Promise.all(ids)).map((each) => each.length);
  };
  kv.meanwhile("access_requests", async () => {
    await data.move!("first", "second");
    await data.move!("second", "third");
  });
  await data.move!("first", "second");
  assertEquals(await places(), [0, 0, 1]);
  kv.meanwhile("access_requests", () => data.deleteOf!("third"));
  await data.move!("third", "first");
  assertEquals(await places(), [0, 0, 0]);
});
