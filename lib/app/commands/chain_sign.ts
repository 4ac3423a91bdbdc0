/**
 * `deno task chain:sign [--withdraw <kid>]`: signs every head whose key or host differs from the
 * configuration. With `--withdraw`, it then removes a disclosed key from the published set. Exits
 * with 0 when done, 1 if the key to withdraw is the signing key or is not published, 2 on incorrect
 * usage or if the store cannot be opened.
 *
 * @module
 */
import { type CommandIo, refuse, startCommand } from "./command.ts";
import { configOrExit, openKvOrExit } from "./command_store.ts";
import { createSurfaces, publisherOf } from "../../platform/surfaces/mod.ts";
import { plural } from "../../base/time.ts";
import { createAddKeys } from "../../features/log/mod.ts";
import { openSigningKey, resignHeads, withdrawKey } from "../../features/chain/mod.ts";

/** The command; the module says what it does. */
export async function main({ args, env, log }: CommandIo): Promise<number | void> {
  const [option, kid] = args;
  if (args.length !== 0 && (args.length !== 2 || option !== "--withdraw")) {
    refuse("Usage: deno task chain:sign [--withdraw <kid>]");
  }

  const config = configOrExit(env);
  using kv = await openKvOrExit(config);
  const addToKeys = createAddKeys({ kv, clock: Date.now });
  const key = await openSigningKey(kv, config.chain.signingKey, addToKeys);
  if (kid === key.kid) {
    refuse("This is the signing key. Set another CHAIN_SIGNING_KEY first.", 1);
  }
  const publisher = publisherOf(createSurfaces(config));
  const signed = await resignHeads({ kv, clock: Date.now, publisher, key });
  log(`Signed ${plural(signed, "head")} for ${publisher} with the key ${key.kid}.`);
  if (kid !== undefined) {
    const withdrawn = await withdrawKey(kv, kid, addToKeys);
    log(withdrawn ? "The old key was withdrawn." : "No such key is published.");
    if (!withdrawn) return 1;
  }
}

if (import.meta.main) await startCommand(main);
