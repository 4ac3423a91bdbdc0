import { assertEquals, assertRejects } from "@std/assert";
import { until } from "./until.ts";

Deno.test("until() returns the first value that is not falsy", async () => {
  const values = [0, "", null, undefined, false, "found", "later"];
  assertEquals(await until(() => values.shift(), "a value is found"), "found");
  assertEquals(values, ["later"]);
});

Deno.test("until() throws after its limit and names what it waited for and the last value", async () => {
  await assertRejects(
    () => until(() => Promise.resolve(0), "the queue is empty", 20),
    Error,
    "Waited 20 ms until the queue is empty. Last value: 0",
  );
});

Deno.test("until() rejects with the error of read()", async () => {
  await assertRejects(() => until(() => Promise.reject(new Error("closed")), "?"), Error, "closed");
});
