/** The stand-ins for outside services in development, all started from here. */
import type { Config } from "../lib/app/config.ts";
import type { BankConfig } from "../lib/features/bank/variables.ts";
import type { PaymentsConfig } from "../lib/features/payments/variables.ts";
import { type BankSandbox, type BankSandboxOptions, startBankSandbox } from "./bank.ts";
import { sandboxRelay, startOriginSandbox } from "./origin.ts";
import { type PaymentSandbox, startPaymentSandbox } from "./payments.ts";
import { startPhoneSandbox } from "./phone.ts";
import { createPushStandIn, newWebPush } from "./push.ts";

/** The stand-ins that run alongside the site in development. */
export interface Sandboxes {
  /** Fills in the stand-ins' values in a configuration that differs only in its secrets. */
  configure(config: Config): Config;
  stop(): Promise<void>;
}

/**
 * Starts the stand-ins that a configuration enables. Configured values are kept: a configured bank
 * token is sent to the sandbox, which may reject it.
 *
 * @param options the clock of the bank's data. Default: the present time
 * @throws {Error} in production, which has no stand-ins
 */
export function startSandboxes(
  config: Config,
  { clock }: Pick<BankSandboxOptions, "clock"> = {},
): Sandboxes {
  if (config.env === "production") throw new Error("Production has no sandbox.");
  const bank = config.bank.sandbox ? startBankSandbox({ clock }) : null;
  const origin = config.relays.sandbox ? startOriginSandbox() : null;
  const payments = startPaymentSandbox({ configured: config.payments.secrets });
  const { provider } = config.codes;
  const phone = provider?.name === "sandbox" ? startPhoneSandbox() : null;
  const standIn = createPushStandIn();
  const web = newWebPush();
  return {
    configure: (config) => ({
      ...config,
      codes: phone === null
        ? config.codes
        : { ...config.codes, provider: { name: "sandbox", account: phone.account } },
      payments: paymentsOf(payments, config.payments),
      push: { ...config.push, web: config.push.web ?? web, standIn },
      bank: bank === null ? config.bank : withSandbox(config.bank, bank),
      relays: origin === null ? config.relays : { ...config.relays, all: [sandboxRelay(origin)] },
    }),
    async stop() {
      await Promise.all([
        bank?.stop(),
        origin?.stop(),
        phone?.stop(),
        payments.stop(),
      ]);
    },
  };
}

function withSandbox(config: BankConfig, { baseUrl, tokens }: BankSandbox): BankConfig {
  const { foundation, commercial } = config.tokens;
  return {
    ...config,
    baseUrl,
    tokens: {
      foundation: { ...foundation, value: foundation.value ?? tokens.foundation },
      commercial: { ...commercial, value: commercial.value ?? tokens.commercial },
    },
  };
}

const paymentsOf = (
  { url, secrets }: PaymentSandbox,
  { secrets: { foundation, commercial } }: PaymentsConfig,
): PaymentsConfig => ({
  secrets: {
    foundation: foundation.length > 0 ? foundation : secrets.foundation,
    commercial: commercial.length > 0 ? commercial : secrets.commercial,
  },
  standIn: url,
});
