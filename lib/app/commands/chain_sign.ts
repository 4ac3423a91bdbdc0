/**
 * `deno task chain:sign [--withdraw <kid>]`: signs every head whose key or host differs from the
 * configuration. With `--withdraw`, it then removes a disclosed key from the published set. Exits
 * with 0 when done, 1 if the key to withdraw is the signing key or is not published, 2 on incorrect
 * usage or if the store cannot be opened.
 *
 * @module
 */
import { configOrExit, openKvOrExit } from "./command.ts";
import { createSurfaces, publisherOf } from "../../platform/surfaces/mod.ts";
import { plural } from "../../base/time.ts";
import { createAddKeys } from "../../features/log/mod.ts";
import { openSigningKey, resignHeads, withdrawKey } from "../../features/chain/store/mod.ts";

const [option, kid] = Deno.args;
if (Deno.args.length !== 0 && (Deno.args.length !== 2 || option !== "--withdraw")) {
  console.error("Usage: deno task chain:sign [--withdraw <kid>]");
  Deno.exit(2);
}

const config = configOrExit();
using kv = await openKvOrExit(config);
const addToKeys = createAddKeys({ kv, clock: Date.now });
const key = await openSigningKey(kv, config.chain.signingKey, addToKeys);
if (kid === key.kid) {
  console.error("This is the signing key. Set another CHAIN_SIGNING_KEY first.");
  Deno.exit(1);
}
const publisher = publisherOf(createSurfaces(config));
const signed = await resignHeads({ kv, clock: Date.now, publisher, key });
console.log(`Signed ${plural(signed, "head")} for ${publisher} with the key ${key.kid}.`);
if (kid !== undefined) {
  const withdrawn = await withdrawKey(kv, kid, addToKeys);
  console.log(withdrawn ? "The old key was withdrawn." : "No such key is published.");
  if (!withdrawn) Deno.exitCode = 1;
}
