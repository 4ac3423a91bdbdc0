import { z } from "zod";
import { type OpsConfig, opsConfig, opsVariables } from "../features/operators/variables.ts";
import { ConfigError } from "../platform/config/error.ts";
import {
  type BankConfig,
  bankConfig,
  bankProblems,
  bankVariables,
} from "../features/bank/variables.ts";
import {
  type CodesConfig,
  codesConfig,
  codesProblems,
  codeVariables,
} from "../features/codes/variables.ts";
import {
  type ChainConfig,
  type ContactConfig,
  contactConfig,
  contactProblems,
  contactVariables,
} from "../features/contact/variables.ts";
import {
  type DocumentsConfig,
  documentsConfig,
  documentsProblems,
  documentVariables,
} from "../features/documents/variables.ts";
import { oneLine, origins, SECRET, secrets, text, wholeNumber } from "../platform/config/fields.ts";
import {
  type MailConfig,
  mailConfig,
  mailProblems,
  mailVariables,
} from "../platform/mail/variables.ts";
import { type OAuthConfig, oauthConfig, oauthVariables } from "../features/oauth/variables.ts";
import {
  type OrganisationConfig,
  organisationProblems,
  organisationsConfig,
  organisationVariables,
} from "../platform/config/organisations.ts";
import {
  type PasskeyConfig,
  passkeyConfig,
  passkeyVariables,
} from "../features/passkeys/variables.ts";
import {
  type PaymentsConfig,
  paymentsConfig,
  paymentsProblems,
  paymentVariables,
} from "../features/payments/variables.ts";
import {
  type PushConfig,
  pushConfig,
  pushProblems,
  pushVariables,
} from "../features/push/variables.ts";
import {
  type RelaysConfig,
  relaysConfig,
  relaysProblems,
  relayVariables,
} from "../features/relay/variables.ts";
import { releaseVariables, revisionOf } from "../platform/config/release.ts";
import { type StoreConfig, storeConfig, storeVariables } from "../platform/store/variables.ts";
import { type SurfaceHosts, surfaceHosts, surfaceProblems } from "../platform/config/surfaces.ts";
import {
  type TelemetryConfig,
  telemetryConfig,
  telemetryVariables,
} from "../platform/telemetry/variables.ts";
import { developmentHosts } from "../platform/surfaces/surfaces.ts";
import { type OrganisationKey, SURFACES, type SurfaceTable } from "../platform/surfaces/table.ts";

/** The configuration, parsed once from the environment. */
export interface Config {
  env: "development" | "production";
  host: string;
  port: number;
  /** A file, `:memory:`, or a KV Connect URL; undefined for Deno's default. */
  kvPath: string | undefined;
  surfaceHosts: SurfaceHosts;
  /** The value of `Strict-Transport-Security`; undefined in development, which does not send it. */
  hsts?: string;
  /** The number of proxies whose `X-Forwarded-For` entries are trusted. */
  trustProxy: number;
  organisations: Record<OrganisationKey, OrganisationConfig>;
  productName: string;
  /** Secrets that keys are derived from, the current one first. If empty, one is generated. */
  appSecrets: Uint8Array<ArrayBuffer>[];
  mail: MailConfig;
  bank: BankConfig;
  ops: OpsConfig;
  contact: ContactConfig;
  codes: CodesConfig;
  documents: DocumentsConfig;
  passkeys: PasskeyConfig;
  payments: PaymentsConfig;
  push: PushConfig;
  chain: ChainConfig;
  /** True if `/my-record` is a web app with notifications and an offline page. */
  recordApp: boolean;
  relays: RelaysConfig;
  /** Sign-in requests per hour from one client address; 0 for no limit. */
  signInClientLimit: number;
  /** Open streams of chains and access logs per client address; 0 for no streams. */
  streamClientLimit: number;
  mcp: {
    /** Requests per minute from one client address; 0 for no limit. */
    rateLimit: number;
    /** Browser origins that may call `/mcp` besides our own surfaces. */
    allowedOrigins: string[];
  };
  oauth: OAuthConfig;
  store: StoreConfig;
  /** Identifies the running build to operators. */
  revision: string | null;
  telemetry: TelemetryConfig;
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/;

export const environment = z.object({
  APP_ENV: z.enum(["development", "production"], "development or production")
    .default("development"),
  HOST: text.min(1, "an address to listen on").optional(),
  PORT: wholeNumber("a port from 0 to 65535", 65535).default(8000),
  KV_PATH: text.optional(),
  SURFACE_HOSTS: surfaceHosts.optional(),
  TRUST_PROXY: wholeNumber("a number of proxies from 0 to 10", 10).default(0),
  HSTS: text.regex(
    /^max-age=\d{1,10}(; ?includeSubDomains)?(; ?preload)?$/i,
    "max-age=<seconds>, optionally followed by ; includeSubDomains and ; preload",
  ).default("max-age=63072000"),
  DEV_EXPOSE: z.enum(["0", "1"], "1, or unset").optional(),
  ...organisationVariables,
  PRODUCT_NAME: oneLine.default("Qualpack"),
  APP_SECRET: secrets.default([]),
  SIGN_IN_CLIENT_LIMIT: wholeNumber("requests per hour up to 5000, 0 for no limit", 5000)
    .default(30),
  STREAM_CLIENT_LIMIT: wholeNumber("open streams up to 10000, 0 for no streams", 10_000)
    .default(20),
  MCP_RATE_LIMIT: wholeNumber("requests per minute up to 6000, 0 for no limit", 6000).default(60),
  MCP_ALLOWED_ORIGINS: origins.default([]),
  ...oauthVariables,
  RECORD_APP: z.enum(["on", "off"], "on or off").default("on"),
  ...mailVariables,
  ...bankVariables,
  ...opsVariables,
  ...contactVariables,
  ...codeVariables,
  ...documentVariables,
  ...passkeyVariables,
  ...paymentVariables,
  ...pushVariables,
  ...relayVariables,
  ...releaseVariables,
  ...storeVariables,
  ...telemetryVariables,
});

/**
 * Reads the configuration from environment variables. An empty variable counts as unset.
 *
 * @param table the surfaces, for tests that add one
 * @throws {ConfigError} with a line for each invalid variable
 *
 * @example
 * ```ts
 * const config = parseConfig(Deno.env.toObject());
 * ```
 */
export function parseConfig(
  env: Record<string, string | undefined>,
  table: SurfaceTable = SURFACES,
): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));
  const parsed = environment.safeParse(given);
  if (!parsed.success) {
    const lines = parsed.error.issues.map(({ path, message }) =>
      `${String(path[0])}: should be ${message}`
    );
    throw new ConfigError([...new Set(lines)]);
  }
  const values = parsed.data;
  const production = values.APP_ENV === "production";
  const host = values.HOST ?? (production ? "0.0.0.0" : "127.0.0.1");

  const lines: string[] = [];
  if (production && values.SURFACE_HOSTS === undefined) {
    lines.push(
      `SURFACE_HOSTS: should be set in production, as JSON {"site": ["qualpack.example"]}`,
    );
  }
  if (production && values.SURFACE_HOSTS?.workbench !== undefined) {
    lines.push("SURFACE_HOSTS: should not name the workbench, which production does not have");
  }
  if (!production && !LOOPBACK.test(host) && values.DEV_EXPOSE !== "1") {
    lines.push("HOST: should be a loopback address in development, or set DEV_EXPOSE=1");
  }
  if (!production && given.DENO_DEPLOYMENT_ID !== undefined) {
    lines.push("APP_ENV: should be production on Deno Deploy");
  }
  if (production && values.APP_SECRET.length === 0) {
    lines.push(`APP_SECRET: should be ${SECRET}`);
  }
  const hosts = values.SURFACE_HOSTS ?? developmentHosts(table);
  const organisations = organisationsConfig(values);
  const mail = mailConfig(values, {
    product: values.PRODUCT_NAME,
    foundation: organisations.foundation.name,
    commercial: organisations.commercial.name,
  }, hosts);
  lines.push(
    ...surfaceProblems(hosts),
    ...organisationProblems(values, hosts, production, table),
    ...mailProblems(mail, production),
    ...bankProblems(values, production),
    ...relaysProblems(values, hosts, production),
    ...contactProblems(values, production, values.SURFACE_HOSTS?.trust !== undefined),
    ...codesProblems(values, production),
    ...documentsProblems(values),
    ...paymentsProblems(values),
    ...pushProblems(values),
  );
  if (lines.length > 0) throw new ConfigError(lines);

  return {
    env: values.APP_ENV,
    host,
    port: values.PORT,
    kvPath: values.KV_PATH ?? (production ? undefined : ".data/gatehouse.kv"),
    surfaceHosts: hosts,
    hsts: production ? values.HSTS : undefined,
    trustProxy: values.TRUST_PROXY,
    organisations,
    productName: values.PRODUCT_NAME,
    appSecrets: values.APP_SECRET,
    mail,
    bank: bankConfig(values, production),
    ops: opsConfig(values, production),
    contact: contactConfig(values),
    codes: codesConfig(values, production),
    documents: documentsConfig(values),
    passkeys: passkeyConfig(values),
    payments: paymentsConfig(values),
    push: pushConfig(values),
    chain: { signingKey: values.CHAIN_SIGNING_KEY },
    recordApp: values.RECORD_APP === "on",
    relays: relaysConfig(values, production),
    signInClientLimit: values.SIGN_IN_CLIENT_LIMIT,
    streamClientLimit: values.STREAM_CLIENT_LIMIT,
    mcp: { rateLimit: values.MCP_RATE_LIMIT, allowedOrigins: values.MCP_ALLOWED_ORIGINS },
    oauth: oauthConfig(values),
    store: storeConfig(values, production),
    revision: revisionOf(values.REVISION, given),
    telemetry: telemetryConfig(values),
  };
}
