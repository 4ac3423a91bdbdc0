import { createServices, type ServiceOverrides, type Services } from "../lib/app/services.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { DeathError, type MortalKv, mortalKv } from "../lib/platform/kv/testing/dying_kv.ts";
import { crashConfig } from "./mail_crash_config.ts";

/** The site's services as a process has them that can be killed, in the test's own process. */
export interface MortalProcess {
  services: Services;
  /** Ends all that it does to the store and to other servers, at once. */
  kill(): void;
  /** Runs the work of the process, and returns whether it was killed meanwhile. */
  run(work: () => Promise<void>): Promise<boolean>;
}

/**
 * Starts a process on a store in a file. A test starts one with `Deno.Command` once, and this one for all other
 * moments at which it dies, because that takes a hundredth of the time.
 *
 * @param mortalOf wraps the opened store. Default: it only dies when it is killed
 */
export async function startMortal(
  path: string,
  mailApi: string,
  mortalOf: (kv: Deno.Kv) => MortalKv = mortalKv,
  overrides: ServiceOverrides = {},
): Promise<MortalProcess> {
  const mortal = mortalOf(await openKv(path));
  const alive = () => {
    if (mortal.isDead) throw new DeathError();
  };
  const services = createServices(crashConfig(path, mailApi), mortal.kv, {
    log: () => {}, // a dead process logs nothing
    async fetch(...request) {
      alive();
      const response = await fetch(...request);
      if (mortal.isDead) await response.body?.cancel();
      alive();
      return response;
    },
    ...overrides,
  });
  return {
    services,
    kill: mortal.die,
    async run(work) {
      try {
        await work();
      } catch (error) {
        if (!mortal.isDead) throw error;
      }
      await services.close(mortal.isDead ? 0 : undefined);
      return mortal.isDead;
    },
  };
}
