import { assert, assertEquals, assertFalse } from "@std/assert";
import type { AuditEntry } from "../lib/features/audit/mod.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { limitKv } from "../lib/platform/kv/testing/limited_kv.ts";
import { verifyChains } from "../lib/features/store/reconcile.ts";
import { exportText, importText, rowsOf } from "../lib/features/store/testing/copy.ts";
import type { OrganisationKey } from "../lib/platform/surfaces/mod.ts";
import { DAY_MS, SECOND_MS } from "../lib/base/time.ts";
import { type Case, CASES, OPEN } from "./separation_cases.ts";
import { CONSOLES, type Ids, PEOPLE, SECRETS, separationSite, UNKNOWN } from "./separation_site.ts";

const ORGANISATIONS = ["foundation", "commercial"] as const;
const otherOf = (organisation: OrganisationKey): OrganisationKey =>
  organisation === "foundation" ? "commercial" : "foundation";

const site = await separationSite();
/** The time of all requests, so that responses can be compared. */
const NOW = site.clock.now + 5 * DAY_MS;
const ids: Record<OrganisationKey, Ids> = {
  foundation: await site.fill("foundation", "mirabelle"),
  commercial: await site.fill("commercial", "tamarind"),
};
site.clock.now = NOW;
for (const on of ORGANISATIONS) {
  ids[on].transaction = await site.latestTransaction(on, ids[on].account);
}

Deno.test("export, import and export give the same rows of every feature, and the copy's chains verify", async () => {
  const { kv, chains, migrate } = site.site.services;
  await migrate(); // stores the format
  const text = await exportText({ kv }, NOW);
  using copy = limitKv(await openKv(":memory:"));
  assert((await importText(copy, text, NOW)).ok);
  const rows = rowsOf(text);
  assertEquals(rowsOf(await exportText({ kv: copy }, NOW)), rows);
  const prefixes = new Set(rows.map((row) => JSON.parse(row).key[0]));
  assert(prefixes.size > 40, `only ${prefixes.size} prefixes`);
  const invalid: unknown[] = [];
  await verifyChains({ kv: copy, chains }, (chain) => invalid.push(chain));
  assertEquals(invalid, []);
});

/** The sender of a request: a layer, nobody, or the administrator's session of the other console. */
type Sender = "L1" | "L2" | "nobody" | "other console";
interface Sent {
  status: number;
  headers: Record<string, string>;
  /** The body and the values of the headers, as lowercase text. */
  text: string;
}

async function cookieOf(sender: Sender, on: OrganisationKey): Promise<string | null> {
  if (sender === "nobody") return null;
  if (sender === "other console") return await site.cookie(PEOPLE.L1, CONSOLES[otherOf(on)]);
  return await site.cookie(PEOPLE[sender], CONSOLES[on]);
}

/** Sends the request of a case to a console with the ids of some organisation. */
async function send(on: OrganisationKey, each: Case, sender: Sender, given: Ids): Promise<Sent> {
  const form = each.form?.(given, ids[on]);
  const json = each.json?.(given);
  const headers = new Headers({ accept: json === undefined ? "text/html" : "application/json" });
  const cookie = await cookieOf(sender, on);
  if (cookie !== null) headers.set("cookie", cookie);
  let body: BodyInit | undefined;
  if (json !== undefined) {
    body = JSON.stringify(json);
    headers.set("content-type", "application/json");
  } else if (each.file) {
    const data = new FormData();
    for (const [name, value] of Object.entries(form ?? {})) data.set(name, value);
    data.set("file", new File([each.file === true ? crypto.randomUUID() : each.file], "new.txt"));
    body = data;
  } else if (form !== undefined) body = new URLSearchParams(form);
  if (body !== undefined) {
    headers.set("origin", new URL(site.site.services.surfaces.url(CONSOLES[on])!).origin);
  }
  const method = body === undefined ? "GET" : "POST";
  const path = each.path(given, ids[on]);
  const response = await site.site.request(CONSOLES[on], path, { method, headers, body });
  const fields = Object.fromEntries(response.headers);
  const text = `${JSON.stringify(fields)}\n${await response.text()}`.toLowerCase();
  return { status: response.status, headers: fields, text };
}

const describe = (on: OrganisationKey, each: Case, sender: Sender, given: Ids): string => {
  const body = JSON.stringify(each.form?.(given, ids[on]) ?? each.json?.(given) ?? null);
  return `${sender} of ${on}: ${each.path(given, ids[on])} ${body}`;
};

/** Returns the values of ids that a text contains, except for those that the request contained. */
function leaks(text: string, { marker, ...values }: Ids, request: string): string[] {
  const named = [
    marker,
    ...Object.entries(values).flatMap(([name, value]) =>
      name === "user"
        ? []
        : name === "record" || name === "recovery"
        ? [value, `${value.slice(0, 8)}…`]
        : [value]
    ),
  ];
  const sent = request.toLowerCase();
  return named.map((value) => value.toLowerCase())
    .filter((value) => text.includes(value) && !sent.includes(value.replace("…", "")));
}

/** Returns a response without its nonces and without the ids that it was made from. */
function comparable(
  { status, text }: Sent,
  { marker, record, payment, alert, ...others }: Ids,
): string {
  const values = [marker, record, payment, alert, alert.slice(25), ...Object.values(others)];
  const parts = [
    marker.slice(0, -1),
    payment.slice(0, -1),
    record.slice(0, 20),
    record.slice(0, 8),
  ];
  let rest = text.replaceAll(/"request-id":"[\w-]+"/g, "")
    .replaceAll(/nonce(-|=\\?")[\w+/=-]+/g, "nonce")
    // The id of a new API key, in its form
    .replaceAll(/(name="id" value=)"[0-9a-f]{16}"/g, "$1");
  for (const value of [...values, ...parts].filter(({ length }) => length > 5)) {
    rest = rest.replaceAll(value.toLowerCase(), "ID")
      .replaceAll(value.toLowerCase().replaceAll(/[-_]/g, " "), "ID") // as words to search for
      .replaceAll(String(new URLSearchParams([["", value]])).slice(1).toLowerCase(), "ID");
  }
  return `${status} ${rest}`;
}

/** Asserts that two responses are equal, with the beginning of the first difference. */
function assertSame(actual: string, expected: string, what: string): void {
  if (actual === expected) return;
  let i = 0;
  while (actual[i] === expected[i]) i++;
  const around = (text: string) => text.slice(Math.max(0, i - 60), i + 100);
  assertEquals(around(actual), around(expected), what);
}

const hostOf = (organisation: OrganisationKey) =>
  new URL(site.site.services.surfaces.url(CONSOLES[organisation])!).host;

const isServed = (route: string, on: OrganisationKey) =>
  site.site.services.surfaces.get(CONSOLES[on])!.routes
    .some(({ path, off }) => path === route && off === undefined);

/** All cases of the routes that a console serves. */
const casesOf = (on: OrganisationKey, kinds: Case["kind"][]) =>
  Object.entries(CASES).filter(([route]) => isServed(route, on))
    .flatMap(([, cases]) => cases.filter(({ kind }) => kinds.includes(kind)));

/** Returns what is stored, without what is derived from the bank's data on every visit. */
async function stored(): Promise<Map<string, string>> {
  const { mailer, push } = site.site.services;
  await Promise.all([mailer.flush(), push.flush()]);
  const entries = await site.entries();
  return new Map(
    entries.filter(({ key }) => !key.startsWith('["bank_')).map(({ key, text }) => [key, text]),
  );
}

function assertUnchanged(after: Map<string, string>, before: Map<string, string>): void {
  const keys = new Set([...after.keys(), ...before.keys()]);
  assertEquals([...keys].filter((key) => after.get(key) !== before.get(key)), []);
}

Deno.test("every route of the consoles has a case", () => {
  for (const organisation of ORGANISATIONS) {
    const { routes } = site.site.services.surfaces.get(CONSOLES[organisation])!;
    const known = [...Object.keys(CASES), ...OPEN];
    assertEquals(routes.map(({ path }) => path).sort(), known.sort());
  }
});

for (const on of ORGANISATIONS) {
  const other = otherOf(on);
  const title = `${on} console`;

  Deno.test(`${title}: lists and searches contain the console's own objects only`, async () => {
    site.clock.now = NOW;
    for (const each of casesOf(on, ["list", "find", "object"])) {
      const what = describe(on, each, "L1", ids[on]);
      const sent = await send(on, each, "L1", ids[on]);
      assertEquals(sent.status, 200, what);
      assertEquals(leaks(sent.text, ids[other], what), [], what);
      if (what.includes("infra")) assertFalse(sent.text.includes(hostOf(other)), what);
      if (!each.bare) assert(leaks(sent.text, ids[on], what).length > 0, `${what} shows nothing`);
    }
  });

  Deno.test(`${title}: the other organisation's ids are unknown, and change nothing`, async () => {
    site.clock.now = NOW;
    for (const each of casesOf(on, ["find"])) {
      const what = describe(on, each, "L1", ids[other]);
      const sent = await send(on, each, "L1", ids[other]);
      assertEquals(leaks(sent.text, ids[other], what), [], what);
      const unknown = await send(on, each, "L1", UNKNOWN);
      assertSame(comparable(sent, ids[other]), comparable(unknown, UNKNOWN), what);
    }
    const before = await stored();
    for (const each of casesOf(on, ["object", "action"])) {
      const what = describe(on, each, "L1", ids[other]);
      const sent = await send(on, each, "L1", ids[other]);
      assertEquals(sent.status, 404, what);
      const unknown = await send(on, each, "L1", UNKNOWN);
      assertSame(comparable(sent, ids[other]), comparable(unknown, UNKNOWN), what);
    }
    assertUnchanged(await stored(), before);
  });

  Deno.test(`${title}: board members see no objects, and others nothing`, async () => {
    site.clock.now = NOW;
    const [dashboard] = CASES["/console"];
    for (const sender of ["L2", "nobody", "other console"] as const) {
      await send(on, dashboard, sender, ids[on]); // records the use of the session
    }
    const before = await stored();
    for (const each of casesOf(on, ["list", "find", "object", "action"])) {
      for (const sender of ["L2", "nobody", "other console"] as const) {
        const what = describe(on, each, sender, ids[on]);
        const { status, text } = await send(on, each, sender, ids[on]);
        assertEquals([...leaks(text, ids[on], what), ...leaks(text, ids[other], what)], [], what);
        const allowed = sender !== "L2" ? [302, 303, 401] : each.board ? [200] : [403];
        assert(allowed.includes(status), `${what}: ${status}`);
      }
    }
    assertUnchanged(await stored(), before);
  });

  Deno.test(`${title}: pages that the console does not have return 404`, async () => {
    for (const [route, cases] of Object.entries(CASES)) {
      if (isServed(route, on)) continue;
      for (const each of cases) {
        const { status, text } = await send(on, each, "L1", ids[other]);
        assertEquals(status, 404);
        assertFalse(text.includes(ids[other].marker));
      }
    }
  });
}

Deno.test("a payment event that is signed with the other organisation's secret is refused", async () => {
  for (const on of ORGANISATIONS) {
    const other = otherOf(on);
    const { status } = await site.pay(on, "forged", ids[other].record, SECRETS[other]);
    assertEquals([status, await site.site.services.payments.read(on, "pi_forged")], [400, null]);
  }
});

Deno.test("a record does not show payments that the other organisation's provider reports for it", async () => {
  for (const on of ORGANISATIONS) {
    const { status } = await site.pay(otherOf(on), `stray${on}`, ids[on].record);
    const [page] = CASES["/console/records/:hash"];
    const { text } = await send(on, page, "L1", ids[on]);
    assertEquals([status, text.includes(`stray${on}`)], [200, false]);
    assert(text.includes(`invoice of ${ids[on].marker}`));
  }
});

Deno.test("marking all alerts as read leaves the other organisation's unread", async () => {
  const readAll: Case = {
    kind: "action",
    path: () => "/console/alerts",
    form: () => ({ act: "read" }),
  };
  const { alerts } = site.site.services;
  await send("foundation", readAll, "L1", UNKNOWN);
  assertEquals((await alerts.overview("foundation")).unread, 0);
  assert((await alerts.overview("commercial")).unread > 0);
});

/** Deletes the entries of earlier exports from an audit log. */
async function forgetExports(organisation: OrganisationKey): Promise<void> {
  const { kv } = site.site.services;
  for await (const { key, value } of kv.list<AuditEntry>({ prefix: ["audit", organisation] })) {
    if (value.action.endsWith("_exported")) await kv.delete(key);
  }
}

Deno.test("more objects of one organisation change no page, count, export or chart of the other", async () => {
  for (const on of ORGANISATIONS) {
    // Filters would only show the same objects again.
    const lists = casesOf(on, ["list"]).filter((each) =>
      /^[^?]*$|format=csv|view=charts/.test(each.path(UNKNOWN, UNKNOWN))
    );
    const read = async () => {
      site.clock.now = NOW;
      await forgetExports(on);
      const texts: Record<string, string> = {};
      for (const each of lists) {
        for (const sender of ["L1", "L2"] as const) {
          if (sender === "L2" && !each.board) continue;
          const what = describe(on, each, sender, UNKNOWN);
          site.clock.now++; // so that the order of the exports in the audit log is certain
          texts[what] = comparable(await send(on, each, sender, UNKNOWN), UNKNOWN);
        }
      }
      return texts;
    };
    const before = await read();
    await site.fill(otherOf(on), `second${on}`, { shared: false });
    const after = await read();
    for (const [what, text] of Object.entries(before)) assertSame(after[what], text, what);
  }
});

Deno.test("every action that is refused across the border works on the console's own objects", async () => {
  site.clock.now = NOW;
  for (const on of ORGANISATIONS) {
    for (const each of casesOf(on, ["action"])) {
      site.clock.now += SECOND_MS;
      const { status } = await send(on, each, "L1", ids[on]);
      const what = describe(on, each, "L1", ids[on]);
      assert(each.conflict ? status === 409 : status < 400, `${what}: ${status}`);
    }
  }
});

Deno.test.afterAll(async () => await site[Symbol.asyncDispose]());
