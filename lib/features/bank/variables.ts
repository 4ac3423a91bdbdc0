/** The environment variables of the bank, and the configuration that is made of them. */
import { z } from "zod";
import type { OrganisationKey } from "../../platform/surfaces/table.ts";
import { headerSecret, httpUrl, text } from "../../platform/config/fields.ts";
import { secret } from "../../platform/config/secret_files.ts";
import {
  defineSettings,
  type Deployment,
  type SettingsContext,
} from "../../platform/config/settings.ts";

/** The banks that have an adapter in `providers/`. */
const BANKS = ["mercury"] as const;
/** The bank whose API the development stand-in has. */
const STAND_IN: BankName = "mercury";

export type BankName = (typeof BANKS)[number];

export interface BankConfig {
  name: BankName;
  /** `{bank_api_base}`; undefined if no provider is connected. */
  baseUrl?: string;
  /** True to start the development stand-in, which then sets the missing values. */
  sandbox: boolean;
  /** The token of each organisation, and the variable that sets it. */
  tokens: Record<OrganisationKey, { value?: string; variable: string }>;
  /** The foundation's only account after the split (spec 2.4.4). */
  account?: { id: string; nickname: string; last4: string };
}

const token = secret(
  headerSecret("a token without spaces or control characters").optional(),
);

const variables = {
  BANK_PROVIDER: z.enum(BANKS, BANKS.join(" or ")).default("mercury"),
  BANK_API_BASE: httpUrl.optional(),
  BANK_SANDBOX: z.enum(["on", "off"], "on or off").default("on"),
  BANK_API_TOKEN: token,
  FOUNDATION_BANK_API_TOKEN: token,
  COMMERCIAL_BANK_API_TOKEN: token,
  FOUNDATION_ACCOUNT_ID: text.regex(/^[\w-]{1,100}$/, "the id of an account").optional(),
  FOUNDATION_ACCOUNT_NICKNAME: text.max(100, "at most 100 characters").default("Treasury"),
  FOUNDATION_ACCOUNT_LAST4: text.regex(/^\d{4}$/, "four digits").optional(),
};

type Values = z.output<z.ZodObject<typeof variables>>;

function bankConfig(values: Values, { production }: SettingsContext): BankConfig {
  const { BANK_API_BASE: baseUrl, BANK_API_TOKEN: shared, FOUNDATION_ACCOUNT_ID: id } = values;
  const tokenOf = (variable: "FOUNDATION_BANK_API_TOKEN" | "COMMERCIAL_BANK_API_TOKEN") =>
    values[variable] === undefined && shared !== undefined
      ? { value: shared, variable: "BANK_API_TOKEN" }
      : { value: values[variable], variable };
  const { BANK_PROVIDER: name, BANK_SANDBOX } = values;
  return {
    name,
    baseUrl,
    sandbox: !production && baseUrl === undefined && BANK_SANDBOX === "on" && name === STAND_IN,
    tokens: {
      foundation: tokenOf("FOUNDATION_BANK_API_TOKEN"),
      commercial: tokenOf("COMMERCIAL_BANK_API_TOKEN"),
    },
    account: id === undefined ? undefined : {
      id,
      nickname: values.FOUNDATION_ACCOUNT_NICKNAME,
      last4: values.FOUNDATION_ACCOUNT_LAST4 ?? "",
    },
  };
}

function bankProblems(values: Values, context: SettingsContext): string[] {
  const { production } = context;
  const lines: string[] = [];
  const base = values.BANK_API_BASE;
  if (production && base?.startsWith("http://")) {
    lines.push(
      "BANK_API_BASE: should be an https URL in production, because the token is sent there",
    );
  }
  const { foundation, commercial } = bankConfig(values, context).tokens;
  if (production && base === undefined && (foundation.value ?? commercial.value) !== undefined) {
    lines.push("BANK_API_BASE: should be set, because a bank API token is set");
  }
  return lines;
}

function bankOff({ bank, surfaceHosts }: { bank: BankConfig } & Deployment): string[] {
  if (bank.sandbox) return ["the bank: BANK_API_BASE is not set; a stand-in serves invented data"];
  return (["foundation", "commercial"] as const).flatMap((organisation) => {
    const { value, variable } = bank.tokens[organisation];
    if (surfaceHosts[`${organisation}-console`] === undefined) return [];
    const missing = bank.baseUrl === undefined ? "BANK_API_BASE" : variable;
    if (bank.baseUrl !== undefined && value !== undefined) return [];
    return [`the bank on the ${organisation} console: ${missing} is not set`];
  });
}

export const bankSettings = defineSettings({
  variables,
  config: (values, context) => ({ bank: bankConfig(values, context) }),
  problems: bankProblems,
  off: bankOff,
});
