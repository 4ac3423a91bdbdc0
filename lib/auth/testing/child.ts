/**
 * A second process on a KV file. It says `ready`, waits for a line, does its job and prints what
 * came of it, one JSON text a line, each only after its commit.
 *
 *     deno run -A child.ts <file> verify <token> <times>
 *     deno run -A child.ts <file> sign-up <addresses> <prefix>
 *     deno run -A child.ts <file> ask <address> <times>
 *     deno run -A child.ts <file> sign-in <prefix>            until it is killed
 */
import { openKv } from "../../kv/mod.ts";
import { createAuth } from "../mod.ts";

const [path, job, ...args] = Deno.args;
using kv = await openKv(path);
const auth = createAuth({ kv, clock: Date.now, clientLimit: 0 });
const ask = (email: string) =>
  auth.requestLink({ email, clientAddress: "192.0.2.1", surface: "site" });
const say = (value: unknown) =>
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(value) + "\n"));

const times = <Result>(count: number, step: (i: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, i) => step(i)));

async function signInForEver(prefix: string, worker: number) {
  for (let i = 0;; i++) {
    const asked = await ask(`${prefix}-${worker}-${i}@example.org`);
    if (!asked.ok) throw new Error(asked.error);
    say({ token: asked.token });
    const signIn = await auth.verify(asked.token, "site");
    say({ token: asked.token, sessionId: signIn!.sessionId });
  }
}

const JOBS: Record<string, () => Promise<unknown>> = {
  "verify": async () => say(await times(+args[1], () => auth.verify(args[0], "site"))),
  "sign-up": async () => say(await times(+args[0], (i) => ask(`${args[1]}-${i}@example.org`))),
  "ask": async () => say(await times(+args[1], () => ask(args[0]))),
  "sign-in": () => times(4, (worker) => signInForEver(args[0], worker)),
};

say("ready");
await Deno.stdin.read(new Uint8Array(1));
await JOBS[job]();
