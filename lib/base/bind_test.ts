import { assertEquals } from "@std/assert";
import { bind } from "./bind.ts";

Deno.test("a bound function takes its other parameters, with the context before them", () => {
  const add = ({ by }: { by: number }, to: number, times = 1) => to + by * times;
  const service = bind({ by: 2, unused: true }, {
    add,
    addOne: ({ by }: { by: number }) => by + 1,
  });
  assertEquals([service.add(1), service.add(1, 3), service.addOne()], [3, 7, 3]);
});

Deno.test("bound functions of two contexts know only their own", () => {
  const nameOf = (name: string) => name;
  assertEquals([bind("a", { nameOf }), bind("b", { nameOf })].map((each) => each.nameOf()), [
    "a",
    "b",
  ]);
});
