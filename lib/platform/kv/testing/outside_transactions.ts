/**
 * The commits that check rows, or write rows that their request has read, although they are not attempts of
 * `transact` or `attemptOnce`. Each has tests of its own for what happens at the same time.
 */
const ALLOWED: Record<string, string> = {
  "lib/platform/jobs/jobs.ts": "A job checks the version of its lease that it wrote itself.",
  "lib/platform/jobs/messages.ts": "A message is claimed in the version that was listed as due.",
  "lib/platform/store/": "Migrations check the version of the format that they wrote themselves.",
  "lib/features/store/": "Imports check the version of the format that they wrote themselves.",
  "lib/features/documents/files/uploads.ts":
    "An upload checks the version of its marker that it wrote.",
  "lib/features/documents/files/bytes.ts":
    "An upload checks the version of its marker that it wrote.",
  "lib/features/issuing/batches/store_rows.ts": "A batch checks the version that it wrote itself.",
  "lib/features/issuers/http/authenticate.ts":
    "A use is stored in the version of the key that worked.",
  "lib/features/issuers/key_networks.ts": "Whatever is stored for a removed key is deleted.",
  "lib/features/records/sessions/sign_outs.ts":
    "A request to sign out stays if it was renewed meanwhile.",
  "lib/features/records/deletion/deletion.ts":
    "A deletion checks the version that was listed as due.",
  "lib/features/records/deletion/erase.ts": "Whatever is stored about a record is deleted.",
  "lib/features/records/correction/work.ts": "A move that has ended is deleted.",
  "lib/features/chain/append.ts": "A restored chain follows the head that was compared.",
  "lib/features/log/store/": "Commands for a log that is halted check what they have compared.",
  "lib/features/webhooks/endpoints.ts": "Whatever is stored for a removed webhook is deleted.",
  "lib/features/witness/witness.ts": "A witness checks the row that it has compared.",
  "lib/features/infra/probes.ts": "A probe only tries a commit.",
  "lib/features/bank/": "The last response of the bank is kept.",
  "lib/features/operators/access.ts": "Whatever is stored about a person is deleted.",
  "lib/features/auth/open_sessions.ts": "Whatever sessions were listed end.",
  "lib/features/auth/session_uses.ts":
    "A use is stored in the version of the session that was used.",
  "lib/features/oauth/token_rows.ts": "Whatever is stored about a token that ends is deleted.",
  "lib/features/oauth/grants.ts": "A use is stored in the version of the grant that was used.",
};

/** Parts of the platform that commit what others have built. */
const PASSED_ON = /^lib\/(base|platform\/(http|mail))\//;

/** Returns whether a commit belongs to the list, or to a test. */
export function isAllowedOutside(callers: readonly string[]): boolean {
  const caller = callers.find((each) => !PASSED_ON.test(each)) ?? "tests/";
  return /^tests\/|_test\.ts|\/testing\//.test(caller) ||
    Object.keys(ALLOWED).some((path) => caller.startsWith(path));
}
