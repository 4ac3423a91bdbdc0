import { assertEquals } from "@std/assert";
import { runChecklist } from "../lib/features/mcp/checklist/checklist.ts";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { createSite, type Site } from "./site.ts";

function checkSurface(site: Site, surface: SurfaceName) {
  const base = site.services.surfaces.url(surface)!;
  const fetch = (input: RequestInfo | URL, init?: RequestInit) => {
    const url = String(input);
    if (!url.startsWith(`${base}/`)) throw new Error(`${url} is not on ${surface}`);
    return site.request(surface, url.slice(base.length), init);
  };
  const sleep = () => Promise.reject(new Error("unexpected 429"));
  return runChecklist(`${base}/mcp`, { fetch, sleep, timeoutMs: 5_000 });
}

for (const mode of ["published", "challenge"]) {
  Deno.test(`MCP_OAUTH=${mode}: both MCP hosts pass every point of the checklist`, async () => {
    await using site = await createSite({ MCP_OAUTH: mode, MCP_RATE_LIMIT: "0" });
    for (const surface of ["foundation-mcp", "commercial-mcp"] as const) {
      const results = await checkSurface(site, surface);
      const failed = results.filter(({ outcome }) => outcome !== "pass");
      assertEquals(failed, [], surface);
    }
  });
}
