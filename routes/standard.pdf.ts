import { publicFile } from "../lib/platform/http/public_file.ts";
import { PDF_FILE } from "../lib/features/standard/mod.ts";
import type { State } from "../lib/app/state.ts";

/** Returns the standard as PDF. Viewers of browsers are objects, which the policy of pages forbids. */
export const handler = publicFile<State>(async (state) => {
  state.policy = (policy) => policy.replace("object-src 'none'", "object-src 'self'");
  return { body: await Deno.readFile(PDF_FILE), contentType: "application/pdf" };
});
