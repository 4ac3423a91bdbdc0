/**
 * A page without a server, which checks files and chains with the folder that it is in. For a publisher that hands
 * over what others need to go on verifying.
 *
 * @module
 */
import { encodeBase64, utf8 } from "../../../lib/base/encoding.ts";

export { chainPath, documentPath, openFolder } from "./check.js";

/** The folder's description of itself, in `about.json`. */
export interface AboutFolder {
  /** The host whose records these are. */
  publisher: string;
  /** When the log's newest checkpoint was signed, ISO 8601. The folder knows nothing later. */
  as_of: string;
  records: number;
  documents: number;
  /** The documents that are left out, because their content could be guessed from their hash. */
  left_out: number;
}

const readHere = (name: string): Promise<string> =>
  Deno.readTextFile(new URL(name, import.meta.url));

/** Returns the script that checks, which others can read and use: `check.js`. */
export const checkScript = (): Promise<string> => readHere("check.js");

/**
 * Returns the page. It contains its scripts, because browsers do not load modules from a disk.
 *
 * @param verifier the text of a published `verifier.js`
 */
export async function offlinePage(verifier: string): Promise<string> {
  const [html, check, page] = await Promise.all([
    readHere("page.html"),
    checkScript(),
    readHere("page.js"),
  ]);
  const script = [
    `import * as verifier from "data:text/javascript;base64,${encodeBase64(utf8(verifier))}";`,
    check,
    page.replace(/^import .*\n/m, ""),
    "start(verifier);",
  ].join("\n");
  return html.replace("SCRIPT", () => script);
}
