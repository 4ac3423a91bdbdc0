import { sha256 } from "../../../platform/kv/hash.ts";
import type { OrganisationKey } from "../../../platform/surfaces/mod.ts";
import type { BankAdapter, BankProvider } from "../provider.ts";
import type { BankConfig, BankName } from "../variables.ts";
import type { AdapterOptions } from "./adapter.ts";
import { createMercury } from "./mercury.ts";

const ADAPTERS: Record<BankName, (options: AdapterOptions) => BankAdapter> = {
  mercury: createMercury,
};

/** Creates the provider of an organisation's bank, or returns null if none is configured. */
export function createBankProvider(
  { name, baseUrl, tokens }: BankConfig,
  organisation: OrganisationKey,
  options: Omit<AdapterOptions, "baseUrl" | "token">,
): BankProvider | null {
  const token = tokens[organisation].value;
  return baseUrl && token ? providerOf(name, { baseUrl, token, ...options }) : null;
}

/** Creates the provider of a bank, whose fingerprint is derived from the token. */
export const providerOf = (name: BankName, options: AdapterOptions): BankProvider => ({
  ...ADAPTERS[name](options),
  fingerprint: `${name}-${sha256(options.token).slice(0, 16)}`,
});
