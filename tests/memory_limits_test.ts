import { assertEquals } from "@std/assert";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../lib/base/time.ts";
import { createSite, type Site } from "./site.ts";

const from = { clientAddress: "203.0.113.7" };

/** The limits in memory: a call that counts, and the window of the limit. */
const LIMITS: Record<string, [call: (site: Site) => Promise<boolean>, windowMs: number]> = {
  "requests to /mcp": [
    async ({ request }) => {
      const response = await request("foundation-mcp", "/mcp", {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
        body: `{"jsonrpc":"2.0","id":1,"method":"ping"}`,
      });
      await response.body?.cancel();
      return response.status !== 429;
    },
    MINUTE_MS,
  ],
  "look-ups of keys": [
    async ({ services: { records, surfaces } }) =>
      isAllowed(
        await records.keyService.lookUp({
          key: "x",
          surface: surfaces.get("trust")!,
          holder: null,
          fromPage: false,
          ...from,
        }),
      ),
    MINUTE_MS,
  ],
  "look-ups of documents": [
    async ({ services: { readings } }) => isAllowed(await readings.lookUp("x", from.clientAddress)),
    MINUTE_MS,
  ],
  "token requests": [
    async ({ request }) => {
      const response = await request("foundation-mcp", "/token", {
        method: "POST",
        body: new URLSearchParams({ grant_type: "refresh_token", refresh_token: "x" }),
      });
      await response.body?.cancel();
      return response.status !== 429;
    },
    MINUTE_MS,
  ],
};

const isAllowed = (result: { ok: true } | { ok: false; error: string }) =>
  result.ok || result.error !== "rate_limited";

for (const [title, [call, windowMs]] of Object.entries(LIMITS)) {
  Deno.test(`the limit of ${title} holds when the system's clock jumps, and ends in time`, async () => {
    const time = { system: Date.UTC(2026, 10, 22, 12), monotonic: 0 };
    await using site = await createSite({ MCP_RATE_LIMIT: "5" }, {
      clock: () => time.system,
      monotonic: () => time.monotonic,
    });
    for (let i = 0; await call(site); i++) {
      if (i === 1_000) throw new Error("There is no limit.");
    }
    time.system += DAY_MS;
    assertEquals(await call(site), false, "a jump forward must not lift the limit");
    time.system -= 2 * DAY_MS + HOUR_MS;
    time.monotonic += windowMs;
    assertEquals(await call(site), true, "a jump back must not lock anyone out");
  });
}
