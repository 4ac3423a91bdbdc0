import { assertEquals } from "@std/assert";
import { refreshFigures } from "./finance.ts";

const NOW = "2026-03-01T20:00:00.000Z";

const SINCE = "2026-02-28";
const FIGURES = `/console/finance?since=${SINCE}&format=json&wait=1`;

/** Returns a `fetch` with these responses. All other endpoints succeed. */
function fetchWith(responses: Record<string, () => Response>): typeof fetch {
  const normal: Record<string, () => Response> = {
    refresh: () => Response.json({ refreshed: true, cached_at: NOW }),
    figures: () => Response.json({ summary: { entity: "Attest" }, now: NOW }),
  };
  return (path) => {
    const name = path === FIGURES ? "figures" : String(path).replace("/api/bank/", "");
    return Promise.resolve((responses[name] ?? normal[name])());
  };
}

const failing = (status: number, error: string) => () => Response.json({ error }, { status });

Deno.test("refreshFigures() returns the page's figures after the refresh, for the chosen day", async () => {
  assertEquals(await refreshFigures(SINCE, fetchWith({})) as unknown, {
    ok: true,
    figures: { summary: { entity: "Attest" }, now: NOW },
  });
});

Deno.test("refreshFigures() distinguishes bank failures from others", async () => {
  const failures: [Record<string, () => Response>, error: string, fromBank: boolean][] = [
    [{ refresh: failing(502, "auth_failed") }, "auth_failed", true],
    [{ refresh: failing(401, "unauthenticated") }, "signed_out", false],
    [{ refresh: failing(403, "forbidden") }, "no_access", false],
    [{ refresh: failing(500, "internal") }, "unreachable", false],
    [{ refresh: () => new Response("<html>", { status: 502 }) }, "unreachable", false],
    [{ refresh: () => Response.error() }, "unreachable", false],
    [{ figures: failing(401, "unauthenticated") }, "signed_out", false],
    [{ figures: failing(403, "forbidden") }, "no_access", false],
    [{ figures: failing(500, "internal") }, "unreachable", false],
  ];
  for (const [responses, error, fromBank] of failures) {
    assertEquals(await refreshFigures(SINCE, fetchWith(responses)), { ok: false, error, fromBank });
  }
  const offline = () => Promise.reject(new TypeError("no network"));
  assertEquals(await refreshFigures(SINCE, offline), {
    ok: false,
    error: "unreachable",
    fromBank: false,
  });
});
