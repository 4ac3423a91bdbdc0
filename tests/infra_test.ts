import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { MINUTE_MS } from "../lib/base/time.ts";
import type { InfraMap, InfraNode } from "../lib/features/infra/mod.ts";
import {
  type OrganisationKey,
  SURFACE_NAMES,
  type SurfaceName,
  SURFACES,
} from "../lib/platform/surfaces/mod.ts";
import { never } from "../lib/testing/held_timers.ts";
import { startPhoneSandbox } from "../sandbox/phone.ts";
import { ADMIN, type BankSite, createBankSite } from "./bank_site.ts";
import { serve } from "./site.ts";

const CONSOLE = "commercial-console";

/** Readers wait until the probes have ended, and no probe is slow, however busy the machine is. */
const UNHURRIED = { schedule: never, elapsed: () => 0 };

async function mapOf(fixture: BankSite, surface: SurfaceName = CONSOLE): Promise<InfraMap> {
  const response = await fixture.request(surface, "/api/infra/map", ADMIN);
  assertEquals(response.status, 200);
  return await response.json();
}

const nodeOf = ({ nodes }: InfraMap, id: string): InfraNode =>
  nodes.find((node) => node.id === id)!;

const relayTo = (origin: string) => ({
  name: "docs",
  host: "docs.relay.example",
  slug: "docs-0123456789abcdef01234567",
  previousSlug: "docs-76543210fedcba9876543210",
  clientId: "id.access",
  clientSecret: "client-secret",
  origin,
});

/** Returns the nodes of an organisation's surfaces: each one's ID and its host in development. */
const surfacesOf = (organisation: OrganisationKey): [id: string, host: string][] =>
  SURFACE_NAMES.map((name) => ({ name, row: SURFACES[name] }))
    .filter(({ row }) => row.organisation === organisation && row.routes !== "all")
    .map(({ name, row }) => [`surface:${name}`, `${row.hosts[0]}:8000`]);

/** Settings with a value for every secret and every private address. */
function everythingConfigured() {
  const phone = startPhoneSandbox();
  const origin = serve((req) =>
    new Response(null, { status: req.url.endsWith("/bucket-4711") ? 200 : 404 })
  );
  const base = `http://127.0.0.1:${origin.port}`;
  const relay = relayTo(base);
  const secrets = {
    COMMERCIAL_BANK_API_TOKEN: "token-of-the-company",
    FOUNDATION_BANK_API_TOKEN: "token-of-the-foundation",
    SMTP_URL: "smtp://mail-user:mail-password@127.0.0.1:1",
    S3_ENDPOINT: base,
    S3_BUCKET: "bucket-4711",
    S3_ACCESS_KEY_ID: "s3-key-id",
    S3_SECRET_ACCESS_KEY: "s3-secret-key",
    TWILIO_API_BASE: phone.account.apiBase,
    TWILIO_ACCOUNT_SID: phone.account.accountSid,
    TWILIO_AUTH_TOKEN: phone.account.authToken,
    COMMERCIAL_PAYMENT_WEBHOOK_SECRET: "whsec_" + "c".repeat(32),
    FOUNDATION_PAYMENT_WEBHOOK_SECRET: "whsec_" + "f".repeat(32),
    CHALLENGE_SECRET: "challenge-secret",
  };
  const env = {
    ...secrets,
    MAIL_TRANSPORT: "smtp",
    CODE_PROVIDER: "twilio",
    TWILIO_FROM: "+61491570006",
    CHALLENGE_SITE_KEY: "site-key",
    CHALLENGE_VERIFY_URL: "https://challenge.example/verify",
    CHALLENGE_SCRIPT_URL: "https://challenge.example/script.js",
    RELAYS: JSON.stringify([relay]),
  };
  const { name: _name, host: _host, ...hidden } = relay;
  return {
    env,
    hidden: [
      ...Object.values(secrets),
      ...Object.values(hidden),
      "mail-user",
      "mail-password",
      "127.0.0.1:",
      "A".repeat(43), // APP_SECRET
    ],
    async [Symbol.asyncDispose]() {
      await phone.stop();
      await origin[Symbol.asyncDispose]();
    },
  };
}

Deno.test("the map, its pages and the public status contain no secret, slug or private address, with services up and down", async () => {
  await using settings = everythingConfigured();
  await using fixture = await createBankSite(settings.env, {}, UNHURRIED);
  const { bank } = fixture;
  await fixture.request(CONSOLE, "/api/infra/map", ADMIN).then(({ body }) => body?.cancel());
  for (const surface of [CONSOLE, "foundation-console"] as const) {
    for (const path of ["/api/infra/map", "/console/infra", "/console/surfaces"]) {
      const response = await fixture.request(surface, path, ADMIN);
      assertEquals(response.status, 200);
      const text = JSON.stringify([...response.headers]) + await response.text();
      for (const secret of [...settings.hidden, bank.baseUrl, ...Object.values(bank.tokens)]) {
        assert(!text.includes(secret), `${path}: ${secret}`);
        assert(!text.includes(encodeURIComponent(secret)), `${path}: ${secret}`);
      }
    }
  }
  const status = await fixture.request("commercial", "/status", null);
  assertEquals([status.status, status.headers.get("cache-control")], [200, "no-store"]);
  const text = await status.text();
  assertStringIncludes(text, "Some services do not respond"); // mail
  for (const hidden of [...settings.hidden, "127.0.0.1", "Deno KV", "Bank", " ms"]) {
    assert(!text.includes(hidden), hidden);
  }
  const states = Object.fromEntries(
    (await mapOf(fixture)).nodes.map(({ id, state }) => [id, state]),
  );
  assertEquals(states, {
    process: "up",
    ...Object.fromEntries(surfacesOf("commercial").map(([id]) => [id, "configured"])),
    "other-organisation": "configured",
    store: "up",
    bank: "down", // not the sandbox's token
    mail: "down",
    codes: "up",
    push: "off",
    documents: "up",
    "signing-key": "up",
    log: "up",
    "relay:docs": "configured",
    "origin:docs": "up",
  });
});

Deno.test("each console's map has its own surfaces, its own bank, and edges between its nodes", async () => {
  await using fixture = await createBankSite(
    { FOUNDATION_BANK_API_TOKEN: "", RELAYS: "[]" },
    {},
    UNHURRIED,
  );
  const commercial = await mapOf(fixture);
  const foundation = await mapOf(fixture, "foundation-console");
  const surfaces = ({ nodes }: InfraMap) =>
    nodes.filter(({ group }) => group === "surfaces").map(({ id, host }) => [id, host]);
  const [own, other] = [surfacesOf("foundation"), surfacesOf("commercial")];
  assertEquals(surfaces(foundation), [...own, ["other-organisation", undefined]]);
  assertEquals(surfaces(commercial), [...other, ["other-organisation", undefined]]);
  const texts = (id: string) => [nodeOf(foundation, id).name, nodeOf(foundation, id).detail];
  assertEquals(texts("surface:foundation"), ["Site", undefined]);
  assertEquals(texts("surface:foundation-mcp"), ["MCP server", undefined]);
  assertEquals(texts("other-organisation"), [
    "Attest Systems",
    `${other.length} of its ${other.length} surfaces are served here.`,
  ]);
  const { state, checked_at } = nodeOf(commercial, "bank");
  assertEquals([state, checked_at], ["up", "2026-03-01T20:00:00.000Z"]);
  assertEquals(nodeOf(foundation, "bank"), {
    id: "bank",
    name: "Bank",
    role: "Accounts and transactions",
    group: "services",
    state: "off",
    checked_at: null,
    latency_ms: null,
    detail: "FOUNDATION_BANK_API_TOKEN is not set.",
  });
  for (const { nodes, edges } of [commercial, foundation]) {
    const ids = nodes.map(({ id }) => id);
    assertEquals(new Set(ids).size, ids.length);
    for (const { from, to } of edges) assert(ids.includes(from) && ids.includes(to), from);
  }
  assert(!foundation.edges.some(({ to }) => to === "bank"));
  assertEquals(fixture.bankRequests(), { organization: 1 });
});

Deno.test("push is configured with the platforms that have a provider", async () => {
  const provider = { send: () => Promise.resolve({ ok: true } as const) };
  await using fixture = await createBankSite({ RELAYS: "[]" }, {}, {
    pushProviders: { ios: provider, web: provider },
  });
  const { state, detail } = nodeOf(await mapOf(fixture), "push");
  assertEquals([state, detail], ["configured", "For iOS, browsers."]);
});

Deno.test("the health line names what is down; both consoles share one probe of the store", async () => {
  await using fixture = await createBankSite({ RELAYS: "[]" }, {}, UNHURRIED);
  const { infra } = fixture.site.services;
  assertEquals(await infra.health("commercial"), {
    worst: "ok",
    text: "All 5 checked services respond.",
  });
  const page = await (await fixture.request(CONSOLE, "/console/infra", ADMIN)).text();
  assertEquals(
    page.replaceAll(/<[^>]*>/g, "").match(/\d+ up/g),
    ["5 up"],
    "the map counts the same",
  );
  fixture.time.now += 30_000;
  await fixture.withFault({ response: 500 }, async () => {
    assertEquals(await infra.health("foundation"), { worst: "down", text: "Down: Bank." });
  });
  assertEquals(await infra.health("foundation"), { worst: "down", text: "Down: Bank." });
});

Deno.test("while a bank hangs, the map, the page and the health line say that it is being checked", async () => {
  const timers: { ms: number; run: () => void }[] = [];
  const bank = Promise.withResolvers<void>();
  await using hanging = serve(async () => {
    await bank.promise;
    return new Response();
  });
  await using fixture = await createBankSite(
    {
      RELAYS: "[]",
      COMMERCIAL_BANK_API_TOKEN: "both",
      FOUNDATION_BANK_API_TOKEN: "both",
      BANK_API_BASE: `http://127.0.0.1:${hanging.port}`,
    },
    {},
    {
      schedule(run, ms) {
        // Readers do not wait here, and the limit of the probe never ends.
        if (ms < 2000) queueMicrotask(run);
        else timers.push({ ms, run });
        return () => {};
      },
    },
  );
  const map = await mapOf(fixture);
  assertEquals(nodeOf(map, "bank").state, "checking");
  const { infra } = fixture.site.services;
  assertEquals((await infra.health("commercial")).worst, "unknown");
  const page = await (await fixture.request(CONSOLE, "/console/infra", ADMIN)).text();
  assertMatch(page, />Reload<\/a> for the results of the first \d+ checks?/);
  for (const { run } of timers) run();
  await new Promise((done) => setTimeout(done));
  const { state, detail } = nodeOf(await mapOf(fixture), "bank");
  assertEquals([state, detail], ["down", "No response within 2 seconds."]);

  // A bank whose accounts the pages show as current is slow, as it is there.
  const { commercial } = fixture.site.services.treasuries;
  const respondedBefore = (ms: number) => {
    const at = new Date(fixture.time.now - ms).toISOString();
    commercial.lastResponse = () => Promise.resolve(at);
  };
  respondedBefore(14 * MINUTE_MS);
  assertMatch((await infra.health("commercial")).text, /Slow: Bank\.$/);
  respondedBefore(15 * MINUTE_MS);
  assertMatch((await infra.health("commercial")).text, /^Down: Bank/);
  bank.resolve();
});

Deno.test("the page lists problems first, and the diagram has a text alternative without styles", async () => {
  await using fixture = await createBankSite(
    { COMMERCIAL_BANK_API_TOKEN: "wrong", RELAYS: "[]" },
    {},
    UNHURRIED,
  );
  const html = await (await fixture.request(CONSOLE, "/console/infra", ADMIN)).text();
  const rows = [...html.matchAll(/<th scope="row">([^<]+)</g)].map(([, name]) => name);
  assertEquals([rows[0], rows.at(-2), rows.at(-1)], ["Bank", "Codes", "Push"]);
  assertStringIncludes(html, "The bank refused the token.");
  assertMatch(
    html,
    /<svg [^>]*role="img" aria-label="Diagram of the parts in the table above\. Gatehouse uses Store, Bank, Mail, Signing key, Public log\./,
  );
  assert(!/ style=/.test(html));
});
