/**
 * `deno task user:delete <email>`: deletes an account with everything that belongs to it, passkeys of
 * both consoles included, from the configured store. Exits with 0 if the account was deleted, 1 if there is none, 2 on bad usage or
 * if the store cannot be opened.
 *
 * @module
 */
import { TABLES } from "../features.ts";
import { type CommandIo, refuse, startCommand } from "./command.ts";
import { configOrExit, openKvOrExit, requireSecrets } from "./command_store.ts";
import { createSecrets } from "../../platform/secrets.ts";
import { scrub } from "../../platform/kv/scrub.ts";
import { normaliseEmail } from "../../base/email.ts";
import { deleteUser } from "../../features/auth/delete_user.ts";

/** The command; the module says what it does. */
export async function main({ args, env, log }: CommandIo): Promise<number | void> {
  const email = normaliseEmail(args[0] ?? "");
  if (args.length !== 1 || email === null) {
    refuse("Usage: deno task user:delete <email>");
  }

  const config = configOrExit(env);
  const kv = await openKvOrExit(config);
  await requireSecrets(kv, config);
  const secrets = createSecrets({ kv, given: config.appSecrets });
  const deleted = await deleteUser({ kv, secrets, tables: TABLES }, email);
  kv.close();
  scrub(config.kvPath);
  log(deleted ? "The account was deleted." : "There is no account with this address.");
  return deleted ? 0 : 1;
}

if (import.meta.main) await startCommand(main);
