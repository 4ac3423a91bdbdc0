import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { productionEnv } from "../lib/app/testing/production.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { FOUNDATION_ACCOUNT_ID } from "../sandbox/bank_data.ts";
import { ADMIN, type BankSite, BOARD, createBankSite, STRANGER } from "./bank_site.ts";

/** Not signed in, an address on neither list, a board member, and an administrator. */
const PEOPLE = [null, STRANGER, BOARD, ADMIN];
const FORM = { "content-type": "application/x-www-form-urlencoded" };

interface RouteCase {
  path: string;
  method?: string;
  headers?: Record<string, string>;
  /** The statuses for {@link PEOPLE}. */
  statuses: number[];
  commercialOnly?: true;
}

const ROUTES: RouteCase[] = [
  { path: "/api/bank/summary", statuses: [401, 403, 200, 200] },
  { path: "/api/bank/summary", method: "HEAD", statuses: [401, 403, 200, 200] },
  { path: "/api/bank/accounts", statuses: [401, 403, 403, 200] },
  { path: "/api/bank/accounts", method: "HEAD", statuses: [401, 403, 403, 200] },
  { path: "/api/bank/refresh", method: "POST", statuses: [401, 403, 403, 200] },
  {
    path: "/api/bank/refresh",
    method: "POST",
    headers: FORM,
    statuses: [303, 403, 403, 303],
  },
  {
    path: `/api/bank/transactions?account_id=${FOUNDATION_ACCOUNT_ID}&limit=1`,
    statuses: [401, 403, 403, 200],
    commercialOnly: true,
  },
  // The layer is checked before the query.
  { path: "/api/bank/transactions", statuses: [401, 403, 403, 400], commercialOnly: true },
  { path: "/console", statuses: [302, 403, 200, 200] },
  { path: "/console/report", statuses: [302, 403, 200, 200] },
  { path: "/console/team", statuses: [302, 403, 200, 200] },
  { path: "/console/team/0123456789abcdef", statuses: [302, 403, 403, 404] },
  { path: "/console/team/passkeys", statuses: [302, 403, 200, 200] },
  { path: "/console/team/join?token=x", statuses: [410, 410, 410, 410] },
  { path: "/console/finance", statuses: [302, 403, 403, 200] },
  {
    path: `/console/finance/${FOUNDATION_ACCOUNT_ID}`,
    statuses: [302, 403, 403, 200],
    commercialOnly: true,
  },
  {
    path: `/console/finance/${FOUNDATION_ACCOUNT_ID}?format=csv`,
    statuses: [302, 403, 403, 200],
    commercialOnly: true,
  },
  {
    path: `/console/finance/${FOUNDATION_ACCOUNT_ID}?format=json`,
    statuses: [302, 403, 403, 200],
    commercialOnly: true,
  },
  {
    path: `/console/finance/${FOUNDATION_ACCOUNT_ID}?chart=balance`,
    statuses: [302, 403, 403, 200],
    commercialOnly: true,
  },
  { path: "/console/surfaces", statuses: [302, 403, 403, 200] },
  { path: "/console/infra", statuses: [302, 403, 403, 200] },
  { path: "/api/infra/map", statuses: [401, 403, 403, 200] },
  { path: "/console/records", statuses: [302, 403, 200, 200] },
  {
    path: "/console/records",
    method: "POST",
    headers: FORM,
    statuses: [303, 403, 403, 303],
  },
  { path: `/console/records/${"0".repeat(64)}`, statuses: [302, 403, 403, 404] },
];

const SETTINGS: [title: string, surface: SurfaceName, env: Record<string, string>][] = [
  ["the foundation's console", "foundation-console", {}],
  ["the foundation's console after the split", "foundation-console", { FOUNDATION_ACCOUNT_ID }],
  ["the commercial console", "commercial-console", {}],
  ["the workbench", "workbench", {}],
];

/** Text that only operators may see. */
const FIGURES = /total_balance|"balance"|\$[\d,]+\.\d\d|last4|refreshed|Surfaces and routes/;

for (const [title, surface, env] of SETTINGS) {
  for (const [i, person] of PEOPLE.entries()) {
    Deno.test(`on ${title}, ${person ?? "nobody"} gets the statuses of its layer`, async () => {
      await using fixture = await createBankSite(env);
      for (const { path, method = "GET", headers = {}, statuses, commercialOnly } of ROUTES) {
        const closed = commercialOnly && surface === "foundation-console";
        const expected = closed ? 404 : statuses[i];
        const response = await fixture.request(surface, path, person, { method, headers });
        const body = await response.text();
        const about = `${method} ${path}`;
        assertEquals(response.status, expected, about);
        const type = response.headers.get("content-type") ?? "";
        if (path.startsWith("/api/") && !headers["content-type"]) {
          assertMatch(type, /^application\/json/, about);
        }
        if (expected < 400 || expected === 401 || expected === 403) {
          assertEquals(response.headers.get("cache-control"), "no-store", about);
        }
        if (expected !== 200) assert(!FIGURES.test(body), `${about}: ${body}`);
        if (body !== "" && type.startsWith("application/json")) {
          const codes: Record<number, string> = { 401: "unauthenticated", 403: "forbidden" };
          assertEquals(JSON.parse(body).error, codes[expected] ?? JSON.parse(body).error);
        }
        if (expected === 302) {
          const next = encodeURIComponent(path).replaceAll("%2F", "/");
          assertEquals(response.headers.get("location"), `/auth?next=${next}`);
        }
        if (expected === 403 && type.startsWith("text/html")) {
          assertStringIncludes(body, "No access");
          assertStringIncludes(body, person!);
          assertStringIncludes(body, `action="/api/auth/logout"`);
          assertMatch(
            body,
            /<div class="console stack relative text-medium">/,
            "in the console's frame",
          );
          assertMatch(body, /href="mailto:/);
          assert(!/\b403\b/.test(body.replaceAll(/<[^>]*>/g, "")), "without the status code");
        }
      }
    });
  }
}

Deno.test("a 403 page names the required layer", async () => {
  await using fixture = await createBankSite();
  const refused = async (email: string, path: string) => {
    const response = await fixture.request("commercial-console", path, email);
    return (await response.text()).replaceAll(/<[^>]*>/g, "");
  };
  const board = await refused(BOARD, "/console/finance");
  assertStringIncludes(board, `signed in as ${BOARD}, a board member (L2)`);
  assertStringIncludes(board, "for full administrators (L1)");
  const stranger = await refused(STRANGER, "/console");
  assertStringIncludes(stranger, "no access to this console");
  assertStringIncludes(stranger, "for board members (L2) and full administrators (L1)");
});

/** Text that only programs need. */
const CODES = /\b(404|405|500|503)\b|not_found|method_not_allowed|internal|unavailable/;

Deno.test("error pages keep the console's frame, with a link back and a contact, but no codes", async () => {
  await using fixture = await createBankSite();
  const headers = { accept: "text/html" };
  const cases: [surface: SurfaceName, path: string, method: string, status: number][] = [
    ["commercial-console", "/console/nowhere", "GET", 404],
    ["commercial-console", "/nowhere", "GET", 404],
    ["commercial-console", "/console/finance/unknown", "GET", 404],
    ["foundation-console", `/console/finance/${FOUNDATION_ACCOUNT_ID}`, "GET", 404],
    ["workbench", "/console/nowhere", "GET", 404],
  ];
  for (const [surface, path, method, status] of cases) {
    for (const person of [null, STRANGER, BOARD, ADMIN]) {
      if (path.includes("/finance/") && surface === "commercial-console" && person !== ADMIN) {
        continue;
      }
      const response = await fixture.request(surface, path, person, { method, headers });
      const html = await response.text();
      const about = `${person} ${surface} ${path}`;
      const words = html.replaceAll(/<head>.*<\/head>|<[^>]*>/gs, " ").replaceAll(/\s+/g, " ");
      assertEquals(response.status, status, about);
      assertEquals(response.headers.get("cache-control"), "no-store", about);
      assertStringIncludes(html, `<div class="console stack relative text-medium">`, about);
      assertMatch(words, /Page not found There is nothing at this address\./, about);
      assertMatch(html, /<main[^]*<a href="mailto:[^]*<\/main>/, about);
      assert(!CODES.test(words), words);
      assertMatch(
        html,
        person === null
          ? /<main[^]*<a href="\/auth">Sign in<\/a>[^]*<\/main>/
          : /<main[^]*<a href="\/console"[^>]*>Dashboard<\/a>[^]*<\/main>/,
      );
      assertEquals(html.includes(`href="/console/finance"`), person === ADMIN, about);
      assertEquals(html.includes(`href="/console/surfaces"`), person === ADMIN, about);
      assertEquals(html.includes(`href="/console/records"`), person === ADMIN || person === BOARD);
      if (person !== null) assertStringIncludes(words, person);
    }
  }
});

Deno.test("an unexpected error keeps the console's frame, even while sessions cannot be read", async () => {
  await using fixture = await createBankSite({}, {}, { log: () => {} });
  const { auth, treasuries } = fixture.site.services;
  const headers = {
    accept: "text/html",
    cookie: await fixture.signIn(ADMIN, "commercial-console"),
  };
  const read = async () => {
    const response = await fixture.site.request("commercial-console", "/console", { headers });
    assertEquals(response.status, 500);
    return (await response.text()).replaceAll(/<head>.*<\/head>/gs, "");
  };
  treasuries.commercial.summary = () => Promise.reject(new Error("secret detail"));
  const html = await read();
  assertStringIncludes(html, ADMIN);
  assertMatch(html, /<main[^]*Something went wrong[^]*>Dashboard<\/a>[^]*mailto:/);
  auth.getSession = () => Promise.reject(new Error("secret detail"));
  const without = await read();
  assertStringIncludes(without, `<div class="console stack relative text-medium">`);
  for (const page of [html, without]) {
    assert(!page.includes("secret detail") && !CODES.test(page.replaceAll(/<[^>]*>/g, "")));
  }
});

Deno.test("error pages of other surfaces show a link back and a contact, but no codes", async () => {
  await using fixture = await createBankSite();
  for (const surface of ["site", "commercial", "trust", "workbench"] as const) {
    const response = await fixture.site.request(surface, "/nowhere", {
      headers: { accept: "text/html" },
    });
    const html = await response.text();
    assertEquals(response.status, 404);
    assert(!html.includes(`class="console stack relative text-medium"`));
    assertMatch(html, /<main[^]*href="\/"[^]*href="mailto:[^]*<\/main>/);
    const main = /<main[^]*<\/main>/.exec(html)![0].replaceAll(/<[^>]*>/g, " ");
    assert(!CODES.test(main), main);
  }
});

Deno.test("a console's sign-in page states who may sign in and does not offer an account", async () => {
  await using fixture = await createBankSite();
  const read = async (surface: SurfaceName, query = "") => {
    const html = await (await fixture.site.request(surface, `/auth${query}`)).text();
    return html.replaceAll(/<script[^]*?<\/script>|<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  };
  for (const query of ["", "?error=expired"]) {
    for (
      const [surface, name] of [["foundation-console", "foundation"], [
        "commercial-console",
        "commercial",
      ]] as const
    ) {
      const words = await read(surface, query);
      const organisation = fixture.site.services.config.organisations[name];
      assertStringIncludes(
        words,
        `Sign in to the console For administrators and board members of ${organisation.name} only.`,
      );
      assert(!/create|account/i.test(words), words);
    }
    assertStringIncludes(await read("site", query), "Sign in or create your account We email you");
  }
});

Deno.test("signing in leads to the requested page with its query, after the question about a passkey", async () => {
  await using fixture = await createBankSite();
  const { site } = fixture;
  const path = "/console/surfaces?a=1&b=2";
  const away = await site.request("commercial-console", path);
  const location = new URL(away.headers.get("location")!, "http://ops.commercial.localhost:8000");
  assertEquals(location.searchParams.get("next"), path);
  const requested = await site.request("commercial-console", "/api/auth/request", {
    method: "POST",
    body: new URLSearchParams({ email: ADMIN, next: location.searchParams.get("next")! }),
  });
  await requested.body?.cancel();
  await site.services.mailer.flush();
  const link = new URL(site.services.devOutbox!.list()[0].link!);
  const back = await site.request("commercial-console", link.pathname + link.search);
  const asked = new URL(back.headers.get("location")!, location);
  assertEquals(asked.searchParams.get("next"), path);
});

Deno.test("layers are computed for each request, so removing an address takes effect during its session", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const open = async (env: Record<string, string>) =>
      await createBankSite(env, {}, {
        kv: await openKv(`${folder}/site.kv`),
      });
    await using before = await open({ OPS_L1_EMAILS: "ada@example.org", OPS_L2_EMAILS: BOARD });
    await using after = await open({ OPS_L1_EMAILS: "eve@example.org", OPS_L2_EMAILS: BOARD });
    await using moved = await open({ OPS_L1_EMAILS: "", OPS_L2_EMAILS: "ada@example.org" });
    const cookie = await before.signIn("ada@example.org", "foundation-console");
    const headers = { cookie };
    const seen = async (of: BankSite) => {
      const statuses = [];
      for (const path of ["/api/bank/summary", "/api/bank/accounts", "/console/report"]) {
        const response = await of.site.request("foundation-console", path, { headers });
        await response.body?.cancel();
        statuses.push(response.status);
      }
      return statuses;
    };
    assertEquals(await seen(before), [200, 200, 200]);
    assertEquals(await seen(after), [403, 403, 403]);
    assertEquals(await seen(moved), [200, 403, 200]);
    assertEquals(await seen(before), [200, 200, 200]);
    for await (const { value } of before.site.services.kv.list({ prefix: ["sessions"] })) {
      assert(!/L1|L2|layer/.test(JSON.stringify(value)), "sessions do not store the layer");
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("addresses are normalised, and an address on both lists is L1", async () => {
  await using fixture = await createBankSite({
    OPS_L1_EMAILS: " Both@Example.ORG , ＡＤＡ@example.org,josé@example.org",
    OPS_L2_EMAILS: "both@example.org, Board@EXAMPLE.org",
  });
  const status = async (typed: string) => {
    const response = await fixture.request("commercial-console", "/api/bank/accounts", typed);
    await response.body?.cancel();
    return response.status;
  };
  assertEquals(await status("both@example.org"), 200);
  assertEquals(await status("BOTH@example.org"), 200);
  assertEquals(await status("Ada@Example.org"), 200);
  assertEquals(await status("JOSE\u0301@example.org"), 200);
  assertEquals(await status("jose@example.org"), 403);
  assertEquals(await status("board@example.org"), 403);
  // Similar addresses are different addresses.
  assertEquals(await status("both+1@example.org"), 403);
  assertEquals(await status("both@example.org.au"), 403);
});

Deno.test("empty lists give nobody access in production", async () => {
  await using fixture = await createBankSite(productionEnv({
    "commercial-console": ["ops.example"],
  }, { BANK_API_BASE: "https://bank.example", OPS_L1_EMAILS: "", OPS_L2_EMAILS: "" }));
  for (const email of [ADMIN, BOARD]) {
    const response = await fixture.request("commercial-console", "/api/bank/summary", email);
    await response.body?.cancel();
    assertEquals(response.status, 403);
  }
});

Deno.test("other methods return 405 with Allow, even without a session", async () => {
  await using fixture = await createBankSite();
  const allowed = {
    summary: "GET, HEAD",
    accounts: "GET, HEAD",
    transactions: "GET, HEAD",
    refresh: "POST",
  };
  for (const [name, allow] of Object.entries(allowed)) {
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
      if (allow.includes(method)) continue;
      const response = await fixture.request("commercial-console", `/api/bank/${name}`, null, {
        method,
      });
      assertEquals([response.status, response.headers.get("allow")], [405, allow], method + name);
      assertEquals((await response.json()).error, "method_not_allowed");
    }
  }
});
