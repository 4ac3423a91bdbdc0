import { assertEquals } from "@std/assert";
import { refreshFigures } from "./finance.ts";

const NOW = "2026-03-01T20:00:00.000Z";

/** A site whose endpoints answer so; what is not named answers well. */
function siteWith(answers: Record<string, () => Response>): typeof fetch {
  const right: Record<string, () => Response> = {
    refresh: () => Response.json({ refreshed: true, cached_at: NOW }),
    summary: () => Response.json({ entity: "Attest" }),
    accounts: () => Response.json({ accounts: [] }),
  };
  return (path) => {
    const name = String(path).replace("/api/bank/", "");
    return Promise.resolve((answers[name] ?? right[name])());
  };
}

const failing = (status: number, error: string) => () => Response.json({ error }, { status });

Deno.test("a refresh brings the figures, and the server's time with them", async () => {
  assertEquals(await refreshFigures(siteWith({})) as unknown, {
    summary: { entity: "Attest" },
    accounts: { accounts: [] },
    now: NOW,
  });
});

Deno.test("only the bank's own failure makes old figures of those that are shown", async () => {
  const failures: [Record<string, () => Response>, code: string, ofBank: boolean][] = [
    [{ refresh: failing(502, "auth_failed") }, "auth_failed", true],
    [{ refresh: failing(401, "unauthenticated") }, "signed_out", false],
    [{ refresh: failing(403, "forbidden") }, "not_open", false],
    [{ refresh: failing(500, "internal") }, "unreachable", false],
    [{ refresh: () => new Response("<html>", { status: 502 }) }, "unreachable", false],
    [{ refresh: () => Response.error() }, "unreachable", false],
    [{ summary: failing(401, "unauthenticated") }, "signed_out", false],
    [{ accounts: failing(403, "forbidden") }, "not_open", false],
    [{ accounts: failing(500, "internal") }, "unreachable", false],
  ];
  for (const [answers, code, ofBank] of failures) {
    assertEquals(await refreshFigures(siteWith(answers)), { code, ofBank });
  }
  const gone = () => Promise.reject(new TypeError("no network"));
  assertEquals(await refreshFigures(gone), { code: "unreachable", ofBank: false });
});
