/** Simulates a process of the site that dies at a chosen moment. */
import { createServices, type ServiceOverrides, type Services } from "../lib/app/services.ts";
import { DeathError, type MortalKv } from "../lib/platform/kv/testing/dying_kv.ts";
import { crashConfig } from "./mail_crash_config.ts";
import { sharingThreads } from "./shared_threads.ts";

/** The site's services as a process has them that can die, in the test's own process. */
interface MortalProcess {
  services: Services;
  /** Runs the work of the process, closes its services, and returns whether it died meanwhile. */
  run(work: () => Promise<void>): Promise<boolean>;
}

interface MortalOptions {
  path: string;
  mailApi: string;
  mortal: MortalKv;
  /** The store of the services, which passes its calls on to the mortal one. Default: that one. */
  kv?: Deno.Kv;
  overrides?: ServiceOverrides;
}

/**
 * Starts a process, which does nothing to the store or to other servers once the store has died. A test starts one
 * with `Deno.Command` once, and this one for all other moments of death, because that takes a tenth of the time.
 */
export function startMortal(
  { path, mailApi, mortal, kv = mortal.kv, overrides = {} }: MortalOptions,
): MortalProcess {
  const alive = () => {
    if (mortal.isDead) throw new DeathError();
  };
  const services = sharingThreads(() =>
    createServices(crashConfig(path, mailApi), kv, {
      log: () => {}, // a dead process logs nothing
      async fetch(...request) {
        alive();
        const response = await fetch(...request);
        if (mortal.isDead) await response.body?.cancel();
        alive();
        return response;
      },
      ...overrides,
    })
  );
  return {
    services,
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
