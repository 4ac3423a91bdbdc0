import type { Config } from "../lib/config.ts";
import { startBankSandbox } from "./bank.ts";

/** The stand-ins that run beside the site in development. */
export interface Sandboxes {
  /** The configuration, with what they fill in. */
  config: Config;
  stop(): Promise<void>;
}

/**
 * Starts the stand-ins that a configuration asks for. What is configured itself stays as it is: a
 * token of one's own goes to the sandbox too, which may refuse it.
 *
 * @throws {Error} in production, which has no stand-ins
 */
export function startSandboxes(config: Config): Sandboxes {
  if (config.env === "production") throw new Error("Production has no sandbox.");
  if (!config.bank.sandbox) return { config, stop: () => Promise.resolve() };
  const bank = startBankSandbox();
  const { foundation, commercial } = config.bank.tokens;
  return {
    config: {
      ...config,
      bank: {
        ...config.bank,
        baseUrl: bank.baseUrl,
        tokens: {
          foundation: { ...foundation, value: foundation.value ?? bank.tokens.foundation },
          commercial: { ...commercial, value: commercial.value ?? bank.tokens.commercial },
        },
      },
    },
    stop: bank.stop,
  };
}
