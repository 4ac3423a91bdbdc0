/**
 * `deno task contact:delete <hash or email>`: deletes what is kept of who made an enquiry, of one or
 * of all with an email address, from the store that the configuration names. Exits with 0 when it
 * is gone, 1 where there is nothing, 2 on bad usage.
 *
 * @module
 */
import { normaliseEmail } from "../auth/email.ts";
import { hashSchema } from "../chain/mod.ts";
import { configOrExit } from "../config/command.ts";
import { openKv } from "../kv/mod.ts";
import { scrub } from "../kv/scrub.ts";
import { deleteContact, recordsOf } from "./delete_contact.ts";

const [given = ""] = Deno.args;
const hash = hashSchema.safeParse(given.trim().toLowerCase()).data;
const email = normaliseEmail(given);
if (Deno.args.length !== 1 || (hash === undefined && email === null)) {
  console.error("Usage: deno task contact:delete <record's hash or email>");
  Deno.exit(2);
}

const { kvPath } = configOrExit();
const kv = await openKv(kvPath);
const hashes = hash === undefined ? await recordsOf(kv, email!) : [hash];
let deleted = 0;
for (const each of hashes) if (await deleteContact(kv, each)) deleted++;
kv.close();
scrub(kvPath); // also where there was nothing: it may not have come to that the last time
console.log(
  deleted === 0
    ? "Nobody is kept under this."
    : `Deleted: ${deleted}. The chains stay, and name nobody.`,
);
Deno.exit(deleted === 0 ? 1 : 0);
