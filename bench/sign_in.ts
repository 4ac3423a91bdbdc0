/**
 * Sign-in requests a second through the whole app with the outbox, beside the same requests handed
 * to `lib/auth` alone, in turns in one run, each for an address that is new. The store is a file.
 *
 * @module
 */
import { join } from "node:path";
import { openKv } from "../lib/kv/mod.ts";
import { createSite, type Site } from "../tests/site.ts";

export interface SignInRow {
  way: "app" | "auth alone";
  requests_per_second: number;
}

const ROUNDS = 5;
const REQUESTS = 1_000;
/** As many as a busy site has in flight. */
const IN_FLIGHT = 16;

/** Measures and prints: about ten seconds. */
export async function run(): Promise<SignInRow[]> {
  const folder = await Deno.makeTempDir();
  const kv = await openKv(join(folder, "sign_in.kv"));
  const rates: Record<SignInRow["way"], number[]> = { "app": [], "auth alone": [] };
  {
    await using site = await createSite({ SIGN_IN_CLIENT_LIMIT: "0" }, { kv });
    const ways = { "app": throughApp(site), "auth alone": throughAuth(site) };
    for (let round = 0; round <= ROUNDS; round++) {
      for (const way of ["app", "auth alone"] as const) {
        const rate = await measure(ways[way]);
        if (round > 0) rates[way].push(rate); // the first is for warmth
      }
    }
    await site.services.mailer.flush();
  }
  await Deno.remove(folder, { recursive: true });
  // The best of each: what else the machine does can only slow it.
  const [app, alone] = [rates.app, rates["auth alone"]].map((of) => Math.max(...of));
  console.log(`Sign-in requests a second, new addresses (the best of ${ROUNDS} rounds)`);
  console.log(`  lib/auth alone            ${Math.round(alone)}`);
  console.log(
    `  the app, with the outbox  ${Math.round(app)}  ${(app / alone).toFixed(2)} of that`,
  );
  return [
    { way: "app", requests_per_second: app },
    { way: "auth alone", requests_per_second: alone },
  ];
}

type Ask = (email: string) => Promise<boolean>;

function throughApp(site: Site): Ask {
  return async (email) => {
    const response = await site.request("site", "/api/auth/request", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email }),
    });
    return (await response.json()).success;
  };
}

function throughAuth({ services }: Site): Ask {
  return async (email) => (await services.auth.issueLink({ email, surface: "site" })).ok;
}

async function measure(ask: Ask): Promise<number> {
  const run = crypto.randomUUID();
  let next = 0;
  const worker = async () => {
    while (next < REQUESTS) {
      if (!await ask(`${run}-${next++}@example.org`)) throw new Error("A request was refused.");
    }
  };
  const begin = performance.now();
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  return REQUESTS / (performance.now() - begin) * 1000;
}

if (import.meta.main) await run();
