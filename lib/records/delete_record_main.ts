/**
 * `deno task contact:delete <record's hash or email>`: deletes everything that is stored about the
 * person of one record, or of all records with an email address. Exits with 0 if something was
 * deleted, 1 if nothing was found, 2 on bad usage or if the store cannot be opened.
 *
 * @module
 */
import { hashSchema } from "../chain/mod.ts";
import { configOrExit, openKvOrExit } from "../config/command.ts";
import { recordsOf } from "../contact/mod.ts";
import { scrub } from "../kv/scrub.ts";
import { normaliseEmail } from "../mail/email.ts";
import { createServices } from "../services.ts";

const [given = ""] = Deno.args;
const hash = hashSchema.safeParse(given.trim().toLowerCase()).data;
const email = normaliseEmail(given);
if (Deno.args.length !== 1 || (hash === undefined && email === null)) {
  console.error("Usage: deno task contact:delete <record's hash or email>");
  Deno.exit(2);
}

const config = configOrExit();
const kv = await openKvOrExit(config);
const { records, close } = createServices(config, kv);
const hashes = hash === undefined ? await recordsOf(kv, email!) : [hash];
let deleted = 0;
for (const each of hashes) deleted += await records.deletion.deleteRecord(each);
await close();
// Even if nothing was found, because the last run may have failed before this step.
scrub(config.kvPath);
console.log(
  deleted === 0
    ? "Nothing is stored for it."
    : `Deleted: ${deleted}. The chains remain; they contain no personal data.`,
);
Deno.exit(deleted === 0 ? 1 : 0);
