import { assert, assertEquals, assertFalse } from "@std/assert";
import { anySignal } from "./signals.ts";

for (const native of [true, false]) {
  Deno.test(`anySignal() aborts with the reason of the first signal, ${native ? "with" : "without"} AbortSignal.any`, () => {
    const { any } = AbortSignal;
    if (!native) delete (AbortSignal as Partial<typeof AbortSignal>).any;
    try {
      const [a, b] = [new AbortController(), new AbortController()];
      const either = anySignal([a.signal, b.signal]);
      assertFalse(either.aborted);
      b.abort("b");
      a.abort("a");
      assertEquals(either.reason, "b");
      const already = anySignal([new AbortController().signal, AbortSignal.abort("before")]);
      assert(already.aborted);
      assertEquals(already.reason, "before");
    } finally {
      AbortSignal.any = any;
    }
  });
}
