import { assert, assertEquals, assertRejects } from "@std/assert";
import { relayConfigSchema } from "../lib/features/relay/mod.ts";
import { sandboxRelay, startOriginSandbox } from "./origin.ts";

Deno.test("the origin returns 403 without the complete token", async () => {
  await using sandbox = startOriginSandbox();
  const { clientId, clientSecret } = sandbox;
  const wrong: Record<string, string>[] = [
    {},
    { "edge-access-client-id": clientId },
    { "edge-access-client-id": clientId, "edge-access-client-secret": "x" },
    { "edge-access-client-id": "x", "edge-access-client-secret": clientSecret },
  ];
  for (const headers of wrong) {
    const response = await fetch(`${sandbox.origin}/records.json`, { headers });
    assertEquals(response.status, 403);
    assert((await response.text()).includes("Access required"));
  }
  assertEquals(sandbox.requests, []);
});

const RESPONSES: [path: string, status: number, type: string | null][] = [
  ["/", 200, "text/html; charset=utf-8"],
  ["/handbook/keeping", 200, "text/html; charset=utf-8"],
  ["/handbook/checking", 200, "text/html; charset=utf-8"],
  ["/handbook/handing-over", 200, "text/html; charset=utf-8"],
  ["/nothing-here", 404, "text/html; charset=utf-8"],
  ["/toString", 404, "text/html; charset=utf-8"],
  ["/handbook.css", 200, "text/css; charset=utf-8"],
  ["/mark.svg", 200, "image/svg+xml; charset=utf-8"],
  ["/records.json", 200, "application/json"],
  ["/echo", 200, "application/json"],
  ["/register.txt", 200, "text/plain; charset=utf-8"],
  ["/large?bytes=100000", 200, "application/octet-stream"],
  ["/compressed", 200, "text/html; charset=utf-8"],
  ["/redirect", 302, null],
  ["/moved", 302, null],
  ["/cookies", 200, "text/plain; charset=utf-8"],
  ["/slow-headers?ms=1", 200, "text/plain; charset=utf-8"],
  ["/slow-body?ms=1", 200, "text/plain; charset=utf-8"],
];

for (const [path, status, type] of RESPONSES) {
  Deno.test(`GET ${path} with the token returns ${status}`, async () => {
    await using sandbox = startOriginSandbox();
    const headers = {
      "edge-access-client-id": sandbox.clientId,
      "edge-access-client-secret": sandbox.clientSecret,
    };
    const response = await fetch(sandbox.origin + path, { headers, redirect: "manual" });
    assertEquals([response.status, response.headers.get("content-type")], [status, type]);
    const { byteLength } = await response.arrayBuffer();
    assertEquals(byteLength > 0, status !== 302);
    if (path.startsWith("/large")) assertEquals(byteLength, 100_000);
    assertEquals(sandbox.requests.map(({ path }) => path), [path]);
  });
}

Deno.test("the body of GET /broken is cut off", async () => {
  await using sandbox = startOriginSandbox();
  const headers = {
    "edge-access-client-id": sandbox.clientId,
    "edge-access-client-secret": sandbox.clientSecret,
  };
  const response = await fetch(`${sandbox.origin}/broken`, { headers });
  assertEquals(response.status, 200);
  await assertRejects(() => response.arrayBuffer(), TypeError);
});

Deno.test("stop() does not wait for a slow response", async () => {
  const sandbox = startOriginSandbox();
  const headers = {
    "edge-access-client-id": sandbox.clientId,
    "edge-access-client-secret": sandbox.clientSecret,
  };
  const response = await fetch(`${sandbox.origin}/slow-body?ms=600000`, { headers });
  await sandbox.stop();
  assertEquals(await response.text(), "");
});

Deno.test("sandboxRelay() returns a valid entry of RELAYS", async () => {
  await using sandbox = startOriginSandbox();
  const relay = sandboxRelay(sandbox);
  assertEquals(relayConfigSchema.parse(relay), relay);
});
