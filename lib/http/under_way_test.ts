import { assertEquals } from "@std/assert";
import { createUnderWay } from "./under_way.ts";

/** When everything that was ready has run. */
const soon = () => new Promise((done) => setTimeout(done));

Deno.test("a stop waits for every answer under way, whether it is sent or breaks off", async () => {
  const underWay = createUnderWay();
  await underWay.settled(60_000);
  const [sent, broken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  underWay.add(sent.promise);
  underWay.add(broken.promise);
  let over = false;
  const settled = underWay.settled(60_000).then(() => over = true);
  sent.resolve();
  await soon();
  assertEquals(over, false);
  broken.reject(new Error("gone"));
  await settled;
});

Deno.test("what takes too long is not waited for", async () => {
  const underWay = createUnderWay();
  underWay.add(new Promise(() => {}));
  await underWay.settled(1);
});

Deno.test("one answer after the other is counted anew", async () => {
  const underWay = createUnderWay();
  underWay.add(Promise.resolve());
  await underWay.settled(60_000);
  const second = Promise.withResolvers<void>();
  underWay.add(second.promise);
  let over = false;
  const settled = underWay.settled(60_000).then(() => over = true);
  await soon();
  assertEquals(over, false);
  second.resolve();
  await settled;
});
