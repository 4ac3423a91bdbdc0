/**
 * `deno task user:delete <email>`: deletes an account with everything that belongs to it, passkeys of
 * both consoles included, from the configured store. Exits with 0 if the account was deleted, 1 if there is none, 2 on bad usage or
 * if the store cannot be opened.
 *
 * @module
 */
import { TABLES } from "../features.ts";
import { configOrExit, openKvOrExit, requireSecrets } from "./command.ts";
import { createSecrets } from "../../platform/secrets.ts";
import { scrub } from "../../platform/kv/scrub.ts";
import { normaliseEmail } from "../../base/email.ts";
import { deleteUser } from "../../features/auth/delete_user.ts";

const email = normaliseEmail(Deno.args[0] ?? "");
if (Deno.args.length !== 1 || email === null) {
  console.error("Usage: deno task user:delete <email>");
  Deno.exit(2);
}

const config = configOrExit();
const kv = await openKvOrExit(config);
await requireSecrets(kv, config);
const secrets = createSecrets({ kv, given: config.appSecrets });
const deleted = await deleteUser({ kv, secrets, tables: TABLES }, email);
kv.close();
scrub(config.kvPath);
console.log(deleted ? "The account was deleted." : "There is no account with this address.");
Deno.exit(deleted ? 0 : 1);
