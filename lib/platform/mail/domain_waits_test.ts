import { assertEquals } from "@std/assert";
import { MINUTE_MS } from "../../base/time.ts";
import { createDomainWaits } from "./domain_waits.ts";

Deno.test("after 20 mails in a row that a domain puts off, the others wait, longer in each round, until it accepts one", () => {
  const clock = { now: 0 };
  const waits = createDomainWaits(() => clock.now);
  const defer = (count: number, to = "a@Example.org") => {
    for (let i = 0; i < count; i++) waits.note(to, "deferred");
    return waits.waitMs("b@example.org") / MINUTE_MS;
  };
  assertEquals(defer(19), 0);
  assertEquals(defer(100, "a@example.com"), 0);
  assertEquals(defer(1), 5);
  clock.now += 2 * MINUTE_MS;
  assertEquals(defer(100), 3);
  const rounds: number[] = [];
  for (let round = 0; round < 3; round++) {
    clock.now += 60 * MINUTE_MS;
    assertEquals(defer(19), 0);
    rounds.push(defer(1));
  }
  assertEquals(rounds, [15, 60, 60]);
  waits.note("c@example.org", "accepted");
  assertEquals([waits.waitMs("b@example.org"), defer(20)], [0, 5]);
});
