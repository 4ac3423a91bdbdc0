/**
 * `deno task chain:key`: makes an Ed25519 key and prints it as a private JWK, in one line, as
 * `CHAIN_SIGNING_KEY` wants it. Nothing is kept.
 *
 * @module
 */
import { generatePrivateJwk } from "./mod.ts";

console.log(JSON.stringify(await generatePrivateJwk()));
