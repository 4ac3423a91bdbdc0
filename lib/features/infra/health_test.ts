import { assertEquals } from "@std/assert";
import { healthOf } from "./health.ts";
import type { InfraNode, NodeState } from "./map.ts";

/** Returns the health of services with these states, named A, B, C and so on. */
function healthWith(...states: NodeState[]) {
  const node = (name: string, state: NodeState, group: InfraNode["group"]): InfraNode => ({
    id: name,
    name,
    role: "",
    group,
    state,
    checked_at: null,
    latency_ms: null,
    detail: "A detail that is not shown.",
  });
  const services = states.map((state, i) => node("ABCDE"[i], state, "services"));
  return Object.values(healthOf([node("Gatehouse", "up", "process"), ...services]));
}

Deno.test("the worst state counts: down, slow, checking, then ok", () => {
  assertEquals(healthWith("up", "off", "configured", "up"), [
    "ok",
    "All 2 checked services respond.",
  ]);
  assertEquals(healthWith("up", "checking"), ["unknown", "1 service is being checked."]);
  assertEquals(healthWith("checking", "checking"), ["unknown", "2 services are being checked."]);
  assertEquals(healthWith("up", "slow", "checking"), ["degraded", "Slow: B."]);
  assertEquals(healthWith("down", "slow", "up", "down"), ["down", "Down: A, D. Slow: B."]);
});
