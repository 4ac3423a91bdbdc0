/**
 * `deno task chain:reconcile [--complete] [file …]`: verifies the chains of a restored copy, compares
 * them with published heads in the files (exports, backups, saved chains) and, with `--complete`, lets
 * the site write to the store. Exits with 0 if the store is writable, 1 if it stays read-only, 2 on
 * incorrect usage or if the store or a file cannot be read.
 *
 * @module
 */
import { createChains } from "../../features/chain/store/mod.ts";
import { configOrExit, openKvOrExit } from "./command.ts";
import { createSurfaces, publisherOf } from "../../platform/surfaces/mod.ts";
import { formatDateTime, plural } from "../../base/time.ts";
import { publishedHeads } from "../../features/store/published_heads.ts";
import {
  clearRestored,
  compareHeads,
  type Conflict,
  readRestored,
  verifyChains,
} from "../../features/store/reconcile.ts";

const isComplete = Deno.args.includes("--complete");
const files = Deno.args.filter((arg) => arg !== "--complete");
if (files.some((file) => file.startsWith("-"))) {
  console.error("Usage: deno task chain:reconcile [--complete] [export, backup or saved chain …]");
  Deno.exit(2);
}
const config = configOrExit();
using kv = await openKvOrExit(config);
const publisher = publisherOf(createSurfaces(config));
const restored = await readRestored(kv);
if (restored === null) {
  console.log("The store is not a restored copy, or is already reconciled.");
  Deno.exit(0);
}
const taken = formatDateTime(restored.exported_at);
console.log(`The store is a copy of ${taken}, of ${restored.trust_host}.`);
if (restored.trust_host !== publisher) {
  console.log(
    `The trust host is now ${publisher}, so the store is not read-only. Run deno task chain:sign.`,
  );
  Deno.exit(0);
}

/** How many problems of each kind are printed. */
const MOST_PRINTED = 20;
const SENTENCES: Record<Conflict["code"], (conflict: Conflict) => string> = {
  behind: ({ published, stored }) =>
    `${plural(published, "event")} were published, and the copy has ${stored}`,
  forked: ({ published }) => `event ${published - 1} of the copy differs from the published one`,
  missing: () => "the copy does not contain this record",
  unverified: () => "no published key has signed the head in the file",
};

const chains = createChains({
  kv,
  clock: Date.now,
  publisher,
  signingKey: config.chain.signingKey,
});
const store = { kv, chains };
let problems = await verifyChains(
  store,
  limited(({ hash, code }) => `${hash}: not valid (${code})`),
).catch((error) => {
  console.error(`Cannot read the store: ${error instanceof Error ? error.message : error}`);
  Deno.exit(2);
});
if (problems === 0) console.log("All of its chains verify.");
for (const file of files) {
  const report = limited<Conflict>((conflict) =>
    `${conflict.hash}: ${SENTENCES[conflict.code](conflict)}`
  );
  const { agreeing, conflicting } = await compareHeads(store, publishedHeads(file), report)
    .catch((error) => {
      console.error(`Cannot read ${file}: ${error instanceof Error ? error.message : error}`);
      Deno.exit(2);
    });
  problems += conflicting;
  console.log(
    `${file}: ${plural(agreeing, "chain")} ${agreeing === 1 ? "agrees" : "agree"}, ` +
      `${conflicting} ${conflicting === 1 ? "does" : "do"} not.`,
  );
}
if (problems > 0) {
  console.error(
    "The store stays read-only, because new events would contradict what was published. Restore a " +
      "newer copy, or change the trust host: see docs/ops/backup.md.",
  );
  Deno.exit(1);
}
if (!isComplete) {
  console.error(
    `The store stays read-only. If nothing was written to the original after ${restored.exported_at}, run ` +
      "deno task chain:reconcile --complete.",
  );
  Deno.exit(1);
}
await clearRestored(kv);
console.log("The site can write to the store now.");

/** Prints the first problems of a kind. */
function limited<Problem>(describe: (problem: Problem) => string): (problem: Problem) => void {
  let count = 0;
  return (problem) => {
    if (count++ < MOST_PRINTED) console.error(describe(problem));
    else if (count === MOST_PRINTED + 1) console.error("…");
  };
}
