import { assertRejects } from "@std/assert";
import { denoBundle } from "./deno_bundle.ts";

Deno.test("a bundle of a file that does not exist rejects with deno's message", async () => {
  await assertRejects(() => denoBundle(["/missing/script.ts"]), Error, "No such file");
});
