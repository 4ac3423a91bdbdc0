/**
 * `deno task contact:delete <record's hash or email>`: deletes everything that is stored about the
 * person of one record, or of all records with an email address and for whom documents wait. Exits with 0 if it was deleted, 1 if
 * nothing was found or a record must not be deleted yet, 2 on bad usage or if the store cannot be
 * opened.
 *
 * @module
 */
import { sentHash } from "../../features/chain/mod.ts";
import { type CommandIo, refuse, startCommand } from "./command.ts";
import { configOrExit, openKvOrExit, requireSecrets } from "./command_store.ts";
import { recordsOf } from "../../features/contact/mod.ts";
import { scrub } from "../../platform/kv/scrub.ts";
import { normaliseEmail } from "../../base/email.ts";
import { createServices } from "../services.ts";

/** The command; the module says what it does. */
export async function main({ args, env, log, error }: CommandIo): Promise<number> {
  const [given = ""] = args;
  const hash = sentHash.safeParse(given).data;
  const email = normaliseEmail(given);
  if (args.length !== 1 || (hash === undefined && email === null)) {
    refuse("Usage: deno task contact:delete <record's hash or email>");
  }

  const config = configOrExit(env);
  const kv = await openKvOrExit(config);
  await requireSecrets(kv, config);
  const { records, issuing, batches, close } = createServices(config, kv);
  const hashes = hash === undefined ? await recordsOf(kv, email!) : [hash];
  // Rows of files first, because they become documents.
  let deleted = email === null ? 0 : await batches.forget(email) + await issuing.forget(email);
  let refused = false;
  for (const each of hashes) {
    const result = await records.deletion.deleteRecord(each);
    if (result.ok) deleted += result.deleted;
    else {
      refused = true;
      error(`${each}: ${result.message}`);
    }
  }
  await close();
  // Even if nothing was found, because the last run may have failed before this step.
  scrub(config.kvPath);
  if (refused && deleted === 0) return 1;
  log(
    deleted === 0
      ? "Nothing is stored for it."
      : `Deleted: ${deleted}. The chains remain; they contain no personal data.`,
  );
  return deleted === 0 || refused ? 1 : 0;
}

if (import.meta.main) await startCommand(main);
