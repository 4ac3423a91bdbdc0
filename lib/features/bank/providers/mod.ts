import type { OrganisationKey } from "../../../platform/surfaces/mod.ts";
import type { BankProvider } from "../provider.ts";
import type { BankConfig } from "../variables.ts";
import { createMercury, type MercuryOptions } from "./mercury.ts";

/**
 * Creates the provider of an organisation's bank, or returns null if none is configured. Another
 * bank's adapter is chosen here.
 */
export function createBankProvider(
  { baseUrl, tokens }: BankConfig,
  organisation: OrganisationKey,
  options: Omit<MercuryOptions, "baseUrl" | "token">,
): BankProvider | null {
  const token = tokens[organisation].value;
  return baseUrl && token ? createMercury({ baseUrl, token, ...options }) : null;
}
