import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { MINUTE_MS } from "../lib/base/time.ts";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { FOUNDATION_ACCOUNT_ID } from "../sandbox/bank_data.ts";
import { ADMIN, type BankSite, BOARD, createBankSite } from "./bank_site.ts";

const COMMERCIAL = "commercial-console";
const PAGE = "/console/finance/limits";

/** A site whose bank sends a changeable balance for its first account. */
async function setUp(env: Record<string, string> = {}) {
  const bank = { balance: 1_000 };
  const fixture = await createBankSite(env, {}, {
    async fetch(...request) {
      const response = await fetch(...request);
      if (!new URL(String(request[0])).pathname.endsWith("/accounts")) return response;
      const body = await response.json();
      body.accounts[0].currentBalance = bank.balance;
      return Response.json(body, { status: response.status });
    },
  });
  const { accounts } = await fixture.site.services.treasuries.commercial.accounts();
  const [{ id }] = accounts;
  const { alerts, jobs } = fixture.site.services;
  return {
    fixture,
    bank,
    id,
    set: (below: string, given: { account?: string; surface?: SurfaceName } = {}) =>
      post(fixture, { account: given.account ?? id, below }, given.surface),
    /** Runs the job after five minutes, with a balance. */
    async pass(balance: number) {
      bank.balance = balance;
      fixture.time.now += 5 * MINUTE_MS;
      await jobs.run("bank");
    },
    alerts: async () =>
      (await alerts.list("commercial", { state: "all" })).alerts.map(({ state, count, by }) =>
        `${state} ${count} ${by}`
      ),
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

const post = async (
  fixture: BankSite,
  form: Record<string, string>,
  surface: SurfaceName = COMMERCIAL,
  email = ADMIN,
) => {
  const response = await fixture.request(surface, PAGE, email, {
    method: "POST",
    headers: { accept: "text/html", "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(form),
  });
  const html = await response.text();
  return { status: response.status, location: response.headers.get("location"), html };
};

Deno.test("a balance that falls below its limit raises one alert, which is resolved 1% above the limit", async () => {
  await using site = await setUp();
  const { location } = await site.set("500");
  assertStringIncludes(location!, `${PAGE}?done=set_limit&of=${site.id}&at=`);
  const saved = await (await site.fixture.request(COMMERCIAL, location!, ADMIN)).text();
  assertMatch(saved, /The limit of Operating is saved.*Alert below \$500\.00/);
  await site.pass(500);
  assertEquals(await site.alerts(), []);
  await site.pass(499.99);
  await site.pass(400);
  assertEquals(await site.alerts(), ["unread 1 null"]);
  await site.pass(504.99);
  assertEquals(await site.alerts(), ["unread 1 null"]);
  await site.pass(505);
  assertEquals(await site.alerts(), ["done 1 null"]);
  await site.pass(499);
  assertEquals(await site.alerts(), ["unread 1 null", "done 1 null"]);
  const { fixture } = site;
  const page = await (await fixture.request(COMMERCIAL, "/console/alerts", ADMIN)).text();
  const words = page.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  assertMatch(
    words,
    /Low balance .* had \$499\.00 on 1 Mar 2026, .*less than its limit of \$500\.00/,
  );
});

Deno.test("setting a limit checks the current balance at once, and changing or removing it resolves the alert", async () => {
  await using site = await setUp();
  await site.set("$1,000.01");
  assertEquals(await site.alerts(), ["unread 1 null"]);
  await site.set("1000");
  assertEquals(await site.alerts(), ["done 1 null"]);
  await site.set("2000");
  await site.set("");
  assertEquals(await site.alerts(), ["done 1 null", "done 1 null"]);
  const { kv } = site.fixture.site.services;
  assertEquals(await Array.fromAsync(kv.list({ prefix: ["balance_limits"] })), []);
  const audit = await (await site.fixture.request(COMMERCIAL, "/console/audit", ADMIN)).text();
  for (const text of ["below 1,000.01", "below 2,000.00", "no limit"]) {
    assertStringIncludes(audit, `<small>${text}</small>`);
  }
  assertMatch(audit, new RegExp(`href="/console/finance/${site.id}">\\w[^<]* ••\\d{4}<`));
});

Deno.test("removing a limit resolves an alert that somebody reopened after the balance was above the limit again", async () => {
  await using site = await setUp();
  await site.set("500");
  await site.pass(499);
  await site.pass(600);
  const { alerts } = site.fixture.site.services;
  const { alerts: [alert] } = await alerts.list("commercial", { state: "all" });
  await alerts.setState(alert, "read", ADMIN);
  await site.pass(600);
  assertEquals(await site.alerts(), [`read 1 ${ADMIN}`]);
  await site.set("");
  assertEquals(await site.alerts(), ["done 1 null"]);
});

Deno.test("a bank that fails, and an alert that somebody marked as done, raise nothing and resolve nothing", async () => {
  await using site = await setUp();
  const { fixture, bank } = site;
  await site.set("500");
  await fixture.withFault({ response: 500 }, () => site.pass(100));
  assertEquals(await site.alerts(), []);
  await site.pass(100);
  await fixture.withFault({ response: 500 }, () => site.pass(900));
  assertEquals(await site.alerts(), ["unread 1 null"]);
  const { alerts } = fixture.site.services;
  const [alert] = (await alerts.list("commercial")).alerts;
  await alerts.setState(alert, "done", ADMIN);
  await site.pass(100);
  assertEquals(await site.alerts(), [`done 1 ${ADMIN}`]);
  // Without the bank, the page shows no form, and a limit cannot be set.
  await fixture.withFault({ response: 500 }, async () => {
    fixture.time.now += 20 * MINUTE_MS;
    const { status, html } = await site.set("600");
    assertEquals([status, html.includes("could not be read")], [502, true]);
  });
  assertEquals(bank.balance, 100);
});

Deno.test("the job's check makes no further request to the bank", async () => {
  await using site = await setUp();
  await site.set("500");
  site.fixture.bankRequests();
  await site.pass(100);
  assertEquals(site.fixture.bankRequests(), { accounts: 2 }); // one per organisation, as before
});

Deno.test("only L1 sets limits, of accounts of its own console, with an amount", async () => {
  await using site = await setUp({ FOUNDATION_ACCOUNT_ID });
  const { fixture, id } = site;
  const board = await post(fixture, { account: id, below: "1" }, COMMERCIAL, BOARD);
  assertEquals(board.status, 403);
  const refused = await site.set("a lot");
  assertEquals(refused.status, 400);
  assertStringIncludes(refused.html, "Enter an amount such as 10,000");
  assertStringIncludes(refused.html, 'value="a lot"');
  const other = await site.set("1", { surface: "foundation-console" });
  assertEquals(other.status, 404);
  const own = { account: FOUNDATION_ACCOUNT_ID, surface: "foundation-console" } as const;
  assertEquals((await site.set("99999999", own)).status, 303);
  const { alerts } = fixture.site.services;
  assertEquals((await alerts.list("foundation")).alerts.map(({ kind }) => kind), ["balance_low"]);
});
