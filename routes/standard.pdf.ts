import { publicFile } from "../lib/http/public_file.ts";
import { readStandardPdf } from "../lib/standard/mod.ts";
import { define, type State } from "../lib/state.ts";

/** Returns the standard as PDF. */
export const handler = define.handlers(publicFile<State>(async () => ({
  body: await readStandardPdf(),
  contentType: "application/pdf",
})));
