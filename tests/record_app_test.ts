import { assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { Buffer } from "node:buffer";
import { createECDH } from "node:crypto";
import { PNG } from "pngjs";
import { fakePush } from "../lib/features/push/testing/fake_provider.ts";
import { statusOf } from "./contact_site.ts";
import { recordFixture } from "./record_site.ts";
import { createSite } from "./site.ts";

const WORKER = "/workers/record_app.js";
const MANIFEST = "/my-record/manifest.webmanifest";

Deno.test("the manifest has the members that installation requires, and its icons have the stated sizes", async () => {
  await using site = await createSite();
  const response = await site.request("trust", MANIFEST);
  assertEquals(response.headers.get("content-type"), "application/manifest+json");
  assertEquals(response.headers.get("cache-control"), "no-cache");
  const manifest = await response.json();
  const { name, short_name, display, start_url, scope, id } = manifest;
  assertEquals([display, start_url, scope, id], ["standalone", ...Array(3).fill("/my-record")]);
  assertEquals([name, short_name], [
    `My record · ${site.services.config.organisations.commercial.name}`,
    "My record",
  ]);
  const purposes = manifest.icons.map((icon: { purpose: string; sizes: string }) =>
    `${icon.purpose} ${icon.sizes}`
  );
  assertEquals(purposes, ["any 192x192", "any 512x512", "maskable 192x192", "maskable 512x512"]);
  for (const { src, sizes } of manifest.icons) {
    const file = await site.request("trust", src);
    const { width, height } = PNG.sync.read(Buffer.from(await file.arrayBuffer()));
    assertEquals(`${width}x${height}`, sizes, src);
  }
});

Deno.test("the worker may control /my-record, is always revalidated and may call only its own site", async () => {
  await using site = await createSite();
  const { status, headers, body } = await site.request("trust", WORKER);
  assertEquals([status, headers.get("service-worker-allowed")], [200, "/my-record"]);
  assertEquals(headers.get("cache-control"), "no-cache");
  assertMatch(headers.get("content-type")!, /^text\/javascript/);
  assertEquals(
    headers.get("content-security-policy"),
    "default-src 'none'; connect-src 'self'; frame-ancestors 'none'",
  );
  await body?.cancel();
});

Deno.test("pages of records are installable, including on iOS; other pages are not", async () => {
  await using fixture = await recordFixture();
  const { cookie } = await fixture.holder();
  const head = async (path: string, cookie?: string) =>
    (await (await fixture.fetch(path, { cookie })).text()).split("</head>")[0];
  for (const path of ["/my-record", "/my-record/log", "/my-record/notifications"]) {
    const html = await head(path, cookie);
    assertStringIncludes(html, `<link rel="manifest" href="${MANIFEST}"`);
    assertStringIncludes(html, `<meta name="apple-mobile-web-app-capable" content="yes"`);
    assertStringIncludes(html, `<meta name="apple-mobile-web-app-title" content="My record"`);
    assertStringIncludes(html, `rel="apple-touch-icon"`);
    assertEquals(html.match(/<meta name="theme-color"/g)?.length, 2);
  }
  assertStringIncludes(await head("/my-record"), MANIFEST);
  for (const path of ["/", "/k", "/terms"]) assertFalse((await head(path)).includes("manifest"));
});

Deno.test("RECORD_APP=off removes the manifest and serves a worker that removes itself", async () => {
  await using fixture = await recordFixture({ RECORD_APP: "off" });
  const { cookie } = await fixture.holder();
  assertEquals(await statusOf(fixture.fetch(MANIFEST)), 404);
  const worker = await fixture.fetch(WORKER);
  assertEquals(worker.headers.get("cache-control"), "no-cache");
  assertEquals(worker.headers.get("service-worker-allowed"), "/my-record");
  assertStringIncludes(await worker.text(), "registration.unregister()");
  for (const page of [fixture.fetch("/my-record"), fixture.fetch("/my-record", { cookie })]) {
    const html = await (await page).text();
    // The record page uses the same island to check the log.
    assertFalse(/manifest|"installable":true/.test(html));
  }
});

Deno.test("a subscription for a record that is no longer open returns 409", async () => {
  const push = fakePush();
  await using fixture = await recordFixture({}, { pushProviders: { web: push } });
  const { hash, cookie } = await fixture.holder();
  const point = () => createECDH("prime256v1").generateKeys().toString("base64url");
  const json = {
    endpoint: "https://fcm.googleapis.com/fcm/send/abc",
    keys: { p256dh: point(), auth: "A".repeat(22) },
    vapid: point(),
  };
  const post = (record: unknown) =>
    statusOf(fixture.fetch("/api/push/subscribe", { cookie, json: { ...json, record } }));
  assertEquals(await post("0".repeat(64)), 409);
  assertEquals(await post(7), 400);
  assertEquals(await fixture.count("push_subscriptions"), 0);
  assertEquals(await post(hash), 201);
});
