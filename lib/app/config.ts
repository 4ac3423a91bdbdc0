/** The configuration of the site: its environment variables, their rules and their parsed form. */
import { resolve } from "node:path";
import { z } from "zod";
import { ConfigError } from "../platform/config/error.ts";
import { DEFAULT_DATE_LOCALE } from "../base/time.ts";
import { denoDeployProblems, isDenoDeploy } from "../platform/config/deno_deploy.ts";
import {
  dateLocale,
  givenUpSecrets,
  oneLine,
  SECRET,
  secrets,
  text,
  wholeNumber,
} from "../platform/config/fields.ts";
import {
  type MailConfig,
  mailConfig,
  mailProblems,
  mailVariables,
} from "../platform/mail/variables.ts";
import {
  type OrganisationConfig,
  organisationProblems,
  organisationsConfig,
  organisationVariables,
} from "../platform/config/organisations.ts";
import type { Settings } from "../platform/config/settings.ts";
import { releaseVariables, revisionOf } from "../platform/config/release.ts";
import {
  type ConfiguredSecret,
  configuredSecrets,
  fileVariables,
  readSecretFiles,
  type SecretFiles,
  secretNames,
} from "../platform/config/secret_files.ts";
import { isFile } from "../platform/kv/mod.ts";
import { type StoreConfig, storeConfig, storeVariables } from "../platform/store/variables.ts";
import { type SurfaceHosts, surfaceHosts, surfaceProblems } from "../platform/config/surfaces.ts";
import {
  type TelemetryConfig,
  telemetryConfig,
  telemetryVariables,
} from "../platform/telemetry/variables.ts";
import { developmentHosts, hostsBelow } from "../platform/surfaces/surfaces.ts";
import { type OrganisationKey, SURFACES, type SurfaceTable } from "../platform/surfaces/table.ts";
import { type ConfigOf, FEATURES } from "./features.ts";
import { isLoopback } from "../base/loopback.ts";

interface PlatformConfig {
  env: "development" | "production";
  /** True on an instance of Deno Deploy, which stops when nobody visits the site. */
  denoDeploy: boolean;
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
  /** How pages, mails and documents write dates: a language tag, such as `en-GB`. */
  dateLocale: string;
  /** Secrets that keys are derived from, the current one first. If empty, one is generated. */
  appSecrets: Uint8Array<ArrayBuffer>[];
  /** The other secrets that are set. */
  secrets: readonly ConfiguredSecret[];
  /** The shown fingerprints of secrets that are lost or no longer trusted. */
  secretsGivenUp: string[];
  mail: MailConfig;
  /** Open streams of chains and access logs per client address; 0 for no streams. */
  streamClientLimit: number;
  store: StoreConfig;
  /** Identifies the running build to operators. */
  revision: string | null;
  telemetry: TelemetryConfig;
}

/** The configuration, parsed once from the environment. */
export type Config = PlatformConfig & ConfigOf<typeof FEATURES>;

const platformVariables = {
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
  DATE_LOCALE: dateLocale.default(DEFAULT_DATE_LOCALE),
  APP_SECRET: secrets.default([]),
  APP_SECRET_GIVEN_UP: givenUpSecrets.default([]),
  STREAM_CLIENT_LIMIT: wholeNumber("open streams up to 10000, 0 for no streams", 10_000)
    .default(20),
  ...mailVariables,
  ...releaseVariables,
  ...storeVariables,
  ...telemetryVariables,
};

/** Returns true for a KV Connect URL that sends its access token over a network unencrypted. */
const isPlainRemote = (path = ""): boolean =>
  /^http:/i.test(path) && URL.canParse(path) && !isLoopback(new URL(path).hostname);

const DEVELOPMENT_STORE = ".data/gatehouse.kv";

const isSameStore = (one: string | undefined, other: string | undefined): boolean =>
  isFile(one) && isFile(other) ? resolve(one) === resolve(other) : isUrl(one) && one === other;

const isUrl = (path: string | undefined): boolean => path !== undefined && URL.canParse(path);

/** Returns the variable that a line of a problem is about, even if its value is in a file. */
const variableOf = (line: string): string => line.split(":")[0].replace(/_FILE$/, "");

/** The descriptions of features, as far as the configuration needs them. */
export type WithSettings = readonly { settings?: Settings<z.ZodRawShape, object> }[];

/** Returns the schema of all variables. The values of features are typed by their settings. */
function environmentOf(features: WithSettings) {
  const variables = Object.assign(
    {},
    platformVariables,
    ...features.map(({ settings }) => settings?.variables),
  ) as typeof platformVariables;
  return z.object({ ...variables, ...fileVariables(variables) as Record<never, never> });
}

export const environment = environmentOf(FEATURES);

type Environment = Record<string, string | undefined>;

/** Reads the files with secrets that variables ending in `_FILE` name. */
export const readSecrets = (env: Environment, { shape } = environment): SecretFiles =>
  readSecretFiles(env, secretNames(shape));

/**
 * Reads the configuration from environment variables and the files that they name. An empty variable
 * counts as unset.
 *
 * @param options.files the files of secrets, if they have been read. Default: reads them
 * @param options.table the surfaces, for tests that add one
 * @param options.features the features, for tests that add one
 * @throws {ConfigError} with a line for each invalid variable or file
 */
export function parseConfig(
  env: Environment,
  { files, table = SURFACES, features = FEATURES }: {
    files?: SecretFiles;
    table?: SurfaceTable;
    features?: WithSettings;
  } = {},
): Config {
  const schema = features === FEATURES ? environment : environmentOf(features);
  const { values: contents, problems: unreadable } = files ?? readSecrets(env, schema);
  const given = Object.fromEntries(
    Object.entries({ ...env, ...contents }).filter(([, value]) => value?.trim()),
  );
  const parsed = schema.safeParse(given);
  const invalid = (parsed.error?.issues ?? []).map(({ path: [name], message }) =>
    Object.hasOwn(contents, name)
      ? `${String(name)}_FILE: should be a file with ${message}`
      : `${String(name)}: should be ${message}`
  );
  const unusable = new Set([...unreadable, ...invalid]);
  const names = new Set([...unusable].map(variableOf));
  // The other variables are checked as well, so that one attempt lists all problems.
  const values = parsed.data ?? schema.parse(
    Object.fromEntries(Object.entries(given).filter(([name]) => !names.has(name))),
  );
  const production = values.APP_ENV === "production";
  const denoDeploy = isDenoDeploy(env);
  const host = values.HOST ?? (production ? "0.0.0.0" : "127.0.0.1");

  const lines: string[] = [];
  const { KV_PATH, WITNESS_KV_PATH } = values as { KV_PATH?: string; WITNESS_KV_PATH?: string };
  for (const [name, path] of Object.entries({ KV_PATH, WITNESS_KV_PATH })) {
    if (!production || !isPlainRemote(path)) continue;
    lines.push(
      `${name}: should be an https URL in production, because the network would see the access token`,
    );
  }
  if (isSameStore(WITNESS_KV_PATH, KV_PATH ?? (production ? undefined : DEVELOPMENT_STORE))) {
    lines.push("WITNESS_KV_PATH: should be another store than KV_PATH, because it is in no backup");
  }
  if (production && values.SURFACE_HOSTS === undefined) {
    lines.push(
      `SURFACE_HOSTS: should name the surfaces to serve in production and their hosts, all or some of ${
        JSON.stringify(hostsBelow("qualpack.example", table))
      }`,
    );
  }
  if (production && values.SURFACE_HOSTS?.workbench !== undefined) {
    lines.push("SURFACE_HOSTS: should not name the workbench, which production does not have");
  }
  if (!production && !isLoopback(host) && values.DEV_EXPOSE !== "1") {
    lines.push("HOST: should be a loopback address in development, or set DEV_EXPOSE=1");
  }
  if (denoDeploy) lines.push(...denoDeployProblems(values));
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
  // Until production names its hosts, everything that any surface needs is missing.
  const namedHosts = values.SURFACE_HOSTS ?? (production ? hosts : {});
  const context = { production, denoDeploy, hosts, namedHosts };
  const settings = features.flatMap((feature) => feature.settings ?? []);
  lines.push(
    ...surfaceProblems(hosts),
    ...organisationProblems(values, hosts, production, table),
    ...mailProblems(mail, production),
    ...settings.flatMap(({ problems }) => problems?.(values, context) ?? []),
  );
  const missing = lines.filter((line) => !names.has(variableOf(line)));
  if (unusable.size + missing.length > 0) {
    // The surfaces decide which other variables are required, so their hosts come first.
    const isHosts = (line: string) => variableOf(line) === "SURFACE_HOSTS";
    const all = [...unusable, ...missing];
    throw new ConfigError([...all.filter(isHosts), ...all.filter((line) => !isHosts(line))]);
  }

  const platform: PlatformConfig = {
    env: values.APP_ENV,
    denoDeploy,
    host,
    port: values.PORT,
    kvPath: values.KV_PATH ?? (production ? undefined : DEVELOPMENT_STORE),
    surfaceHosts: hosts,
    hsts: production ? values.HSTS : undefined,
    trustProxy: values.TRUST_PROXY,
    organisations,
    productName: values.PRODUCT_NAME,
    dateLocale: values.DATE_LOCALE,
    appSecrets: values.APP_SECRET,
    secrets: configuredSecrets(schema.shape, given, contents),
    secretsGivenUp: values.APP_SECRET_GIVEN_UP,
    mail,
    streamClientLimit: values.STREAM_CLIENT_LIMIT,
    store: storeConfig(values, production),
    revision: revisionOf(values.REVISION, given),
    telemetry: telemetryConfig(values),
  };
  return Object.assign(platform, ...settings.map(({ config }) => config(values, context)));
}
