import { assertEquals } from "@std/assert";
import { accountIdOf, accountPath, refreshFigures } from "./finance.ts";

const NOW = "2026-03-01T20:00:00.000Z";

/** Returns a `fetch` with these responses. All other endpoints succeed. */
function fetchWith(responses: Record<string, () => Response>): typeof fetch {
  const normal: Record<string, () => Response> = {
    refresh: () => Response.json({ refreshed: true, cached_at: NOW }),
    summary: () => Response.json({ entity: "Attest" }),
    accounts: () => Response.json({ accounts: [] }),
  };
  return (path) => {
    const name = String(path).replace("/api/bank/", "");
    return Promise.resolve((responses[name] ?? normal[name])());
  };
}

const failing = (status: number, error: string) => () => Response.json({ error }, { status });

Deno.test("refreshFigures() returns the figures and the server's time", async () => {
  assertEquals(await refreshFigures(fetchWith({})) as unknown, {
    ok: true,
    figures: { summary: { entity: "Attest" }, accounts: { accounts: [] }, now: NOW },
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
    [{ summary: failing(401, "unauthenticated") }, "signed_out", false],
    [{ accounts: failing(403, "forbidden") }, "no_access", false],
    [{ accounts: failing(500, "internal") }, "unreachable", false],
  ];
  for (const [responses, error, fromBank] of failures) {
    assertEquals(await refreshFigures(fetchWith(responses)), { ok: false, error, fromBank });
  }
  const offline = () => Promise.reject(new TypeError("no network"));
  assertEquals(await refreshFigures(offline), {
    ok: false,
    error: "unreachable",
    fromBank: false,
  });
});

Deno.test("accountIdOf() returns the id passed to accountPath(), whatever characters it contains", () => {
  for (const id of ["0b6ea12a-1111-4111-8111-111111111111", "a/b?c#d", "acc:1", "50% é", "%2F"]) {
    const { pathname } = new URL(accountPath(id), "https://ops.example");
    assertEquals(pathname.split("/").length, 4, id);
    assertEquals(accountIdOf(pathname), id);
  }
  assertEquals(accountIdOf("/console/finance/%ff"), undefined);
});
