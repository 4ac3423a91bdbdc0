import { createPng } from "../lib/features/issuers/testing/images.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { productionEnv } from "../lib/app/testing/production.ts";
import { countMailFailure } from "../lib/platform/mail/mod.ts";
import { readRegistry, type Registry, type RouteState } from "../lib/features/infra/registry.ts";
import { batchDefaults } from "../lib/features/issuing/batches/mod.ts";
import { unwrap } from "../lib/platform/http/errors.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { SURFACE_NAMES, type SurfaceName, SURFACES } from "../lib/platform/surfaces/mod.ts";
import { DAY_MS } from "../lib/base/time.ts";
import { addPayment } from "./add_payment.ts";
import { ADMIN, type BankSite, BOARD, createBankSite } from "./bank_site.ts";
import { PERSON } from "./contact_site.ts";
import { serve } from "./site.ts";

const registryOf = ({ site }: BankSite) => readRegistry(site.services, "commercial");

function routeOf(surfaces: Registry["surfaces"], name: SurfaceName, path: string): RouteState {
  const { path: _, ...state } = surfaces.find((surface) => surface.name === name)!
    .routes.find((route) => route.path === path)!;
  return state;
}

/** Reads the page's text. */
async function textOf(fixture: BankSite, surface: SurfaceName = "commercial-console") {
  const response = await fixture.request(surface, "/console/surfaces", ADMIN);
  assertEquals(response.status, 200);
  return (await response.text()).replaceAll(/<[^>]*>/g, "\n").replaceAll(/\s+/g, " ");
}

Deno.test("every surface is listed with its base URL, hosts and routes", async () => {
  await using fixture = await createBankSite();
  const { surfaces } = await registryOf(fixture);
  assertEquals(surfaces.map(({ name }) => name), [...SURFACE_NAMES]);
  for (const { name, served, baseUrl, hosts, routes } of surfaces) {
    assertEquals([served, baseUrl], [true, fixture.site.services.surfaces.url(name)]);
    assertEquals(hosts, fixture.site.services.config.surfaceHosts[name]);
    const expected = fixture.site.services.surfaces.get(name)!.routes;
    assertEquals(routes.map(({ path }) => path), expected.map(({ path }) => path));
  }
});

/** Registers a person with an organisation and returns the record's hash. */
async function registerWith(fixture: BankSite, organisation: string): Promise<string> {
  const path = `/api/ir/register?organisation=${organisation}`;
  const response = await fixture.site.request("api", path, {
    method: "POST",
    body: JSON.stringify(PERSON),
    headers: { "content-type": "application/json" },
  });
  return (await response.json()).hash;
}

/** Stores the payment `pi_1`. */
Deno.test("a console's LIVE route is served, and an OFF route returns 404", async () => {
  await using fixture = await createBankSite();
  const account = fixture.bank.foundationAccountId;
  const { auth, batches, documents, issuers, issuing, pdfJs } = fixture.site.services;
  const pdfJsPath = `${await pdfJs.path()}/pdf.min.mjs`;
  for (const { name, routes } of (await registryOf(fixture)).surfaces) {
    if (!name.endsWith("-console")) continue;
    const organisation = name === "foundation-console" ? "foundation" : "commercial";
    const record = await registerWith(fixture, organisation);
    const details = { title: "A", kind: "B", public: true, file_name: "a.txt", by: ADMIN };
    const body = new Blob(["text"]).stream();
    const { document } = unwrap(await documents.add({ record, organisation, ...details }, body));
    await addPayment(fixture.site.services.kv, organisation, fixture.time.now);
    const issuer = { organisation, id: organisation, by: ADMIN } as const;
    unwrap(await issuers.setLogo({ ...issuer, bytes: createPng(8, 8) }));
    const owner = { issuer: (await issuers.read(organisation, organisation))!, test: true };
    const about = { title: "A", type: "B", date: "2026-03-01" };
    const csv = new TextEncoder().encode("name,email\nMei,mei@example.org\n");
    const checked = await batches.check(owner.issuer, [csv], batchDefaults.parse(about));
    const file = { name: "a.csv", by: ADMIN, rows: unwrap(checked).rows };
    const { batch: begun } = unwrap(await batches.add(owner, { ...file, rows: [] }));
    const { batch } = unwrap(await batches.checked.keep(owner, file));
    const { document: issued } = unwrap(
      await issuing.issue(
        { ...owner, by: ADMIN },
        { recipient: { name: "Mei", email: "mei@example.org" }, ...about, file_name: "a.txt" },
        new Blob(["text"]).stream(),
        { mail: "now" },
      ),
    );
    await fixture.signIn(ADMIN, name);
    const person = await fixture.site.services.audit.personKey(ADMIN);
    const user = String((await auth.findUser(ADMIN))!.id);
    for (const { path, status } of routes) {
      const query = path.endsWith("/transactions") ? `?account_id=${account}` : "";
      const id = path.startsWith("/console/issuers/")
        ? organisation
        : path.includes("/documents/")
        ? document.id
        : path.includes("/users/")
        ? user
        : path.includes("/payments/")
        ? "pi_1"
        : account;
      const example = path.replace("/pdfjs/:version/:file", pdfJsPath)
        .replace(":hash", record).replace(":id", id).replace(":person", person)
        .replace(":batch", path.endsWith("/results") ? begun.id : batch.id).replace(":row", "0")
        .replace(":document", issued.id).replace(":kind", "logo");
      const response = await fixture.request(name, example + query, ADMIN);
      await response.body?.cancel();
      assertEquals(response.status === 404, status === "OFF", `${name} ${path}`);
    }
  }
});

Deno.test("routes that need the bank show the last probe of its token, and the settings that are missing", async () => {
  await using fixture = await createBankSite({ FOUNDATION_BANK_API_TOKEN: "" });
  const bank = async (surface: SurfaceName) => {
    const { surfaces } = await registryOf(fixture);
    const [first, ...others] = [
      "/api/bank/summary",
      "/api/bank/accounts",
      "/api/bank/refresh",
      "/console/finance",
    ].map((path) => routeOf(surfaces, surface, path));
    for (const other of others) assertEquals(other, first);
    return first;
  };
  assertEquals(await bank("foundation-console"), {
    status: "NOT CONNECTED",
    reason: "FOUNDATION_BANK_API_TOKEN is not set.",
  });
  assertEquals(await bank("commercial-console"), { status: "LIVE", lastResponse: null });
  assertEquals(await bank("workbench"), { status: "LIVE", lastResponse: null });
  assertEquals(fixture.bankRequests(), { organization: 1 });

  const summary = await fixture.request("commercial-console", "/api/bank/summary", BOARD);
  await summary.body?.cancel();
  const lastResponse = "2026-03-01T20:00:00.000Z";
  assertEquals(await bank("commercial-console"), { status: "LIVE", lastResponse });
  const text = await textOf(fixture);
  assertStringIncludes(text, "FOUNDATION_BANK_API_TOKEN is not set. NOT CONNECTED");
  assertStringIncludes(text, "Last response from the bank: 1 Mar 2026, 20:00 UTC .");

  fixture.time.now += 30_000;
  fixture.bank.set({ response: 500 });
  const down = { status: "DOWN", reason: "The bank does not respond." };
  assertEquals(await bank("commercial-console"), down);
  const { surfaces } = await registryOf(fixture);
  const off = { status: "OFF", reason: "Only on the commercial console." };
  assertEquals(routeOf(surfaces, "foundation-console", "/api/bank/transactions"), off);
  assertEquals(routeOf(surfaces, "foundation-console", "/console/finance/:id"), off);
  assertEquals(routeOf(surfaces, "foundation-console", "/console"), { status: "CONFIGURED" });
});

Deno.test("problems are listed first, each setting once", async () => {
  await using fixture = await createBankSite({ BANK_API_TOKEN: "", FOUNDATION_BANK_API_TOKEN: "" });
  const { config: { organisations: { foundation } }, payments } = fixture.site.services;
  assert(!payments.isOpen("commercial"));
  fixture.bank.set({ response: 500 });
  const settings = [
    ["NOT CONNECTED", `${foundation.name} console`, "FOUNDATION_BANK_API_TOKEN is not set."],
    [
      "NOT CONNECTED",
      `${foundation.name} console`,
      "FOUNDATION_PAYMENT_WEBHOOK_SECRET is not set.",
    ],
    ["NOT CONNECTED", "Attest Systems console", "COMMERCIAL_PAYMENT_WEBHOOK_SECRET is not set."],
  ];
  const { problems } = await registryOf(fixture);
  assertEquals(problems.map(({ status, name, detail }) => [status, name, detail]), [
    ["DOWN", "Bank", "The bank returned an error."],
    ...settings,
  ]);
  const text = await textOf(fixture);
  assertStringIncludes(text, "Details and diagram");
  assertMatch(text, /4 problems Bank The bank returned an error\. DOWN .* Mail .* Sign-in Users/);
  assertMatch(text, /Trust \d+ routes, all served LIVE|Trust \d+ routes, all served SERVED/);
  assert(
    text.search(/Attest Systems console \d/) < text.search(/Trust \d/),
    "problems come first",
  );
});

Deno.test("asking for a link is LIVE while mail can be sent, other sign-in routes while the store accepts sessions", async () => {
  const kv = await openKv(":memory:");
  const atomic = kv.atomic.bind(kv);
  let readOnly = false;
  kv.atomic = () => {
    if (readOnly) throw new Error("The store is read-only.");
    return atomic();
  };
  let mailStatus = 405;
  await using mail = serve(() => new Response(null, { status: mailStatus }));
  await using fixture = await createBankSite(
    {
      MAIL_TRANSPORT: "http",
      MAIL_API_URL: `http://127.0.0.1:${mail.port}`,
      MAIL_API_KEY: "key",
    },
    {},
    { kv },
  );
  const stateOf = async () => {
    fixture.time.now += 30_000;
    const { surfaces, signIn: { routes } } = await registryOf(fixture);
    const [request, ...others] = [
      "/api/auth/request",
      "/auth",
      "/auth/verify",
      "/api/auth/verify",
      "/api/auth/logout",
    ].map((path) => {
      const state = routeOf(surfaces, "site", path);
      assertEquals(routes.find((route) => route.path === path)?.status, state.status);
      return state;
    });
    for (const other of others) assertEquals(other, others[0]);
    return [request, others[0]];
  };
  const live = { status: "LIVE" };
  assertEquals(await stateOf(), [live, live]);
  mailStatus = 503;
  assertEquals(await stateOf(), [{ status: "DOWN", reason: "Mail cannot be sent." }, live]);
  readOnly = true;
  const closed = { status: "DOWN", reason: "The session store does not respond." };
  assertEquals(await stateOf(), [closed, closed]);
});

Deno.test("before the first probes have ended, sign-in and the bank are CHECKING", async () => {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  await using hanging = serve(async () => {
    await ended;
    return new Response();
  });
  const base = `http://127.0.0.1:${hanging.port}`;
  await using fixture = await createBankSite(
    { MAIL_TRANSPORT: "http", MAIL_API_URL: base, MAIL_API_KEY: "key", BANK_API_BASE: base },
    {},
    {
      // Readers do not wait, and probes have no limit.
      schedule(run, ms) {
        if (ms < 1000) queueMicrotask(run);
        return () => {};
      },
    },
  );
  const { surfaces, signIn } = await registryOf(fixture);
  assertEquals(signIn.routes[0].status, "CHECKING");
  const bank = routeOf(surfaces, "commercial-console", "/api/bank/summary");
  assertEquals(bank, { status: "CHECKING" });
  assertStringIncludes(await textOf(fixture), "Bank Checking Mail Checking");
  end();
});

Deno.test("sign-in is LIVE, with the store's last write, the users, the last sign-up and the failed mails", async () => {
  await using fixture = await createBankSite();
  const none = (await registryOf(fixture)).signIn;
  assertEquals([none.users, none.last_sign_up, none.sessions_last_write], [0, null, null]);
  const path = [
    "/auth",
    "/auth/verify",
    "/api/auth/request",
    "/api/auth/verify",
    "/api/auth/logout",
  ];
  const on = SURFACE_NAMES.filter((name) => "signIn" in SURFACES[name]);
  assertEquals(none.routes, path.map((path) => ({ path, on, status: "LIVE" })));

  await fixture.signIn(ADMIN, "commercial-console");
  fixture.time.now += 60_000;
  await fixture.signIn(BOARD, "commercial-console");
  fixture.time.now += 60_000;
  const out = { method: "POST" };
  const leaving = await fixture.request("commercial-console", "/api/auth/logout", BOARD, out);
  await leaving.body?.cancel();
  const { kv, phone } = fixture.site.services;
  await countMailFailure(kv);
  for (const id of ["SM1", "CA2"]) {
    await phone.deliveries.report(id, { state: "failed", failure: "unreachable" });
  }
  const { users, last_sign_up, sessions_last_write, mails_failed, mail_transport } =
    (await registryOf(fixture)).signIn;
  assertEquals([users, mails_failed, mail_transport], [2, 1, "outbox"]);
  assertEquals(last_sign_up, "2026-03-01T20:01:00.000Z");
  assertEquals(sessions_last_write, "2026-03-01T20:02:00.000Z");

  const text = await textOf(fixture);
  assertStringIncludes(text, "Users 2 Last sign-up 1 Mar 2026, 20:01 UTC");
  assertStringIncludes(text, "Session store’s last write 1 Mar 2026, 20:02 UTC");
  assertStringIncludes(text, "Mail Kept in the development outbox, not sent. Waiting to be sent 0");
  assertStringIncludes(text, "Failed so far 1");
  assertStringIncludes(text, "Undelivered codes 2 Kept by the stand-in, not sent");
});

Deno.test("the registry has each job with its last run, and the page the queued and failed mails with the reasons", async () => {
  await using fixture = await createBankSite({
    MAIL_TRANSPORT: "http",
    MAIL_API_URL: "https://mail.example/send",
    MAIL_API_KEY: "key",
  });
  const { services } = fixture.site;
  const none = { waiting: 0, waitingSince: null, dead: 0, reasons: {} };
  const job = { name: "mail", title: "Sending mail", everyMs: 15_000, runningSince: null };
  const background = async () => {
    const { jobs, mail } = (await registryOf(fixture)).background;
    return { job: jobs.find(({ name }) => name === "mail"), mail };
  };
  assertEquals(await background(), { job: { ...job, lastRun: null }, mail: none });

  const post = async (to: string) => {
    const commit = services.kv.atomic();
    const mail = { sender: "commercial" as const, to, subject: "Hello", text: "text", html: "" };
    const options = { expiresAt: services.clock() + DAY_MS, about: "", kind: "notice" as const };
    await services.mailer.add(commit, mail, options);
    await commit.commit();
  };
  await post("not an address");
  fixture.time.now += 90_000;
  await services.jobs.run("mail");
  await post("ada@example.org");
  const since = "2026-03-01T20:01:30.000Z";
  const lastRun = { started: since, finished: since, outcome: "done", detail: "0 sent, 1 failed" };
  assertEquals(await background(), {
    job: { ...job, lastRun },
    mail: { waiting: 1, waitingSince: since, dead: 1, reasons: { invalid_mail: 1 } },
  });
  assertStringIncludes(
    await textOf(fixture),
    "Waiting to be sent 1 Since 1 Mar 2026, 20:01 UTC Not delivered 1 1: The address or the email is " +
      "malformed. Failed so far 1",
  );
});

Deno.test("relays are listed by name, host and their origin's state, without their secrets", async () => {
  await using origin = serve(() => new Response("ok"));
  const relay = {
    name: "Standards",
    host: "standards.relay.example",
    slug: "std-0123456789abcdef01234567",
    previousSlug: "std-76543210fedcba9876543210",
    clientId: "id.access",
    clientSecret: "client-secret",
    origin: `http://127.0.0.1:${origin.port}`,
  };
  await using fixture = await createBankSite({ RELAYS: JSON.stringify([relay]) });
  const { name, host, ...secrets } = relay;
  const registry = await registryOf(fixture);
  assertEquals(registry.relays, [{ name, host, origin: "up" }]);
  const text = await textOf(fixture);
  assertStringIncludes(text, `Relays ${host} ${name} Origin: Up`);
  for (const secret of Object.values(secrets)) {
    assert(!text.includes(secret) && !JSON.stringify(registry).includes(secret), secret);
  }
  await using none = await createBankSite({ RELAYS: "[]" });
  assertStringIncludes(await textOf(none), "Relays No relay is configured.");
});

Deno.test("no email address except the reader's own is shown", async () => {
  await using fixture = await createBankSite();
  for (const email of [ADMIN, BOARD, "person@example.org"]) {
    await fixture.signIn(email, "commercial-console");
  }
  const text = await textOf(fixture);
  assertStringIncludes(text, ADMIN);
  assert(!text.includes(BOARD) && !text.includes("person@example.org"));
});

Deno.test("in production, routes that are not served are OFF with the reason", async () => {
  await using fixture = await createBankSite(
    productionEnv({
      "foundation-console": ["ops.example", "console.example"],
      "investor": ["https://investor.example:8443"],
    }, { BANK_API_BASE: "https://bank.example", SMTP_URL: "smtp://127.0.0.1:1" }),
    {},
    {
      fetch: () => Promise.reject(new TypeError("There is no network.")),
    },
  );
  const { surfaces, signIn } = await registryOf(fixture);
  assertEquals(
    surfaces.filter(({ served }) => served).map(({ name, baseUrl, hosts }) => [
      name,
      baseUrl,
      hosts,
    ]),
    [
      ["investor", "https://investor.example:8443", ["https://investor.example:8443"]],
      ["foundation-console", "https://ops.example", ["ops.example", "console.example"]],
    ],
  );
  const off = (reason: string) => ({ status: "OFF", reason });
  assertEquals(routeOf(surfaces, "workbench", "/dev/*"), off("Development only."));
  assertEquals(routeOf(surfaces, "site", "/"), off("SURFACE_HOSTS has no host for it."));
  assertEquals(routeOf(surfaces, "commercial-console", "/console").status, "OFF");
  assertEquals(signIn.routes[0].on, ["foundation-console"]);
  assertEquals(signIn.mail_transport, "smtp");
  const text = await textOf(fixture, "foundation-console");
  assertStringIncludes(text, `2 of ${SURFACE_NAMES.length} surfaces are served here.`);
  assertStringIncludes(text, "Hosts ops.example, console.example");
});
