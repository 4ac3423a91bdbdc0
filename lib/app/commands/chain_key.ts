/**
 * `deno task chain:key`: generates an Ed25519 key and prints it as a private JWK in one line, the
 * format of `CHAIN_SIGNING_KEY` and `LOG_SIGNING_KEY`. The key is not stored.
 *
 * @module
 */
import { generatePrivateJwk } from "../../../packages/proof/mod.ts";
import { startCommand } from "./command.ts";

await startCommand(async ({ log }) => log(JSON.stringify(await generatePrivateJwk())));
