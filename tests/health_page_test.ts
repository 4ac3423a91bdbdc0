import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { main as backup } from "../lib/app/commands/backup.ts";
import { productionEnv } from "../lib/app/testing/production.ts";
import { FORMAT, openKv } from "../lib/platform/kv/mod.ts";
import { readBackup } from "../lib/platform/store/mod.ts";
import { CERTIFICATE, CERTIFICATE_KEY } from "../lib/testing/certificate.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../lib/base/time.ts";
import { ADMIN, type BankSite, BOARD, createBankSite } from "./bank_site.ts";
import { runMain } from "./run_command.ts";
import { createSite, freePort } from "./site.ts";
import { readRegistry } from "../lib/features/infra/registry.ts";
import { startSmtpServer } from "../lib/platform/mail/testing/smtp_server.ts";
import { never } from "../lib/testing/held_timers.ts";

const PAGE = "/console/infra";

/** A site whose bank has a clock that can be ahead of the site's. */
async function setUp() {
  const bank = { aheadMs: 0 };
  const fixture: BankSite = await createBankSite({ REVISION: "1a2b3c", KV_PATH: ":memory:" }, {}, {
    schedule: never, // readers wait until the probes have ended
    memoryUsed: () => 100e6, // this process runs other tests too
    async fetch(...request) {
      const response = await fetch(...request);
      const headers = new Headers(response.headers);
      headers.set("date", new Date(fixture.time.now + bank.aheadMs).toUTCString());
      return new Response(response.body, { status: response.status, headers });
    },
  });
  return Object.assign(fixture, { clockOfBank: bank });
}

async function read(fixture: BankSite, email = ADMIN) {
  const response = await fixture.request("commercial-console", PAGE, email);
  const html = await response.text();
  return {
    status: response.status,
    words: html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " "),
  };
}

Deno.test("the page shows what the job measured, with the queues, the jobs and the release", async () => {
  await using fixture = await setUp();
  assertMatch((await read(fixture)).words, /Machine and store Not measured yet/);
  const { jobs, kv } = fixture.site.services;
  await jobs.run("bank");
  const written = fixture.time.now - 20 * MINUTE_MS;
  await kv.set(["outbox", "mail", written, "1"], {
    attempts: 1,
    created_at: new Date(written).toISOString(),
    about: "user/1",
    labels: { kind: "sign_in", sender: "commercial" },
    sealed: new Uint8Array(1),
    sending: false,
    expires_at: new Date(fixture.time.now + HOUR_MS).toISOString(),
  }, { expireIn: HOUR_MS });
  const run = await jobs.run("health");
  assertMatch(String(run?.detail), /^\d+ readings, 0 bad$/);
  fixture.time.now += 2 * MINUTE_MS;
  const { words } = await read(fixture);
  assertMatch(
    words,
    /Measured 2 minutes ago , together with the messages and jobs below\./,
  );
  assertMatch(words, /Disk of the store Not known The store is not a file on this machine/);
  assertMatch(
    words,
    /Memory OK The site’s process uses \d+ MiB; [\d.]+ [MG]iB of [\d.]+ GiB are available/,
  );
  assertMatch(words, /Backup Not known No backup is known\. /);
  assertMatch(words, /Clock OK Bank: no difference/);
  assertMatch(
    words,
    /Waiting messages Messages State Found Mail: .* OK 1 waiting, the oldest added 22 minutes ago/,
  );
  assertMatch(
    words,
    /Jobs .* Job State Found .*Checking the bank bank OK Done: foundation: responds/,
  );
  assertMatch(words, /Version 1\.0\.0 Revision 1a2b3c/);
  assertEquals((await read(fixture, BOARD)).status, 403);
  assertMatch(
    words,
    /Secrets and migrations .* None A value is identified .* No migration is running/,
  );
  for (const { name, title } of await jobs.states()) assert(title !== name, `${name} has no title`);

  // After a restart, the readings of the process that has ended are shown as such.
  const row = await kv.get<object>(["health"]);
  await kv.set(row.key, { ...row.value, process: "00000000" });
  assertMatch(
    (await read(fixture)).words,
    /by another process of this site, or by one that has ended/,
  );
});

Deno.test("mail is down while the server refuses the organisation's sender, although it responds", async () => {
  await using server = await startSmtpServer({
    disabledCommands: ["STARTTLS"],
    onMailFrom: ({ address }, _session, done) =>
      done(address.startsWith("foundation@") ? new Error("5.7.1 not yours") : null),
  });
  await using fixture = await createBankSite(
    {
      MAIL_TRANSPORT: "smtp",
      SMTP_URL: `smtp://127.0.0.1:${server.port}`,
      FOUNDATION_MAIL_FROM: "foundation@example.org",
    },
    {},
    { schedule: never },
  );
  const { infra, kv, mailer, clock } = fixture.site.services;
  const post = async (sender: "foundation" | "commercial") => {
    const commit = kv.atomic();
    const mail = { sender, to: ADMIN, subject: "Hello", text: "text", html: "" };
    const options = { expiresAt: clock() + DAY_MS, about: "", kind: "notice" as const };
    const queued = await mailer.add(commit, mail, options);
    await commit.commit();
    mailer.send([queued]);
    await mailer.flush();
  };
  await post("foundation");
  await post("commercial");
  const mailOf = async (organisation: "foundation" | "commercial") => {
    const { state, detail } = (await infra.map(organisation)).nodes.find(({ id }) =>
      id === "mail"
    )!;
    return [state, detail];
  };
  assertEquals(await mailOf("commercial"), ["up", undefined]);
  const [state, detail] = await mailOf("foundation");
  assertEquals(state, "down");
  assertMatch(
    String(detail),
    /^The mail server refuses the sender \(reply 550[^)]*\), so no email is sent/,
  );
  assertEquals((await infra.health("foundation")).worst, "down");
  const { signIn } = await readRegistry(fixture.site.services, "foundation");
  assertEquals(signIn.routes.map(({ path, status }) => `${path} ${status}`), [
    "/auth LIVE",
    "/auth/verify LIVE",
    "/api/auth/request DOWN",
    "/api/auth/verify LIVE",
    "/api/auth/logout LIVE",
  ]);
});

Deno.test("a clock that is a minute behind the bank's raises an alert in both consoles, and its correction resolves it", async () => {
  await using fixture = await setUp();
  fixture.clockOfBank.aheadMs = 60_000;
  const { alerts, jobs } = fixture.site.services;
  const states = async () =>
    (await Promise.all(
      (["foundation", "commercial"] as const).map(async (organisation) =>
        (await alerts.list(organisation, { kind: "clock_off", state: "all" })).alerts
          .map(({ state }) => state).join()
      ),
    )).join(" ");
  for (const expected of [" ", "unread unread", "unread unread"]) {
    fixture.time.now += 5 * MINUTE_MS;
    await jobs.run("health");
    assertEquals(await states(), expected);
  }
  const page = await fixture.request("commercial-console", "/console/alerts", ADMIN);
  const html = await page.text();
  assertStringIncludes(html, "Clock is wrong");
  assertMatch(html, /Clock: Bank: 60 seconds ahead of this machine\./);
  fixture.clockOfBank.aheadMs = 0;
  for (const expected of ["unread unread", "done done"]) {
    fixture.time.now += 5 * MINUTE_MS;
    await jobs.run("health");
    assertEquals(await states(), expected);
  }
});

Deno.test("in production, each host's certificate is read every six hours, and the days until it expires are shown", async () => {
  let handshakes = 0;
  const listener = Deno.listenTls({
    hostname: "127.0.0.1",
    port: 0,
    cert: CERTIFICATE,
    key: CERTIFICATE_KEY,
  });
  const accepting = (async () => {
    for await (const connection of listener) {
      handshakes++; // before the client can have the certificate
      await connection.handshake().catch(() => {});
      connection.close();
    }
  })().catch(() => {});
  const { port } = listener.addr as Deno.NetAddr;
  const time = { now: Date.parse("2126-10-20T00:00:00Z") };
  const hosts = {
    investor: [`https://contact.test:${port}`],
    site: [`https://qualpack.test:${port}`],
  };
  {
    await using site = await createSite(productionEnv(hosts), {
      clock: () => time.now,
      certificateAddress: "127.0.0.1",
    });
    const { alerts, jobs, lastHealth } = site.services;
    const found = async () =>
      (await lastHealth())!.readings.filter(({ kind }) => kind === "certificate_ends")
        .map(({ name, state, text }) => `${name} ${state} ${text}`);
    await jobs.run("health");
    assertEquals(await found(), [
      `Certificate of qualpack.test:${port} bad Expires in 9 days`,
      `Certificate of contact.test:${port} bad Expires in 9 days`,
    ]);
    assertEquals(handshakes, 2);
    time.now += DAY_MS / 8;
    await jobs.run("health");
    assertEquals(handshakes, 2);
    time.now += DAY_MS / 8;
    await jobs.run("health");
    assertEquals(handshakes, 4);
    const kinds = (await alerts.list("foundation")).alerts.map(({ kind }) => kind);
    assert(kinds.includes("certificate_ends"), String(kinds));
  }
  listener.close();
  await accepting;
});

Deno.test("in production, a host that showed no certificate is asked again after an hour", async () => {
  const port = freePort();
  const time = { now: Date.parse("2126-10-20T00:00:00Z") };
  const hosts = { site: [`https://qualpack.test:${port}`] };
  await using site = await createSite(productionEnv(hosts), {
    clock: () => time.now,
    certificateAddress: "127.0.0.1",
  });
  const { jobs, lastHealth } = site.services;
  const state = async () => {
    await jobs.run("health");
    const { readings } = (await lastHealth())!;
    return readings.find(({ kind }) => kind === "certificate_ends")!.state;
  };
  assertEquals(await state(), "unknown");
  const listener = Deno.listenTls({
    hostname: "127.0.0.1",
    port,
    cert: CERTIFICATE,
    key: CERTIFICATE_KEY,
  });
  const accepting = (async () => {
    for await (const connection of listener) {
      await connection.handshake().catch(() => {});
      connection.close();
    }
  })().catch(() => {});
  time.now += HOUR_MS / 2;
  assertEquals(await state(), "unknown");
  time.now += HOUR_MS / 2;
  assertEquals(await state(), "bad");
  listener.close();
  await accepting;
});

Deno.test("deno task backup copies into a folder, deletes old copies, and records the last one where the site reads it", async () => {
  const folder = await Deno.makeTempDir();
  const store = join(folder, "site.kv");
  {
    using kv = await openKv(store);
    await kv.set(["stats", "users"], 1);
    await kv.set(["format"], { version: FORMAT });
  }
  const copies = join(folder, "copies");
  await Deno.mkdir(copies);
  for (const name of ["gatehouse-20200101T100000Z.kv", "other.kv"]) {
    await Deno.writeTextFile(join(copies, name), "");
  }
  const other = "gatehouse-20200102T100000Z.kv"; // a folder, although it has such a name
  await Deno.mkdir(join(copies, other, "kept"), { recursive: true });
  const { code, out, err } = await runMain(backup, store, ["--into", copies]);
  assertEquals(code, 0, err);
  assertMatch(out, /^Copied .+ to .+Z\.kv \([\d,]+ KiB\)\.\nDeleted older copies: 1\.\n$/);
  const [, copy, ...others] = [...Deno.readDirSync(copies)].map(({ name }) => name).sort();
  assertMatch(copy, /^gatehouse-\d{8}T\d{6}Z\.kv$/);
  assertEquals(others, ["other.kv"]);
  {
    using kv = await openKv(store);
    using copied = await openKv(join(copies, copy));
    const { size } = await Deno.stat(join(copies, copy));
    assertEquals((await readBackup(kv))?.bytes, size);
    assertEquals([await readBackup(copied), (await copied.get(["stats", "users"])).value], [
      null,
      1,
    ]);
  }
  assertEquals(
    (await runMain(backup, store, ["--note"])).out,
    "Recorded that a backup was made now.\n",
  );
  {
    using kv = await openKv(store);
    assertEquals(Object.keys((await readBackup(kv))!), ["at"]);
  }
  assertEquals((await runMain(backup, store, ["--note", "copy.kv"])).code, 2);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("the page shows the progress of migrations and what to do with each secret", async () => {
  await using fixture = await setUp();
  const { kv } = fixture.site.services;
  const at = (ms: number) => new Date(fixture.time.now + ms).toISOString();
  const older = [["22222222", null], ["33333333", at(DAY_MS)], ["44444444", at(-1)]] as const;
  await kv.set(["format"], {
    version: FORMAT,
    secrets: {
      current: "11111111111",
      since: at(0),
      older: older.map(([id, unused_from]) => ({ id: `${id}999`, unused_from })),
    },
    work: {
      steps: ["contacts", "messages"],
      incomplete: ["messages"],
      cursor: "4".repeat(64),
      begun: at(0),
    },
  });
  const { words } = await read(fixture);
  assertMatch(words, /11111111 Current Keep it: the site refuses to start without it\./);
  assertMatch(words, /22222222 Still read Keep it until the rows are rewritten\./);
  assertMatch(
    words,
    /33333333 Still read Keep it until .* UTC , for earlier codes, links and limits/,
  );
  assertMatch(words, /44444444 No longer used Remove it from APP_SECRET/);
  assertMatch(
    words,
    /Addresses and numbers of records: about 26% Messages that wait to be sent \(until then, some older/,
  );
});
