import { assert, assertEquals, assertInstanceOf, assertStringIncludes } from "@std/assert";
import { RUNBOOK } from "../lib/features/alerts/runbook.ts";
import { STORE_ALERTS } from "../lib/features/alerts/store_conditions.ts";
import { renderMarkdown } from "../lib/features/standard/mod.ts";
import { RUNBOOK_TEXT } from "../lib/features/alerts/mod.ts";
import { HOUR_MS, MINUTE_MS } from "../lib/base/time.ts";
import { operators } from "../lib/features/operators/mod.ts";
import { logHalted } from "../lib/features/log/store/tables.ts";
import { openKv, rulesOf, StoreUnavailableError } from "../lib/platform/kv/mod.ts";
import { limitKv } from "../lib/platform/kv/testing/limited_kv.ts";
import { ADMIN, createBankSite } from "./bank_site.ts";

const MAIL_API = "https://mail.example/send";
/** An administrator in a store that somebody put in the place of ours. */
const THIEF = "thief@example.org";
const HEARTBEAT = "https://monitor.example/ping/f3b1";

interface Received {
  to: string;
  subject: string;
  text: string;
}

/** A site at night: nobody opens a page, and every minute each process looks and runs the jobs that are due. */
async function night() {
  const outside = { mail: "works" as "works" | "down", mails: [] as Received[], beats: 0 };
  const store = { hangs: false };
  const kv = limitKv(await openKv(":memory:"));
  const get = kv.get.bind(kv);
  Object.assign(kv, {
    get: (...args: Parameters<Deno.Kv["get"]>) =>
      store.hangs ? Promise.reject(new Error("no response")) : get(...args),
  });
  const fixture = await createBankSite(
    {
      ...{ MAIL_TRANSPORT: "http", MAIL_API_URL: MAIL_API, MAIL_API_KEY: "mail-key-1234" },
      HEARTBEAT_URL: HEARTBEAT,
    },
    {},
    {
      kv,
      log: () => {},
      fetch: async (input, init) => {
        const request = new Request(input, init);
        if (request.url === HEARTBEAT) outside.beats++;
        else if (request.url !== MAIL_API) return await fetch(request);
        else if (request.method === "POST" && outside.mail === "works") {
          outside.mails.push(await request.json());
        }
        const status = request.url === MAIL_API && outside.mail === "down" ? 503 : 200;
        return new Response(null, { status });
      },
    },
  );
  const { services } = fixture.site;
  await services.store.claim();
  return {
    ...{ fixture, services, kv, outside, store },
    /** Lets minutes pass until a mail arrives, at most `most`. Returns after how many it did, and who got what. */
    async untilTold(most: number, { jobs = [] as string[] } = {}) {
      outside.mails = [];
      for (let minute = 0; minute <= most; minute++) {
        if (minute % 5 === 0) { for (const job of jobs) await services.jobs.run(job); }
        await services.alertWatch.tick();
        if (outside.mails.length > 0) {
          return {
            minute,
            told: outside.mails.map(({ to, subject }) => `${to} ${subject.split(": ")[1]}`),
          };
        }
        fixture.time.now += MINUTE_MS;
      }
      return { minute: null, told: [] };
    },
    async beats(minutes: number) {
      outside.beats = 0;
      for (let minute = 0; minute < minutes; minute++) {
        await services.alertWatch.tick();
        fixture.time.now += MINUTE_MS;
      }
      return outside.beats;
    },
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

Deno.test("each urgent kind of alert has a section of the runbook with its name, and each section a kind", async () => {
  await using fixture = await createBankSite();
  const urgent = Object.values(fixture.site.services.alertKinds)
    .flatMap(({ severity, name }) => severity === "now" ? [name] : []);
  const hint =
    "Each urgent kind needs a section in docs/ops/urgent.md, or its email has no first step.";
  assertEquals([...RUNBOOK.keys()].sort(), urgent.sort(), hint);
  const { headings } = renderMarkdown(RUNBOOK_TEXT);
  assertEquals(headings.map(({ id }) => id), Array.from(RUNBOOK.values(), ({ anchor }) => anchor));
  for (const { title, meaning, first, well } of RUNBOOK.values()) {
    for (const text of [meaning, first, well]) {
      assert(
        text.length > 30 && text.endsWith(".") && !/[`\n]|\]\(/.test(text),
        `${title}: ${text}`,
      );
    }
  }
});

Deno.test("the runbook opens on a console for somebody who cannot sign in, without links to files", async () => {
  await using site = await night();
  site.store.hangs = true;
  const page = await site.fixture.request("commercial-console", "/runbook", null);
  const html = await page.text();
  assertEquals(page.status, 200);
  assertStringIncludes(html, 'id="store-does-not-respond"');
  assert(!/href="[^"]*\.md/.test(html));
  site.store.hangs = false;
});

Deno.test("an urgent alert of any kind is mailed within a minute, with the first step and a link, and only once", async () => {
  await using site = await night();
  const { services, fixture, outside } = site;
  // Those about the store end as soon as the process finds that the store works.
  const urgent = Object.entries(services.alertKinds).filter(([kind, { severity }]) =>
    severity === "now" && !(kind in STORE_ALERTS)
  );
  const problem = { organisation: "commercial", problem: "x" } as const;
  const details = { name: "Ada Secret", response: "https://evil.example", found: "1 GiB free" };
  for (const [kind, { name }] of urgent) {
    fixture.time.now += HOUR_MS; // some have the same cause
    await services.alerts.report({ ...problem, kind, details });
    const { minute } = await site.untilTold(10);
    assert(minute !== null && minute <= 5, `${kind} after ${minute}`);
    const [{ to, subject, text }, ...others] = outside.mails;
    const section = RUNBOOK.get(name)!;
    assertEquals([to, others], [ADMIN, []]);
    assertStringIncludes(subject, `Act now: ${name}`);
    assertStringIncludes(text, section.first);
    assertStringIncludes(text, `/runbook#${section.anchor}`);
    assert(!text.includes("evil.example") && !JSON.stringify(outside.mails).includes("mail-key"));
    const alert = (await services.alerts.list("commercial")).alerts.find((one) =>
      one.kind === kind
    )!;
    await services.alerts.setState({ ...alert, organisation: "commercial" }, "done", ADMIN);
    assertEquals((await site.untilTold(10)).told, []);
  }
});

Deno.test("a fault at night is mailed to administrators without an open console, and the outside monitor reports the rest", async () => {
  await using site = await night();
  const { services, fixture, kv, outside, store } = site;
  assertEquals(await site.beats(5), 5);

  // The log halts; the next measurement finds it.
  await kv.set(logHalted.key(), {
    ...{
      at: new Date(fixture.time.now).toISOString(),
      by: "anchor",
      checkpoint: "c",
      response: "r",
    },
  });
  const health = { jobs: ["health"] };
  const halted = await site.untilTold(20, health);
  assertEquals(halted, { minute: 0, told: [`${ADMIN} Public log halted`] });
  await kv.delete(logHalted.key());

  // The bank rejects the token, twice.
  await fixture.withFault({ response: 401 }, async () => {
    const rejected = await site.untilTold(20, { jobs: ["bank"] });
    assertEquals(rejected.told[0], `${ADMIN} Bank token rejected`);
    assert(rejected.minute! <= 10);
  });

  // Another store is in the place of ours. Nothing of it is read, and nothing can be written.
  const { value: marker } = await kv.get(["store"]);
  await kv.set(["store"], { ...marker as object, id: "another" });
  const commit = kv.atomic();
  operators.put(commit, ["commercial", THIEF], {
    ...{ email: THIEF, layer: "L1", invited_by: THIEF },
    ...{ sessions_from: "2026-01-01T00:00:00.000Z", added_at: "2026-01-01T00:00:00.000Z" },
  });
  await commit.commit();
  fixture.time.now += HOUR_MS;
  const changed = await site.untilTold(20);
  assertEquals(changed, { minute: 0, told: [`${ADMIN} Store has changed`] });
  assertEquals(await site.beats(3), 0);
  await kv.delete(operators.key("commercial", THIEF));
  // Meanwhile our witness sees a fork, which no store accepts.
  await services.alerts.reportAnyway([{
    ...{ organisation: "foundation", kind: "log_forked", problem: "origin" },
    details: { origin: "log.example/log" },
  }]).catch((error) => assertInstanceOf(error, StoreUnavailableError)); // a KV server refuses reads, too
  assertEquals((await site.untilTold(5)).told, [`${ADMIN} Log forked`]);
  assertStringIncludes(outside.mails[0].text, "Found: log.example/log\n");
  await kv.set(["store"], marker);

  // The disk is full.
  fixture.time.now += HOUR_MS;
  rulesOf(services.kv).onWrite("disk_full");
  assertEquals((await site.untilTold(20)).told, [`${ADMIN} Disk full`]);
  assertEquals(await site.beats(3), 0);
  rulesOf(services.kv).onWrite(null);

  // The store does not respond.
  fixture.time.now += HOUR_MS;
  await services.alertWatch.tick();
  store.hangs = true;
  const silent = await site.untilTold(20);
  assertEquals(silent, { minute: 2, told: [`${ADMIN} Store does not respond`] });
  // Each reason has another remedy, and the store cannot be asked.
  assertStringIncludes(outside.mails.at(-1)!.text, "Found: it reports errors");
  assertEquals(await site.beats(3), 0);
  store.hangs = false;
  await services.jobs.run("health");
  assertEquals(await site.beats(3), 3);

  // Mail to many addresses comes back.
  fixture.time.now += HOUR_MS;
  for (let i = 0; i <= 50; i++) {
    const to = `student${i}@example.org`;
    const sent = kv.atomic();
    const mail = { sender: "commercial", to, subject: "A", text: "A", html: "A" } as const;
    const expiresAt = fixture.time.now + HOUR_MS;
    const queued = await services.mailer.add(sent, mail, { expiresAt, about: "", kind: "notice" });
    await sent.commit();
    services.mailer.send([queued]);
    await services.mailer.flush();
    await services.mailer.report({ mail: { to }, what: "hard", reply: "5.1.1" });
  }
  assertEquals(await site.untilTold(5), { minute: 0, told: [`${ADMIN} Mail comes back`] });
  assertStringIncludes(outside.mails[0].text, "Found: addresses that take no email");

  // A sender is refused, which is mailed, but the mails of others do not leave.
  const refused = {
    organisation: "commercial",
    kind: "sender_refused",
    problem: "product",
  } as const;
  fixture.time.now += HOUR_MS;
  await services.jobs.run("health");
  await services.alerts.report(refused);
  assertEquals(await site.beats(3), 0);
  const [open] = (await services.alerts.list("commercial", { kind: "sender_refused" })).alerts;
  await services.alerts.setState({ ...open, organisation: "commercial" }, "done", ADMIN);
  assertEquals(await site.beats(3), 3);

  // No mail leaves: only the monitor can learn of it. The mail comes as soon as one leaves.
  fixture.time.now += HOUR_MS;
  outside.mail = "down";
  await services.alerts.report({ organisation: "commercial", kind: "chain_failed", problem: "c" });
  assertEquals((await site.untilTold(10)).told, []);
  assertEquals(await site.beats(3), 0);
  outside.mail = "works";
  const late = await site.untilTold(60, health);
  assertEquals(late.told, [`${ADMIN} Chain not valid`]);
  assertEquals(await site.beats(3), 3);
});

Deno.test("the morning's mail has the numbers of new alerts, and says what is urgent and still open", async () => {
  await using site = await night();
  const { services, fixture, outside } = site;
  const morning = async () => {
    outside.mails = [];
    await services.jobs.run("alerts");
    await services.mailer.flush();
    return outside.mails;
  };
  assertEquals(await morning(), []);
  const report = (kind: string, problem: string) =>
    services.alerts.report({
      organisation: "foundation",
      ...{ kind, problem, details: { name: "Ada Secret" } },
    });
  await report("balance_low", "a");
  await report("balance_low", "b");
  const [first, ...others] = await morning();
  assertEquals(others, []);
  assertStringIncludes(first.subject, "2 new alerts at ");
  assertStringIncludes(first.text, "Low balance: 2\n");
  assert(!first.text.includes("Secret"));
  assertEquals(await morning(), [], "nothing is new");
  fixture.time.now += HOUR_MS;
  await report("job_failing", "c");
  await report("backup_old", "d");
  const [second] = await morning();
  assertStringIncludes(second.subject, "Urgent alerts are still open");
  assertStringIncludes(second.text, "No recent backup: 1\n");
  assertStringIncludes(second.text, "Job fails: 1\n");
  assertStringIncludes(second.text, "Still open from earlier:\n\nLow balance: 2\n");
  assertEquals((await morning()).length, 1, "an urgent alert is still open");
});
