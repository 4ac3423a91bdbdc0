/**
 * A second process on a KV file. It prints `ready`, waits for a line, does its job, and prints each
 * result as a line of JSON after it is committed.
 *
 *     deno run -A child.ts <file> verify <token> <times>
 *     deno run -A child.ts <file> sign-up <addresses> <prefix>
 *     deno run -A child.ts <file> issue <address> <times>
 *     deno run -A child.ts <file> sign-in <prefix>            until it is killed
 */
import { printLine } from "../../../testing/print_line.ts";
import { openKv } from "../../../platform/kv/mod.ts";
import { createSecrets } from "../../../platform/secrets.ts";
import { createLinkIds, issueLink, verifyLink } from "../links.ts";
import { mailboxWindow } from "../link_requests.ts";

const [path, job, ...args] = Deno.args;
using kv = await openKv(path);
const secrets = createSecrets({ kv, given: [new Uint8Array(32)] });
const store = { kv, clock: Date.now, ids: createLinkIds(kv) };
const issue = async (email: string) => {
  const window = await mailboxWindow(secrets, email, "site");
  return await issueLink(store, { email, surface: "site" }, window);
};
const verify = (token: string) => verifyLink(kv, Date.now, token, { surface: "site" });

const times = <Result>(count: number, step: (i: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, i) => step(i)));

async function signInForever(prefix: string, worker: number) {
  for (let i = 0;; i++) {
    const issued = await issue(`${prefix}-${worker}-${i}@example.org`);
    if (!issued.ok) throw new Error(issued.error);
    printLine({ token: issued.token });
    const signIn = await verify(issued.token);
    printLine({ token: issued.token, sessionId: signIn!.sessionId });
  }
}

const JOBS: Record<string, () => Promise<unknown>> = {
  "verify": async () => printLine(await times(+args[1], () => verify(args[0]))),
  "sign-up": async () =>
    printLine(await times(+args[0], (i) => issue(`${args[1]}-${i}@example.org`))),
  "issue": async () => printLine(await times(+args[1], () => issue(args[0]))),
  "sign-in": () => times(4, (worker) => signInForever(args[0], worker)),
};

printLine("ready");
await Deno.stdin.read(new Uint8Array(1));
await JOBS[job]();
