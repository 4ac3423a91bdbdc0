import { assertEquals } from "@std/assert";
import { createInFlight } from "./in_flight.ts";

/** Resolves after all promises that were ready have run their callbacks. */
const nextTask = () => new Promise((resolve) => setTimeout(resolve));

Deno.test("settled() waits until every response was sent or failed, each time", async () => {
  const inFlight = createInFlight();
  await inFlight.settled(60_000);
  for (let round = 0; round < 2; round++) {
    const [sent, broken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    inFlight.add(sent.promise);
    inFlight.add(broken.promise);
    assertEquals(inFlight.size, 2);
    let isSettled = false;
    const settled = inFlight.settled(60_000).then(() => isSettled = true);
    sent.resolve();
    await nextTask();
    assertEquals([isSettled, inFlight.size], [false, 1]);
    broken.reject(new Error("disconnected"));
    await settled;
  }
});

Deno.test("settled() resolves after its timeout", async () => {
  const inFlight = createInFlight();
  inFlight.add(new Promise(() => {}));
  await inFlight.settled(1);
});

Deno.test("settled() does not wait for an excluded response", async () => {
  const inFlight = createInFlight();
  const [stream, other] = [new Promise(() => {}), Promise.withResolvers<void>()];
  inFlight.add(stream);
  inFlight.add(other.promise);
  inFlight.exclude(stream);
  assertEquals(inFlight.size, 1);
  let isSettled = false;
  const settled = inFlight.settled(60_000).then(() => isSettled = true);
  await nextTask();
  assertEquals(isSettled, false);
  other.resolve();
  await settled;
});

Deno.test("settled() still waits for other responses when an excluded one has been sent", async () => {
  const inFlight = createInFlight();
  const [stream, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  inFlight.add(stream.promise);
  inFlight.add(other.promise);
  inFlight.exclude(stream.promise);
  let isSettled = false;
  const settled = inFlight.settled(60_000).then(() => isSettled = true);
  stream.resolve();
  await nextTask();
  assertEquals([isSettled, inFlight.size], [false, 1]);
  other.resolve();
  await settled;
});

Deno.test("a response that was sent before it is excluded is not counted", async () => {
  const inFlight = createInFlight();
  const sent = Promise.resolve();
  inFlight.add(sent);
  await nextTask();
  inFlight.exclude(sent);
  await nextTask();
  assertEquals(inFlight.size, 0);
  await inFlight.settled(60_000);
});
