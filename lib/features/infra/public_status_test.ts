import { assertEquals } from "@std/assert";
import type { Check, Checks } from "./monitor.ts";
import { publicStatus } from "./public_status.ts";

const PROBES = ["store", "sessions", "mail", "bank:commercial", "origin:docs"];
const check = (state: Check["state"], at: number): Check => ({
  state,
  at,
  latencyMs: 1234,
  detail: "smtp.internal.example refused",
});
const statusOf = (checks: Record<string, Check>) =>
  publicStatus(new Map(Object.entries(checks)) as Checks, PROBES);

Deno.test("the public status has only the services that visitors depend on, without details", () => {
  const { services } = statusOf({ store: check("up", 0), "bank:commercial": check("down", 0) });
  assertEquals(services.map(({ name, state }) => [name, state]), [
    ["Records", "up"],
    ["Sign-in", "checking"],
    ["Mail", "checking"],
  ]);
  for (const service of services) {
    assertEquals(Object.keys(service), ["name", "purpose", "state"]);
  }
});

Deno.test("the worst public service counts, and the oldest check", () => {
  const up = { store: check("up", 2000), sessions: check("up", 1000), mail: check("up", 3000) };
  const summary = (checks: Record<string, Check>) => {
    const { state, checkedAt } = statusOf(checks);
    return [state, checkedAt];
  };
  assertEquals(summary({}), ["checking", null]);
  assertEquals(summary(up), ["up", "1970-01-01T00:00:01.000Z"]);
  // The bank is behind the console.
  assertEquals(summary({ ...up, "bank:commercial": check("down", 0) })[0], "up");
  assertEquals(summary({ ...up, mail: check("slow", 3000) })[0], "slow");
  assertEquals(
    summary({ ...up, mail: check("slow", 3000), sessions: check("down", 1000) })[0],
    "down",
  );
});
