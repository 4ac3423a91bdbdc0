import { assertEquals, assertRejects } from "@std/assert";
import { createThread } from "./thread.ts";
import type { TestJob } from "./testing/thread_script.ts";

const SCRIPT = new URL("./testing/thread_script.ts", import.meta.url);

const threadOf = () => createThread<TestJob, number>(SCRIPT, { timeoutMs: 60_000, heapMb: 16 });

Deno.test("jobs run one after the other in one thread", async () => {
  await using thread = threadOf();
  assertEquals(await Promise.all([thread.run("count"), thread.run("count"), thread.run("count")]), [
    { ok: true, result: 1 },
    { ok: true, result: 2 },
    { ok: true, result: 3 },
  ]);
});

Deno.test("a job whose thread takes longer to start than the job may take has its whole time", async () => {
  const script = new URL("?start_ms=1000", SCRIPT);
  await using thread = createThread<TestJob, number>(script, { timeoutMs: 900, heapMb: 16 });
  assertEquals(await thread.run("count"), { ok: true, result: 1 });
});

Deno.test("a job that takes too long ends its thread", async () => {
  await using thread = createThread<TestJob, number>(SCRIPT, { timeoutMs: 50, heapMb: 16 });
  assertEquals(await thread.run("wait for ever"), { ok: false, exceeded: "time" });
});

Deno.test("a job that takes too much memory ends its thread, and the next one has a new thread", async () => {
  await using thread = threadOf();
  assertEquals(await thread.run("fill the memory"), { ok: false, exceeded: "memory" });
  assertEquals(await thread.run("count"), { ok: true, result: 1 });
});

Deno.test("a job that takes too much memory after others runs again in a new thread", async () => {
  await using thread = threadOf();
  await thread.run("count");
  assertEquals(await thread.run("fill the memory of a used thread"), { ok: true, result: 1 });
});

Deno.test("an error in a thread rejects its job, and the next one has a new thread", async () => {
  await using thread = threadOf();
  await thread.run("count");
  await assertRejects(() => thread.run("fail"), Error, "It failed.");
  assertEquals(await thread.run("count"), { ok: true, result: 1 });
});
