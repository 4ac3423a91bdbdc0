import { assertEquals, assertRejects } from "@std/assert";
import { readAhead } from "./read_ahead.ts";

Deno.test("the first read begins at once, and every further attempt reads again", async () => {
  const attempts: number[] = [];
  const read = readAhead((attempt) => Promise.resolve(attempts.push(attempt)));
  assertEquals(attempts, [1]);
  assertEquals([await read(), await read(), await read()], [1, 2, 3]);
  assertEquals(attempts, [1, 2, 3]);
});

Deno.test("a read that fails rejects only for the attempt that needs it", async () => {
  const fails = () => Promise.reject(new Error("The store is gone."));
  readAhead(fails); // nothing reports the error of a read that is not needed
  await new Promise((resolve) => setTimeout(resolve));
  await assertRejects(readAhead(fails), Error, "gone");
});
