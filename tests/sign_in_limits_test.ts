import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { main as signInLink } from "../lib/app/commands/sign_in_link.ts";
import { operators } from "../lib/features/operators/mod.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { claimStore } from "../lib/platform/store/mod.ts";
import { serveConnect } from "../lib/platform/kv/testing/connect_server.ts";
import { valuesOf } from "../lib/platform/kv/testing/temp_kv.ts";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { HOUR_MS, MINUTE_MS } from "../lib/base/time.ts";
import { ADA, ADMIN, cookiesOf, createSignInSite, locationOf } from "./sign_in_site.ts";
import { runMain, startMain } from "./run_command.ts";
import { createSite } from "./site.ts";

async function createSetup(env: Record<string, string> = {}) {
  const setup = await createSignInSite(env);
  return {
    ...setup,
    /** Requests a link and returns everything that the client sees of the response. */
    async ask(email: string, surface: SurfaceName = "site", cookie = "") {
      const response = await setup.request({ email }, surface, { cookie });
      // The id of the request is random.
      const headers = [...response.headers].filter(([name]) => name !== "request-id")
        .map((
          [name, value],
        ) => [name, value.replace(/link_request=[0-9a-f-]{36}/, "link_request")]);
      return [response.status, headers, await response.text()];
    },
    /** Opens the latest link and returns the cookies that it sets, by name. */
    async openLink(email: string, surface: SurfaceName, cookie = "") {
      const [{ pathname, search }] = await setup.links(email);
      return cookiesOf(await setup.open(pathname + search, surface, { headers: { cookie } }));
    },
    mails: async (email: string) => (await setup.links(email)).length,
  };
}

Deno.test("known and unknown addresses get the same responses, even once their links are used up", async () => {
  await using setup = await createSetup();
  await setup.signIn("known@example.org");
  setup.clock.now += HOUR_MS;
  const responses = async (email: string) => {
    const all = [];
    for (let i = 0; i < 4; i++) all.push(await setup.ask(email));
    return all;
  };
  const known = await responses("known@example.org");
  assertEquals(known, await responses("unknown@example.org"));
  assertEquals(known.map(([status]) => status), [200, 200, 200, 200]);
  assertEquals(await setup.mails("known@example.org"), 4);
  assertEquals(await setup.mails("unknown@example.org"), 3);
});

Deno.test("a mailbox gets three links per hour, in any spelling and with any tag", async () => {
  await using setup = await createSetup();
  const start = setup.clock.now;
  const steps: [after: number, typed: string, mails: number, tagged: number][] = [
    [0, ADA, 1, 0],
    [1000, ADA, 2, 0],
    [2000, "ada+tag@example.org", 2, 1],
    [10 * MINUTE_MS, ` ${ADA.toUpperCase()} `, 2, 1],
    [HOUR_MS - 1, ADA, 2, 1],
    [HOUR_MS, ADA, 3, 1],
    [HOUR_MS, ADA, 3, 1],
  ];
  for (const [after, typed, mails, tagged] of steps) {
    setup.clock.now = start + after;
    const [status] = await setup.ask(typed);
    const counts = [await setup.mails(ADA), await setup.mails("ada+tag@example.org")];
    assertEquals([status, ...counts], [200, mails, tagged], `${typed} after ${after} ms`);
  }
});

Deno.test("a client may send a limited number of requests per hour, for operators and other addresses", async () => {
  await using setup = await createSetup({ SIGN_IN_CLIENT_LIMIT: "4", TRUST_PROXY: "1" });
  let count = 0;
  const statusFrom = async (address: string) => {
    const email = ++count % 2 === 0 ? ADMIN : ADA;
    const headers = { "x-forwarded-for": address };
    const response = await setup.request({ email }, "commercial-console", headers);
    await response.body?.cancel();
    return response.status;
  };
  for (let i = 0; i < 4; i++) assertEquals(await statusFrom("192.0.2.7"), 200);
  assertEquals(await statusFrom("192.0.2.7"), 429);
  assertEquals(await statusFrom("192.0.2.8"), 200);
  setup.clock.now += HOUR_MS - 1;
  assertEquals(await statusFrom("192.0.2.7"), 429);
  setup.clock.now += 1;
  assertEquals(await statusFrom("192.0.2.7"), 200);
});

Deno.test("requests on the public site do not use up the console's links", async () => {
  await using setup = await createSetup();
  for (let i = 0; i < 5; i++) await setup.ask(ADMIN, "site");
  assertEquals(await setup.mails(ADMIN), 3);
  await setup.ask(ADMIN, "commercial-console");
  const [link, ...others] = await setup.links(ADMIN);
  assertEquals(link.hostname, "ops.commercial.localhost");
  assertEquals(others.length, 3);
});

Deno.test("a console's response is the same for every address, and only operators get mail and are stored", async () => {
  await using setup = await createSetup();
  const surface = "foundation-console";
  const responses = [];
  for (let i = 0; i < 4; i++) responses.push(await setup.ask("eve@example.org", surface));
  assertEquals(await setup.links("eve@example.org"), []);
  assertEquals(await valuesOf(setup.site.services.kv), []);
  for (let i = 0; i < 4; i++) responses.push(await setup.ask(ADMIN, surface));
  assertEquals(await setup.mails(ADMIN), 3);
  assertEquals(new Set(responses.map((response) => JSON.stringify(response))).size, 1);
  assertEquals(responses[0][0], 200);
});

for (const surface of ["site", "commercial-console"] as const) {
  Deno.test(`a browser that has signed in on ${surface} gets no further links than others`, async () => {
    await using setup = await createSetup();
    await setup.ask(ADMIN, surface);
    const cookies = Object.values(await setup.openLink(ADMIN, surface));
    assertEquals(cookies.map((cookie) => cookie.split("=")[0]), ["app_session"]);
    for (let i = 0; i < 4; i++) await setup.ask(ADMIN, surface, cookies.join("; "));
    assertEquals(await setup.mails(ADMIN), 3);
  });
}

Deno.test("the link is prepared after the response, and a shutdown waits for it", async () => {
  const setup = await createSetup();
  const { kv, devOutbox } = setup.site.services;
  const sent = Promise.withResolvers<void>();
  const info = { remoteAddr: { hostname: "192.0.2.1" }, completed: sent.promise };
  const response = await setup.site.handler(
    new Request(setup.site.services.surfaces.url("site", "/api/auth/request")!, {
      method: "POST",
      headers: { "content-type": "application/json", host: "site.localhost:8000" },
      body: JSON.stringify({ email: ADMIN }),
    }),
    info as unknown as Deno.ServeHandlerInfo,
  );
  assertEquals([response.status, await response.json()], [200, { success: true }]);
  const stored = await Array.fromAsync(kv.list({ prefix: [] }));
  assertEquals(stored.map(({ key }) => key[0]), ["link_requests"]); // encrypted
  assertEquals(devOutbox!.list(), []);
  const closed = setup.site.services.close();
  assertEquals(devOutbox!.list(), []);
  sent.resolve();
  await closed;
  assertEquals(devOutbox!.list().length, 1);
});

Deno.test("a session of one surface is refused by every other", async () => {
  await using setup = await createSetup();
  const pages = {
    "site": "/account",
    "workbench": "/account",
    "foundation-console": "/console",
    "commercial-console": "/console",
  };
  const surfaces = Object.keys(pages) as (keyof typeof pages)[];
  for (const surface of surfaces) {
    const headers = { cookie: await setup.signIn(ADMIN, surface) };
    for (const on of surfaces) {
      const [page] = await locationOf(setup.open(pages[on], on, { headers }));
      assertEquals(page, on === surface ? 200 : 302, `${surface} on ${on}`);
      if (on === "site") continue;
      const [json] = await locationOf(setup.open("/api/bank/summary", on, { headers }));
      assertEquals(json, on === surface ? 200 : 401, `${surface} on ${on}`);
    }
  }
});

Deno.test("deno task sign-in-link prints a link that signs in on that surface", async () => {
  const folder = await Deno.makeTempDir();
  const path = join(folder, "site.kv");
  {
    using kv = await openKv(path);
    await claimStore(kv, Date.now());
  }
  const surface = "commercial-console";
  const printed = await runMain(signInLink, path, ["Admin@Example.org", surface]);
  assertEquals(printed.code, 0, printed.err);
  assertEquals(
    printed.err,
    "The link works once, within 15 minutes.\n" +
      "A passkey that the operator adds within 15 minutes of opening it replaces all others.\n",
  );
  const link = new URL(printed.out);
  assertEquals(link.origin, "http://ops.commercial.localhost:8000");
  {
    await using site = await createSite({}, { kv: await openKv(path) });
    const response = await site.request(surface, link.pathname + link.search);
    assertEquals(response.headers.get("location"), "/console/team/passkeys?next=%2Fconsole");
    assertMatch(response.headers.getSetCookie()[0], /^app_session=/);
  }
  await Deno.remove(folder, { recursive: true });
});

Deno.test("deno task sign-in-link works on a store that is reached over a network, and its link replaces lost passkeys", async () => {
  await using server = serveConnect({ delayMs: 10 });
  Deno.env.set("DENO_KV_ACCESS_TOKEN", server.token);
  const kv = await openKv(server.url);
  Deno.env.delete("DENO_KV_ACCESS_TOKEN");
  await using site = await createSite({ OPS_L1_EMAILS: ADMIN }, { kv });
  await claimStore(kv, Date.now());
  const surface = "commercial-console";
  const run = (token: string) =>
    startMain("sign_in_link", server.url, [ADMIN, surface], { DENO_KV_ACCESS_TOKEN: token });
  const printed = await run(server.token);
  assertEquals(printed.code, 0, printed.err);
  const link = new URL(printed.out);
  const response = await site.request(surface, link.pathname + link.search);
  const [cookie] = response.headers.getSetCookie()[0].split(";");
  const page = await site.request(surface, "/console/team/passkeys", { headers: { cookie } });
  assertStringIncludes(await page.text(), "Add your passkey");
  const refused = await run("another token");
  assertEquals([refused.code, refused.out], [2, ""]);
});

Deno.test("deno task sign-in-link refuses bad usage with 2, and addresses that are not of that console with 1", async () => {
  const folder = await Deno.makeTempDir();
  const path = join(folder, "site.kv");
  const kv = await openKv(path);
  const [email, at] = ["bob@example.org", new Date().toISOString()];
  const row = { email, layer: "L2", sessions_from: at, added_at: at, invited_by: ADMIN } as const;
  const commit = kv.atomic();
  operators.put(commit, ["foundation", email], row);
  await commit.commit();
  await claimStore(kv, Date.now());
  kv.close();
  const runs: [args: string[], code: number, path?: string][] = [
    [[email, "foundation-console"], 0],
    [[email, "commercial-console"], 1],
    [["admin@example.org", "trust"], 2],
    [["admin@example.org", "site"], 2, ":memory:"],
    [["eve@example.org", "foundation-console"], 1],
  ];
  await Promise.all(runs.map(async ([args, expected, store = path]) => {
    const { code, out, err } = await runMain(signInLink, store, args);
    assertEquals([code, out === ""], [expected, expected !== 0], err);
    assert(err.length > 0);
  }));
  await Deno.remove(folder, { recursive: true });
});
