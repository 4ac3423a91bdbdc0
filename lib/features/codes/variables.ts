/** The environment variables of one-time codes: provider, countries and daily budget. */
import { z } from "zod";
import { DIAL_CODES } from "../contact/mod.ts";
import { integer } from "../../platform/http/schemas.ts";
import { headerSecret, isSecureUrl, list, text } from "../../platform/config/fields.ts";
import { secret } from "../../platform/config/secret_files.ts";
import {
  defineSettings,
  type Deployment,
  type SettingsContext,
} from "../../platform/config/settings.ts";

/** A country of the contact form, ISO 3166-1 alpha-2. */
type CodeCountry = typeof DIAL_CODES[number]["country"];

/** The account at Twilio, or at the stand-in with the same API. */
export interface TwilioConfig {
  apiBase: string;
  accountSid: string;
  authToken: string;
  /** Also accepted in callbacks, which the primary token signs until the new one replaces it. */
  olderToken?: string;
  /** The number that calls, and sends unless a messaging service does. */
  from?: string;
  messagingServiceSid?: string;
}

/** The provider that sends the codes, with the settings that the provider requires. */
export type CodeProviderConfig =
  /** `account` is set when the stand-in was started. */
  | { name: "sandbox"; account?: TwilioConfig }
  | { name: "http"; url: string; key: string }
  | { name: "twilio"; account: TwilioConfig };

export interface CodesConfig {
  /** Undefined if codes are off. */
  provider?: CodeProviderConfig;
  /** The countries whose numbers get codes by SMS. */
  countries: readonly CodeCountry[];
  /** The countries whose numbers get codes by call. */
  voiceCountries: readonly CodeCountry[];
  /** The number of messages per day, over all numbers and channels. */
  dailyBudget: number;
}

const COUNTRIES = DIAL_CODES.map(({ country }) => country);
const COUNTRY_LIST = `countries of the contact form, such as ${
  COUNTRIES.slice(0, 2).join(", ")
}, separated by commas`;
/** The URL of an API that gets a secret, without a trailing slash. */
const apiUrl = text.refine(isSecureUrl, "an https URL")
  .transform((value) => value.replace(/\/+$/, ""));

const countries = list.pipe(
  z.array(z.string().toUpperCase().pipe(z.enum(COUNTRIES, COUNTRY_LIST))).min(1, COUNTRY_LIST),
).transform((countries) => [...new Set(countries)]);

const TOKENS = "a token without spaces or control characters, or two with a comma";

const variables = {
  CODE_PROVIDER: z.enum(["sandbox", "http", "twilio", "off"], "sandbox, http, twilio or off")
    .optional(),
  CODE_HTTP_URL: apiUrl.optional(),
  CODE_HTTP_KEY: secret(headerSecret("a key without spaces or control characters").optional()),
  TWILIO_API_BASE: apiUrl.default("https://api.twilio.com"),
  TWILIO_ACCOUNT_SID: text.regex(/^AC[0-9a-f]{32}$/, "AC and 32 hexadecimal digits").optional(),
  TWILIO_AUTH_TOKEN: secret(
    list.pipe(z.array(headerSecret(TOKENS)).min(1, TOKENS).max(2, TOKENS)).optional(),
  ),
  TWILIO_FROM: text.regex(/^\+[1-9]\d{6,14}$/, "a number such as +61491570006").optional(),
  TWILIO_MESSAGING_SERVICE_SID: text.regex(/^MG[0-9a-f]{32}$/, "MG and 32 hexadecimal digits")
    .optional(),
  CODE_COUNTRIES: countries.default(COUNTRIES),
  CODE_VOICE_COUNTRIES: countries.optional(),
  CODE_DAILY_BUDGET: text.pipe(integer(1, 100_000, "a number of messages from 1 to 100000"))
    .default(500),
};

type Values = z.output<z.ZodObject<typeof variables>>;

const nameOf = (values: Values, { production }: SettingsContext) =>
  values.CODE_PROVIDER ?? (production ? "off" : "sandbox");

function codesConfig(values: Values, context: SettingsContext): CodesConfig {
  return {
    provider: providerConfig(values, nameOf(values, context)),
    countries: values.CODE_COUNTRIES,
    voiceCountries: values.CODE_VOICE_COUNTRIES ?? values.CODE_COUNTRIES,
    dailyBudget: values.CODE_DAILY_BUDGET,
  };
}

function providerConfig(
  values: Values,
  name: CodeProviderConfig["name"] | "off",
): CodeProviderConfig | undefined {
  switch (name) {
    case "off":
      return undefined;
    case "sandbox":
      return { name };
    case "http":
      return { name, url: values.CODE_HTTP_URL ?? "", key: values.CODE_HTTP_KEY ?? "" };
    case "twilio": {
      const [authToken = "", olderToken] = values.TWILIO_AUTH_TOKEN ?? [];
      return {
        name,
        account: {
          apiBase: values.TWILIO_API_BASE,
          accountSid: values.TWILIO_ACCOUNT_SID ?? "",
          authToken,
          olderToken,
          from: values.TWILIO_FROM,
          messagingServiceSid: values.TWILIO_MESSAGING_SERVICE_SID,
        },
      };
    }
  }
}

const REQUIRED = {
  off: [],
  sandbox: [],
  http: ["CODE_HTTP_URL", "CODE_HTTP_KEY"],
  twilio: ["TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN"],
} as const;

function codesProblems(values: Values, context: SettingsContext): string[] {
  const name = nameOf(values, context);
  const lines: string[] = [];
  if (context.production && name === "sandbox") {
    lines.push("CODE_PROVIDER: should be http, twilio or off in production, which has no stand-in");
  }
  for (const variable of REQUIRED[name]) {
    if (values[variable] === undefined) {
      lines.push(`${variable}: should be set, because CODE_PROVIDER is ${name}`);
    }
  }
  const sender = values.TWILIO_FROM ?? values.TWILIO_MESSAGING_SERVICE_SID;
  if (name === "twilio" && sender === undefined) {
    lines.push(
      "TWILIO_FROM: should be set, or TWILIO_MESSAGING_SERVICE_SID, because CODE_PROVIDER is twilio",
    );
  }
  return lines;
}

function codesOff(
  { codes: { provider }, surfaceHosts, env }: { codes: CodesConfig } & Deployment,
): string[] {
  if (surfaceHosts.trust === undefined) return [];
  if (provider === undefined) {
    const reason = env === "production" ? "not set, or off" : "off";
    return [`codes by SMS and voice: CODE_PROVIDER is ${reason}`];
  }
  if (provider.name === "sandbox") {
    return ["sending codes by SMS and voice: CODE_PROVIDER is sandbox; read them at /dev/phone"];
  }
  return provider.name === "twilio" && provider.account.from === undefined
    ? ["codes by voice: TWILIO_FROM is not set"]
    : [];
}

export const codesSettings = defineSettings({
  variables,
  config: (values, context) => ({ codes: codesConfig(values, context) }),
  problems: codesProblems,
  off: codesOff,
});
