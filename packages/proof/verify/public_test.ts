import { assertEquals } from "@std/assert";
import * as real from "./public.ts";
import type * as published from "./verifier.d.ts";

// The type checker compares them: everything that is published must exist, with these types.
const conforming: typeof published = real;

Deno.test("verifier.d.ts declares exactly what public.ts exports", async () => {
  const text = await Deno.readTextFile(new URL("./verifier.d.ts", import.meta.url));
  const declared = text.matchAll(/^export (?:function|class|const) (\w+)/gm);
  assertEquals(Array.from(declared, ([, name]) => name).sort(), Object.keys(conforming).sort());
});
