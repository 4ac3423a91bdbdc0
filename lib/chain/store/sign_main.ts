/**
 * `deno task chain:sign [--withdraw <kid>]`: gives every chain a head by the configured key and
 * trust host, where it has another one. With `--withdraw` a disclosed key then leaves the published
 * set. Exits with 0 when it is done, 1 where the key to withdraw signs or is not published, 2 on bad
 * usage.
 *
 * @module
 */
import { configOrExit } from "../../config/command.ts";
import { openKv } from "../../kv/mod.ts";
import { createSurfaces } from "../../surfaces/mod.ts";
import { publisherOf } from "./publisher.ts";
import { signAnew } from "./sign_anew.ts";
import { openSigningKey, withdrawKey } from "./signing_key.ts";

const [option, kid] = Deno.args;
if (Deno.args.length !== 0 && (Deno.args.length !== 2 || option !== "--withdraw")) {
  console.error("Usage: deno task chain:sign [--withdraw <kid>]");
  Deno.exit(2);
}

const config = configOrExit();
const kv = await openKv(config.kvPath);
const key = await openSigningKey(kv, config.chain.signingKey);
if (kid === key.kid) {
  console.error("This key signs. Set another CHAIN_SIGNING_KEY first.");
  Deno.exit(1);
}
const publisher = publisherOf(createSurfaces(config));
const signed = await signAnew({ kv, clock: Date.now, publisher, key });
console.log(`Signed anew: ${signed} heads, for ${publisher}, by ${key.kid}.`);
const withdrawn = kid === undefined || await withdrawKey(kv, kid);
if (kid !== undefined) {
  console.log(withdrawn ? "The old key is withdrawn." : "No such key is published.");
}
kv.close();
Deno.exit(withdrawn ? 0 : 1);
