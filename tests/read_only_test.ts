import { assert, assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { unwrap } from "../lib/platform/http/errors.ts";
import { readRecord, recordRows } from "../lib/features/records/mod.ts";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { routeExamples } from "./route_examples.ts";
import { CASES } from "./separation_cases.ts";
import { CONSOLES, PEOPLE, separationSite } from "./separation_site.ts";
import { createSite } from "./site.ts";

const NOTICE = "This site is read-only at the moment.";

const filled = await separationSite();
const ids = await filled.fill("commercial", "tamarind");
const { config } = filled.site.services;
await filled.site.services.publicLog.signers(); // generates the key, as the log's first run does
const READ_ONLY = { readOnly: true, id: null, region: null, allowEmpty: false };

/** The site after a restart with READ_ONLY=1, with empty caches, and without it. */
const [site, writable] = await Promise.all(
  [READ_ONLY, config.store].map((store) =>
    createSite({}, {
      kv: filled.site.services.kv,
      clock: () => filled.clock.now,
      pause: () => Promise.resolve(),
      configure: () => ({ ...config, store }),
    })
  ),
);

const { records, documents, kv, mailer, push } = filled.site.services;
const { row } = (await readRecord(kv, ids.record))!;
await kv.set(recordRows.key(ids.record), { ...row, level: 3 });
const reader = { network: "203.0.113.0/24", browser: "Firefox on Linux" };
const { key } = unwrap(await records.keys.issue({ hash: ids.record, reader }));
const by = PEOPLE.L1;
unwrap(await documents.edit(ids.document, { guessable: false }, by));
const [{ original: { sha256 } }] = (await documents.read(ids.document))!.versions;

const cookies = await Promise.all([
  filled.cookie(PEOPLE.L1, "workbench"),
  filled.signIn([ids.record], { on: "workbench" }),
]);
const admin = await filled.cookie(PEOPLE.L1, CONSOLES.commercial);
// Messages that are being sent are written to the store when they have been sent.
await Promise.all([mailer.flush(), push.flush()]);
const before = await filled.entries();

const send = (
  on: { request: typeof site.request },
  surface: SurfaceName,
  path: string,
  cookie: string,
  body?: BodyInit,
  headers: Record<string, string> = {},
) =>
  on.request(surface, path, {
    method: body === undefined ? "GET" : "POST",
    body,
    redirect: "manual",
    headers: {
      accept: "text/html",
      cookie,
      origin: site.services.surfaces.url(surface)!,
      ...headers,
    },
  });

async function assertStoreUnchanged(): Promise<void> {
  assertEquals(await filled.entries(), before);
}

Deno.test("searches, exports and documents of a console respond, and nothing is written", async () => {
  for (const [route, cases] of Object.entries(CASES)) {
    for (
      const each of cases.filter(({ kind }) => kind !== "action" && route !== "/api/bank/refresh")
    ) {
      const form = each.form?.(ids, ids);
      const body = form && new URLSearchParams(form);
      const response = await send(site, CONSOLES.commercial, each.path(ids, ids), admin, body);
      await response.body?.cancel();
      assert([200, 303].includes(response.status), `${response.status} ${each.path(ids, ids)}`);
    }
  }
  await assertStoreUnchanged();
});

Deno.test("MCP calls, the key service and the document check respond, and nothing is written", async () => {
  const json = {
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
  };
  const post = async (surface: SurfaceName, path: string, body: unknown) => {
    const response = await send(site, surface, path, "", JSON.stringify(body), json);
    return { status: response.status, body: await response.json() };
  };
  const call = { name: "verify_chain", arguments: { record_hash: ids.record } };
  const request = { jsonrpc: "2.0", id: 1, method: "tools/call", params: call };
  const mcp = await post("commercial-mcp", "/mcp", request);
  assertEquals([mcp.status, mcp.body.result.isError ?? false], [200, false]);
  const card = await post("trust", "/k", { key });
  assertEquals([card.status, card.body.level, card.body.nonce], [200, 3, undefined]);
  const check = await post("trust", "/check", { sha256 });
  assertEquals([check.status, check.body.nonce], [200, null]);
  await assertStoreUnchanged();
});

const JSON_POSTS: [surface: SurfaceName, path: string][] = [
  ["site", "/api/auth/request"],
  ["site", "/api/auth/verify"],
  ["site", "/api/auth/logout"],
  ["site", "/account/saved"],
  ["api", "/api/ir/register"],
  ["trust", "/my-record/sign-in"],
  ["trust", "/my-record/choose"],
  ["trust", "/api/auth/otp/send"],
  ["trust", "/api/auth/verify-passkey"],
  ["trust", "/api/codes/status"],
  ["trust", "/k/verified"],
  ["trust", "/check/verified"],
  ["trust", `/d/${ids.document}/request`],
  ["commercial-mcp", "/register"],
  ["commercial-mcp", "/token"],
  ["commercial-console", "/api/bank/refresh"],
  ["commercial-console", "/api/payments/webhook"],
];

Deno.test("writes return 503 with the code read_only, and nothing is written", async () => {
  for (const [surface, path] of JSON_POSTS) {
    const json = { accept: "application/json", "content-type": "application/json" };
    const response = await send(site, surface, path, cookies.join("; "), "{}", json);
    const { error } = await response.json();
    const retry = response.headers.get("retry-after");
    assertEquals([response.status, error, retry], [503, "read_only", "60"], path);
  }
  for (const each of Object.values(CASES).flat().filter(({ kind }) => kind === "action")) {
    const body = new URLSearchParams(each.form?.(ids, ids));
    const path = each.path(ids, ids);
    const response = await send(site, CONSOLES.commercial, path, admin, body);
    await response.body?.cancel();
    assertEquals(response.status, 503, path);
  }
  await site.services.mailer.flush();
  await assertStoreUnchanged();
});

Deno.test("a refused form gets a page that says so, and offers another try later", async () => {
  const body = new URLSearchParams({ email: "someone@example.com" });
  const response = await send(site, "site", "/api/auth/request", "", body);
  const page = await response.text();
  assertEquals(response.status, 503);
  assertStringIncludes(page, "The site is read-only at the moment, so nothing was changed.");
  assertStringIncludes(page, NOTICE);
});

Deno.test("no job starts, and /readyz reports a process that can read", async () => {
  await site.services.jobs.tick();
  await assertStoreUnchanged();
  const ready = await site.handler(new Request("http://10.0.0.7/readyz"));
  assertEquals([ready.status, (await ready.json()).status], [200, "read_only"]);
  const home = await writable.request("site", "/");
  assertFalse((await home.text()).includes(NOTICE));
});

// The last test, because it also sends the requests to the site that may write.
Deno.test("every GET route responds as before, and nothing is written", async () => {
  const paths = routeExamples(site.services, ids);
  const responses = new Map<string, string>();
  for (const cookie of [cookies.join("; "), ""]) {
    for (const path of paths) {
      const response = await send(site, "workbench", path, cookie);
      const text = await response.text();
      const isPage = text.startsWith("<!DOCTYPE html>");
      if (isPage) assertStringIncludes(text, NOTICE, path);
      responses.set(`${path} ${cookie}`, `${path} ${response.status}`);
    }
  }
  await assertStoreUnchanged();
  for (const [key, expected] of responses) {
    const [path, ...cookie] = key.split(" ");
    const response = await send(writable, "workbench", path, cookie.join(" "));
    await response.body?.cancel();
    assertEquals(expected, `${path} ${response.status}`);
  }
});
