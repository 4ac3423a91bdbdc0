/**
 * `deno task relay:check <url> <slug> [path]`: verifies a deployed relay. Exits with 0 where all
 * holds, 1 where something does not, 2 on bad usage.
 *
 * @module
 */
// The one way out of this folder, and only for this command: names below `.localhost`.
import { createLocalFetch } from "../http/local_fetch.ts";
import { checkRelay } from "./check.ts";

const [url = "", slug = "", path = "/"] = Deno.args;
const isUsable = /^https?:$/.test(URL.parse(url)?.protocol ?? "") && slug !== "" &&
  !slug.includes("/") && path.startsWith("/") && Deno.args.length <= 3;
if (!isUsable) {
  console.error("Usage: deno task relay:check <url> <slug> [path]");
  console.error("such as: deno task relay:check https://docs.relay.example docs-3f9c… /start.html");
  Deno.exit(2);
}

const findings = await checkRelay(url, slug, { path, fetch: createLocalFetch() });
console.log(`Relay: ${new URL(url).origin}`);
for (const { title, passed, seen } of findings) {
  console.log(`${passed ? "pass" : "FAIL"}  ${title}${seen === undefined ? "" : ` (${seen})`}`);
}
Deno.exit(findings.every(({ passed }) => passed) ? 0 : 1);
