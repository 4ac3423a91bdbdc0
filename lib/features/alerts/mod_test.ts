import { assertEquals } from "@std/assert";
import { openKv, transact } from "../../platform/kv/mod.ts";
import { limitKv } from "../../platform/kv/testing/limited_kv.ts";
import { DAY_MS, HOUR_MS } from "../../base/time.ts";
import { type Alert, createAlerts, type NewAlert, setAlertState } from "./mod.ts";
import { mailAlert } from "./mail_alert.ts";
import type { LostMail } from "../../platform/mail/mod.ts";
import { ALERT_LIFETIME_MS, MOST_REPORTS, restoreAlert } from "./store.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import type { AuditEntry } from "../audit/mod.ts";

const START = Date.parse("2026-03-01T09:00:00Z");
const HASH = "c".repeat(64);
const OTHER = "d".repeat(64);
const ADMIN = "admin@example.org";

async function setup() {
  const kv = limitKv(await openKv(":memory:"));
  const clock = { now: START };
  const alerts = createAlerts({ kv, clock: () => clock.now });
  const report = (problem: string, more: Partial<NewAlert> = {}) =>
    alerts.report({ organisation: "commercial", kind: "mail_failed", problem, ...more });
  return {
    alerts,
    clock,
    report,
    kv,
    /** Reports problems, one per second. */
    async reportAll(problems: string[]) {
      for (const problem of problems) {
        await report(problem);
        clock.now += 1_000;
      }
    },
    /** Marks the open alert of a problem as done, as the feature does when the problem has ended. */
    async resolve(problem: Pick<NewAlert, "organisation" | "kind" | "problem">) {
      const commit = kv.atomic();
      const found = await setAlertState(kv, commit, problem, {
        state: "done",
        by: null,
        now: clock.now,
      });
      await commit.commit();
      return found;
    },
    countUnread: async (organisation: OrganisationKey) =>
      (await alerts.overview(organisation)).unread,
    problems: async (...query: Parameters<typeof alerts.list>) =>
      (await alerts.list(...query)).alerts.map(({ problem }) => problem),
    newest: async (): Promise<Alert> => (await alerts.list("commercial")).alerts[0],
    keys: async () =>
      (await Array.fromAsync(kv.list({ prefix: [] })))
        .map(({ key }) => key).filter(([prefix]) => !String(prefix).startsWith("audit")),
    [Symbol.dispose]: () => kv.close(),
  };
}

Deno.test("restoreAlert() leaves an open alert as it is, and its commit fails if the alert changes before it", async () => {
  using fixture = await setup();
  const { report, kv, newest, clock } = fixture;
  await report("a");
  const { organisation, at, id, state, by, changed_at } = await newest();
  let attempts = 0;
  await transact(async () => {
    const commit = kv.atomic();
    await restoreAlert(kv, commit, { organisation, at, id, state, by, changed_at }, clock.now);
    if (attempts++ === 0) await report("a");
    return { result: undefined, commit: commit.set(["restored"], true) };
  });
  assertEquals(attempts, 2);
  assertEquals((await newest()).count, 2);
});

Deno.test("a problem that is reported again is counted in its open alert, which moves to the top", async () => {
  using fixture = await setup();
  const { report, clock, problems, newest } = fixture;
  await report("a", { links: { record: HASH } });
  clock.now += HOUR_MS;
  await report("b");
  clock.now += HOUR_MS;
  await report("a", { links: { record: OTHER }, details: { reason: "timeout" } });
  assertEquals(await problems("commercial"), ["a", "b"]);
  const { count, at, first_at, state, reports, expires_at } = await newest();
  assertEquals([count, at, first_at, state], [
    2,
    "2026-03-01T11:00:00.000Z",
    "2026-03-01T09:00:00.000Z",
    "unread",
  ]);
  assertEquals(reports.map(({ at, links }) => [at.slice(11, 13), links.record]), [
    ["11", OTHER],
    ["09", HASH],
  ]);
  assertEquals(Date.parse(expires_at), clock.now + ALERT_LIFETIME_MS);
  assertEquals(await fixture.countUnread("commercial"), 2);
});

Deno.test("20 concurrent reports of a problem make one alert with count 20", async () => {
  using fixture = await setup();
  await Promise.all(Array.from({ length: 20 }, () => fixture.report("a")));
  await fixture.report("a");
  const { count, reports } = await fixture.newest();
  assertEquals([count, reports.length], [21, MOST_REPORTS]);
  assertEquals(await fixture.countUnread("commercial"), 1);
  assertEquals(await fixture.problems("commercial"), ["a"]);
});

Deno.test("a report makes a read alert unread again, and adds a new alert after a done one", async () => {
  using fixture = await setup();
  const { alerts, report, clock, newest, problems } = fixture;
  await report("a");
  clock.now += 1_000;
  await alerts.markRead("commercial", ADMIN);
  const read = await newest();
  assertEquals([read.state, read.by, read.changed_at], [
    "read",
    ADMIN,
    "2026-03-01T09:00:01.000Z",
  ]);
  assertEquals(await fixture.countUnread("commercial"), 0);

  clock.now += 1_000;
  await report("a");
  const again = await newest();
  assertEquals([again.id, again.state, again.by, again.count], [read.id, "unread", null, 2]);
  const stale = await alerts.setState(read, "done", ADMIN);
  assertEquals(stale.ok, false);
  assertEquals(await alerts.setState(again, "done", ADMIN), { ok: true, before: "unread" });

  clock.now += 1_000;
  await report("a");
  assertEquals(await problems("commercial"), ["a", "a"]);
  assertEquals([(await newest()).state, (await newest()).count], ["unread", 1]);
});

Deno.test("a done alert can be reopened unless a newer alert has the same problem", async () => {
  using fixture = await setup();
  const { alerts, report, clock, newest } = fixture;
  await report("a");
  await alerts.setState(await newest(), "done", ADMIN);
  const done = await newest();
  assertEquals([done.state, await fixture.countUnread("commercial")], ["done", 0]);
  assertEquals(await alerts.setState(done, "read", ADMIN), { ok: true, before: "done" });
  assertEquals((await newest()).state, "read");
  clock.now += 1_000;
  await report("a");
  assertEquals([(await newest()).id, (await newest()).count], [done.id, 2]);

  await alerts.setState(await newest(), "done", ADMIN);
  const old = await newest();
  clock.now += 1_000;
  await report("a");
  const refused = await alerts.setState(old, "read", ADMIN);
  assertEquals(refused.ok ? "" : refused.error, "conflict");

  const audit = await Array.fromAsync(fixture.kv.list<AuditEntry>({ prefix: ["audit"] }));
  assertEquals(
    audit.map(({ key, value }) => [key[1], value.by, value.action, value.detail]).sort(),
    ["alert_done", "alert_done", "alert_reopened"]
      .map((action) => ["commercial", ADMIN, action, "mail_failed"]),
  );
});

Deno.test("setAlertState() marks the open alert of a problem as done, without an administrator", async () => {
  using fixture = await setup();
  const { report, resolve, newest, reportAll } = fixture;
  await reportAll(["b"]);
  await report("a");
  const problem = { organisation: "commercial", kind: "mail_failed", problem: "a" } as const;
  assertEquals((await resolve(problem))?.state, "unread");
  assertEquals(await resolve(problem), null);
  assertEquals(await resolve({ ...problem, organisation: "foundation" }), null);
  const { state, by, changed_at } = await newest();
  assertEquals([state, by, changed_at], ["done", null, "2026-03-01T09:00:01.000Z"]);
  assertEquals(await fixture.countUnread("commercial"), 1);
});

Deno.test("a commit that found no open alert of a problem fails if one was reported in the meantime", async () => {
  using fixture = await setup();
  const { kv, clock, report } = fixture;
  const problem = { organisation: "commercial", kind: "mail_failed", problem: "a" } as const;
  const commit = kv.atomic();
  const change = { state: "done", by: null, now: clock.now } as const;
  assertEquals(await setAlertState(kv, commit, problem, change), null);
  await report("a");
  assertEquals((await commit.commit()).ok, false);
});

Deno.test("list() filters by state and kind, and continues after its cursor", async () => {
  using fixture = await setup();
  const { alerts, report, reportAll, problems, newest } = fixture;
  await reportAll(Array.from({ length: 6 }, (_, i) => `mail ${i}`));
  await alerts.setState(await newest(), "done", ADMIN);
  await alerts.markRead("commercial", ADMIN);
  await report("pay", { kind: "payment_failed" });
  await report("elsewhere", { organisation: "foundation" });
  const all = ["pay", "mail 5", "mail 4", "mail 3", "mail 2", "mail 1", "mail 0"];
  for (
    const [query, expected] of [
      [{}, all],
      [{ state: "open" }, all.filter((problem) => problem !== "mail 5")],
      [{ state: "unread" }, ["pay"]],
      [{ state: "read", kind: "payment_failed" }, []],
      [{ state: "done" }, ["mail 5"]],
      [{ kind: "mail_failed", limit: 2 }, ["mail 5", "mail 4"]],
    ] as const
  ) {
    assertEquals(await problems("commercial", query), [...expected], JSON.stringify(query));
  }
  const query = { kind: "mail_failed", limit: 4 } as const;
  const first = await alerts.list("commercial", query);
  assertEquals(first.next, { at: first.alerts[3].at, id: first.alerts[3].id });
  const rest = await alerts.list("commercial", { ...query, after: first.next! });
  assertEquals(rest.alerts.map(({ problem }) => problem), ["mail 1", "mail 0"]);
  assertEquals(rest.next, null);
});

Deno.test("an organisation reads and changes only its own alerts", async () => {
  using fixture = await setup();
  const { alerts, report, newest } = fixture;
  await report("a");
  const own = await newest();
  assertEquals(await fixture.problems("foundation"), []);
  assertEquals(await fixture.countUnread("foundation"), 0);
  await alerts.markRead("foundation", ADMIN);
  const refused = await alerts.setState({ ...own, organisation: "foundation" }, "done", ADMIN);
  assertEquals(refused.ok ? "" : refused.error, "not_found");
  assertEquals((await newest()).state, "unread");
});

Deno.test("an alert expires 90 days after its latest report, even while the store still has it", async () => {
  using fixture = await setup();
  const { alerts, report, clock, problems, newest } = fixture;
  await report("a");
  clock.now += 60 * DAY_MS;
  await report("a");
  clock.now += 90 * DAY_MS - 1;
  assertEquals(await problems("commercial"), ["a"]);
  const last = await newest();
  clock.now += 1;
  assertEquals(await problems("commercial"), []);
  assertEquals(await fixture.countUnread("commercial"), 0);
  const refused = await alerts.setState(last, "done", ADMIN);
  assertEquals(refused.ok ? "" : refused.error, "not_found");
  await report("a");
  assertEquals((await newest()).count, 1);
});

Deno.test("recordData.deleteOf() removes what alerts say about one record, in every state", async () => {
  using fixture = await setup();
  const { alerts, report, clock, newest, problems } = fixture;
  await report("only", { links: { record: HASH } });
  await alerts.setState(await newest(), "done", ADMIN);
  clock.now += 1_000;
  await report("both", { links: { record: HASH } });
  clock.now += 1_000;
  await report("both", { links: { record: OTHER } });
  await alerts.recordData.deleteOf(HASH);
  await alerts.recordData.deleteOf(HASH);
  assertEquals(await problems("commercial"), ["both"]);
  const { reports, count } = await newest();
  assertEquals([reports.map(({ links }) => links.record), count], [[OTHER], 2]);
  await alerts.recordData.deleteOf(OTHER);
  assertEquals(await fixture.keys(), [["versions", "commercial", "alerts"]]);
});

Deno.test("overview() shows every change by another process, and lists alerts only after one", async () => {
  using fixture = await setup();
  const { alerts: other, clock, newest } = fixture;
  const report = async (...of: Parameters<typeof fixture.report>) => {
    clock.now++;
    await fixture.report(...of);
  };
  let listed = 0;
  const kv = new Proxy(fixture.kv, {
    get(target, name) {
      if (name === "list") listed++;
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const alerts = createAlerts({ kv, clock: () => clock.now });
  const check = async (unread: number, open: string[]) => {
    const overview = await alerts.overview("commercial");
    assertEquals([overview.unread, overview.open.map(({ problem }) => problem)], [unread, open]);
    const counted = Object.values(overview.kinds).reduce((sum, count) => sum + count, 0);
    assertEquals(counted, open.length);
    const before = listed;
    assertEquals(await alerts.overview("commercial"), overview);
    assertEquals(listed, before);
  };
  const expires_at = new Date(START + DAY_MS).toISOString();
  await kv.set(["alerts_unread", "commercial", new Date(START).toISOString(), "gone"], {
    expires_at,
  });
  await check(1, []);
  await other.markRead("commercial", ADMIN);
  await check(0, []);
  await report("d", { links: { record: HASH } });
  await check(1, ["d"]);
  await other.recordData.deleteOf(HASH);
  await check(0, []);
  await report("a", {
    links: { record: HASH },
    expires_at: new Date(START + HOUR_MS).toISOString(),
  });
  await check(1, ["a"]);
  await report("b");
  await check(2, ["b", "a"]);
  await other.markRead("commercial", ADMIN);
  await check(0, ["b", "a"]);
  await other.setState(await newest(), "done", ADMIN);
  await check(0, ["a"]);
  await other.setState(await newest(), "read", ADMIN);
  await report("a", {
    links: { record: OTHER },
    expires_at: new Date(START + HOUR_MS).toISOString(),
  });
  await check(1, ["a", "b"]);
  await report("c");
  await fixture.resolve({ organisation: "commercial", kind: "mail_failed", problem: "c" });
  await other.recordData.deleteOf(HASH);
  await check(1, ["a", "b"]);
  assertEquals((await alerts.overview("commercial")).open[0].reports.length, 1);
  assertEquals(await alerts.overview("foundation"), { unread: 0, open: [], kinds: {} });
  clock.now = START + HOUR_MS; // one expires
  await check(0, ["b"]);
});

Deno.test("however many alerts of one kind strangers cause, those of other kinds are counted", async () => {
  using fixture = await setup();
  const { alerts, report } = fixture;
  for (let i = 0; i < 130; i++) await report(`${i}`, { kind: "access_requested" });
  await report("origin", { kind: "log_refused" });
  const { kinds, unread } = await alerts.overview("commercial");
  assertEquals([kinds, unread], [{ access_requested: 100, log_refused: 1 }, 100]);
});

Deno.test("many lost offers of documents leave the report of another mail that was lost in its alert", async () => {
  using fixture = await setup();
  const { alerts, clock } = fixture;
  const lost = (id: string, kind: "reply" | "document_issued"): NewAlert =>
    mailAlert(
      { id, reason: "recipient_refused", about: "", kind, sender: "commercial" } as LostMail,
    );
  await alerts.report(lost("reply", "reply"));
  clock.now++;
  for (let i = 0; i < 2 * MOST_REPORTS; i++) await alerts.report(lost(`${i}`, "document_issued"));
  const { alerts: found } = await alerts.list("commercial");
  const reports = found.map(({ count, reports }) => [count, reports.at(-1)!.links.mail]);
  assertEquals(reports, [[2 * MOST_REPORTS, `${MOST_REPORTS}`], [1, "reply"]]);
});
