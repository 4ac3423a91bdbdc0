/**
 * `deno task chain:reconcile [--complete | --accept-loss] [file or copy of the log …]`: verifies the chains of a
 * restored copy, and compares them with published heads in the files (exports, backups, saved chains). With a copy
 * of the public log, a folder or an address, it rebuilds the log, restores the events that are missing in chains,
 * and says what else is lost. With `--complete`, it lets the site write to a store that lacks nothing; with
 * `--accept-loss`, also to one that lacks what the log has. Exits with 0 if the store is writable, 1 if it stays
 * read-only, 2 on incorrect usage or if the store or a file cannot be read.
 *
 * @module
 */
import { createChains, openSigningKey } from "../../features/chain/mod.ts";
import { countStatements } from "../../features/documents/mod.ts";
import { createAddKeys, findLost, publishedAt, restoreChains } from "../../features/log/mod.ts";
import { type CommandIo, refuse, startCommand } from "./command.ts";
import { configOrExit, openKvOrExit } from "./command_store.ts";
import { describeLost } from "./describe_lost.ts";
import { recoverFrom } from "./recover_from.ts";
import { createSurfaces, publisherOf } from "../../platform/surfaces/mod.ts";
import { formatDateTime, MINUTE_MS, plural } from "../../base/time.ts";
import { publishedHeads } from "../../features/store/published_heads.ts";
import {
  clearRestored,
  compareHeads,
  type Conflict,
  readRestored,
  verifyChains,
} from "../../features/store/reconcile.ts";

/** States that the copy lacks nothing. */
const COMPLETE = "--complete";
/** Accepts that what the command has named is lost. */
const ACCEPT_LOSS = "--accept-loss";
/** How many problems of each kind are printed. */
const MOST_PRINTED = 20;
const SENTENCES: Record<Conflict["code"], (conflict: Conflict) => string> = {
  behind: ({ published, stored }) =>
    `${plural(published, "event")} were published, and the copy has ${stored}`,
  forked: ({ published }) => `event ${published - 1} of the copy differs from the published one`,
  missing: () => "the copy does not contain this record",
  unverified: () => "no published key has signed the head in the file",
};

/** The command; the module says what it does. */
export async function main({ args, env, log, error }: CommandIo): Promise<number | void> {
  const isAccepted = args.includes(ACCEPT_LOSS);
  const isComplete = args.includes(COMPLETE);
  const sources = args.filter((arg) => arg !== COMPLETE && arg !== ACCEPT_LOSS);
  if (sources.some((source) => source.startsWith("-")) || (isComplete && isAccepted)) {
    refuse(
      "Usage: deno task chain:reconcile [--complete | --accept-loss] [export, backup, saved chain, or " +
        "copy of the log …]",
    );
  }
  const isCopy = (source: string) => /^https?:/.test(source) || isFolder(source);
  const copies = sources.filter(isCopy);
  const files = sources.filter((source) => !isCopy(source));
  const config = configOrExit(env);
  using kv = await openKvOrExit(config);
  const publisher = publisherOf(createSurfaces(config));
  const restored = await readRestored(kv);
  if (restored === null && copies.length === 0) {
    log("The store is not a restored copy, or is already reconciled.");
    return 0;
  }
  // A copy that was made with other tools has no mark. Everything that it lacks is newer than its log.
  const copiedAt = restored === null
    ? await publishedAt(kv) ?? 0
    : Date.parse(restored.exported_at);
  if (restored !== null) {
    log(
      `The store is a copy of ${formatDateTime(restored.exported_at)}, of ${restored.trust_host}.`,
    );
  }
  if (restored !== null && restored.trust_host !== publisher) {
    log(
      `The trust host is now ${publisher}, so the store is not read-only. Run deno task chain:sign.`,
    );
    return 0;
  }

  const chains = createChains({
    kv,
    clock: Date.now,
    publisher,
    signingKey: config.chain.signingKey,
    addToKeys: createAddKeys({ kv, clock: Date.now }),
  });
  const store = { kv, chains };
  let problems = await verifyChains(
    store,
    limited(error, ({ hash, code }) => `${hash}: not valid (${code})`),
  ).catch((cause) =>
    refuse(`Cannot read the store: ${cause instanceof Error ? cause.message : cause}`)
  );
  if (problems === 0) log("All of its chains verify.");
  for (const copy of copies) {
    if (!await recoverFrom(kv, config, copy, { log, error })) problems++;
    else problems += await restoreEvents();
  }
  for (const file of files) {
    const report = limited<Conflict>(
      error,
      (conflict) => `${conflict.hash}: ${SENTENCES[conflict.code](conflict)}`,
    );
    const { agreeing, conflicting } = await compareHeads(store, publishedHeads(file), report)
      .catch((cause) =>
        refuse(`Cannot read ${file}: ${cause instanceof Error ? cause.message : cause}`)
      );
    problems += conflicting;
    log(
      `${file}: ${plural(agreeing, "chain")} ${agreeing === 1 ? "agrees" : "agree"}, ` +
        `${conflicting} ${conflicting === 1 ? "does" : "do"} not.`,
    );
  }
  const lost = describeLost(await findLost(kv, copiedAt, countStatements(kv)), MOST_PRINTED);
  lost.forEach(log);
  const isLost = lost.length > 0;
  if (!isLost && copies.length > 0) log("The store has everything that the log has.");
  if (problems > 0) {
    refuse(
      "The store stays read-only, because new events would contradict what was published. Restore a " +
        "newer copy, or change the trust host: see docs/ops/backup.md.",
      1,
    );
  }
  if (restored === null) return 0;
  if (isLost && !isAccepted) {
    refuse(
      "The store stays read-only, because it is not complete. First look for a newer backup. If " +
        "there is none, and you accept that what is named above is lost for ever, run deno task chain:reconcile --accept-loss.",
      1,
    );
  }
  if (!isComplete && !isAccepted) {
    refuse(
      `The store stays read-only. If nothing was written to the original after ${restored.exported_at}, run ` +
        "deno task chain:reconcile --complete.",
      1,
    );
  }
  await clearRestored(kv);
  log("The site can write to the store now.");

  /** Restores the events that the log has and the chains lack. Returns the number of chains that stay closed. */
  async function restoreEvents(): Promise<number> {
    const started = Date.now();
    const { events, chains: restoredChains, closed } = await restoreChains({
      kv,
      publisher,
      key: await openSigningKey(kv, config.chain.signingKey),
      from: copiedAt - MINUTE_MS,
      to: await publishedAt(kv) ?? Date.now(),
      progress: (record, share) =>
        error(`${record}: ${Math.round(100 * share)} % of the times are tried`),
    });
    const seconds = Math.round((Date.now() - started) / 1000);
    log(
      `${plural(events, "event")} of ${plural(restoredChains, "chain")} restored in ${
        plural(seconds, "second")
      }.`,
    );
    for (const record of closed) error(`${record}: an event could not be restored`);
    return closed.length;
  }
}

if (import.meta.main) await startCommand(main);

function isFolder(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}

/** Prints the first problems of a kind. */
function limited<Problem>(
  print: (line: string) => void,
  describe: (problem: Problem) => string,
): (problem: Problem) => void {
  let count = 0;
  return (problem) => {
    if (count++ < MOST_PRINTED) print(describe(problem));
    else if (count === MOST_PRINTED + 1) print("…");
  };
}
