/**
 * Measures sign-ins with a passkey per second through the app's handler, and their CPU time compared
 * with the verification by `@simplewebauthn/server` alone. Both verify the same responses,
 * alternating in one run. The store is a file.
 *
 * @module
 */
import process from "node:process";
import { join } from "node:path";
import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import { openKv } from "../lib/platform/kv/mod.ts";
import type { Passkey } from "../lib/features/passkeys/mod.ts";
import type { Authenticator } from "../lib/features/passkeys/testing/authenticator.ts";
import { verifySignIn } from "../lib/features/passkeys/webauthn.ts";
import { passkeyFixture, VERIFY } from "../tests/passkey_site.ts";
import { PERSON } from "../tests/contact_site.ts";

export interface PasskeysResult {
  sign_ins_per_second: { app: number; library: number };
  /** CPU time of one sign-in, all threads of the process. */
  cpu_ms: { app: number; library: number };
  /** The CPU time of the app relative to the library. */
  ratio: number;
}

/** A response that has not been sent yet. */
interface Prepared {
  response: AuthenticationResponseJSON;
  challenge: string;
  cookie: string;
  passkey: Passkey;
}

const ROUNDS = 5;
const SIGN_INS = 400;
/** Concurrent sign-ins of a busy site, each by another holder. */
const IN_FLIGHT = 16;

/** Runs the benchmark and prints the result. Takes about 20 seconds. */
export async function run(): Promise<PasskeysResult> {
  const folder = await Deno.makeTempDir();
  try {
    return await measure(await openKv(join(folder, "passkeys.kv")));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function measure(kv: Deno.Kv): Promise<PasskeysResult> {
  await using fixture = await passkeyFixture({}, { kv });
  const holders: { authenticator: Authenticator; passkey: Passkey }[] = [];
  for (let i = 0; i < IN_FLIGHT; i++) {
    const holder = await fixture.holder({ ...PERSON, email: `person-${i}@example.org` });
    const authenticator = fixture.authenticator();
    await (await fixture.add(holder, authenticator)).body?.cancel();
    holders.push({ authenticator, passkey: (await fixture.passkeys(holder.hash))[0] });
  }
  let client = 0;
  const prepare = async (i: number): Promise<Prepared> => {
    const { authenticator, passkey } = holders[i % IN_FLIGHT];
    const from = `10.${client >> 16 & 255}.${client >> 8 & 255}.${client++ & 255}`;
    const asked = await fixture.fetch(VERIFY, { json: {}, from });
    const [cookie] = asked.headers.getSetCookie().map((value) => value.split(";")[0]);
    const options = await asked.json();
    const response = await authenticator.signIn(options);
    return { response, challenge: options.challenge, cookie, passkey };
  };
  const { baseUrl } = fixture.site.services.surfaces.get("trust")!;
  const party = { id: new URL(baseUrl).hostname, name: "", origins: [baseUrl] };
  const ways = {
    library: async ({ response, challenge, passkey }: Prepared) => {
      if (await verifySignIn(response, challenge, passkey, party) === null) fail();
    },
    app: async ({ response, cookie }: Prepared) => {
      const sent = await fixture.fetch(VERIFY, { cookie, json: { response } });
      if (!sent.ok) fail();
      await sent.body?.cancel();
    },
  };

  const best = { library: worst(), app: worst() };
  for (let round = 0; round <= ROUNDS; round++) {
    const prepared: Prepared[] = [];
    for (let i = 0; i < SIGN_INS; i++) prepared.push(await prepare(i));
    for (const way of ["library", "app"] as const) {
      const measured = await time(prepared, ways[way]);
      if (round === 0) continue; // warms up
      best[way].rate = Math.max(best[way].rate, measured.rate);
      best[way].cpuMs = Math.min(best[way].cpuMs, measured.cpuMs);
    }
  }
  const ratio = best.app.cpuMs / best.library.cpuMs;
  console.log("Sign-ins with a passkey");
  for (const way of ["library", "app"] as const) {
    const name = way === "library" ? "the library alone" : "the app's handler";
    const { rate, cpuMs } = best[way];
    console.log(`  ${name}  ${Math.round(rate)} per second, ${cpuMs.toFixed(2)} ms of CPU each`);
  }
  console.log(`  The app takes ${ratio.toFixed(1)} times the CPU of the library.`);
  return {
    sign_ins_per_second: { app: best.app.rate, library: best.library.rate },
    cpu_ms: { app: best.app.cpuMs, library: best.library.cpuMs },
    ratio,
  };
}

const worst = () => ({ rate: 0, cpuMs: Infinity });

function fail(): never {
  throw new Error("A sign-in was refused.");
}

/** Runs a step for each item, {@link IN_FLIGHT} at a time. */
async function time(items: Prepared[], step: (item: Prepared) => Promise<void>) {
  let next = 0;
  const worker = async () => {
    while (next < items.length) await step(items[next++]);
  };
  const start = performance.now();
  const before = process.cpuUsage();
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  const { user, system } = process.cpuUsage(before);
  const seconds = (performance.now() - start) / 1000;
  return { rate: items.length / seconds, cpuMs: (user + system) / 1000 / items.length };
}

if (import.meta.main) await run();
