import { z } from "zod";
import { formatSender, mailSender } from "./mail/address.ts";
import { mailApiUrl } from "./mail/http.ts";
import { smtpUrl } from "./mail/smtp_url.ts";
import { DEVELOPMENT_HOSTS, SURFACE_NAMES, type SurfaceName } from "./surfaces/names.ts";

/** One of the two organisations that the site serves. */
export interface OrganisationConfig {
  name: string;
  description: string;
  contactEmail: string;
  /** Where its code is kept; every link to the code host is made from this. */
  codeHostUrl: string;
}

/** How mails leave; what a transport needs is there where it is chosen. */
export interface MailConfig {
  transport: "outbox" | "smtp" | "http";
  smtpUrl?: string;
  apiUrl?: string;
  apiKey?: string;
  /** The no-reply sender: `Name <address>` or the address alone. */
  from: string;
}

/** Everything that the environment decides, parsed once (design, section 5). */
export interface Config {
  env: "development" | "production";
  host: string;
  port: number;
  /** A file, `:memory:` or the URL of a KV Connect server; undefined for Deno's own default. */
  kvPath: string | undefined;
  /** The hosts or whole origins of each surface, as configured. */
  surfaceHosts: Partial<Record<SurfaceName, string[]>>;
  /** How many proxies' `X-Forwarded-For` entries to believe. */
  trustProxy: number;
  organisations: Record<"foundation" | "commercial", OrganisationConfig>;
  productName: string;
  mail: MailConfig;
  /** Sign-in requests an hour from one client address; 0: no limit. */
  signInClientLimit: number;
  mcp: {
    /** Requests a minute from one client address; 0: no limit. */
    rateLimit: number;
    /** Browser origins beside our own surfaces. */
    allowedOrigins: string[];
  };
}

/** Variables that cannot be used as they are: one line each, naming it and what it should be. */
export class ConfigError extends Error {
  constructor(readonly lines: string[]) {
    super(lines.join("\n"));
    this.name = "ConfigError";
  }
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/;

const text = z.string().trim();
const wholeNumber = (what: string, max: number) =>
  text.regex(/^\d{1,9}$/, what).transform(Number).pipe(z.number().max(max, what));
const list = text.transform((value) =>
  value.split(",").map((part) => part.trim()).filter((part) => part !== "")
);
const webAddress = z.url({ protocol: /^https?$/, error: "an http or https address" })
  .transform((value) => value.replace(/\/+$/, ""));
/** Text that another schema takes apart later; what it says of the value is not repeated here. */
const textFor = (schema: z.ZodType, what: string) =>
  text.refine((value) => schema.safeParse(value).success, what);
const origin = z.string().refine(isOrigin, "origins such as https://app.example, with commas");

const hosts = text.transform((value, ctx) => {
  try {
    return JSON.parse(value);
  } catch {
    ctx.addIssue({ code: "custom", message: `JSON such as {"site": ["qualpack.example"]}` });
    return z.NEVER;
  }
}).pipe(
  z.partialRecord(
    z.enum(SURFACE_NAMES),
    z.array(z.string().refine(isHostOrOrigin, "host names or whole origins").toLowerCase())
      .min(1, "a list of at least one host for each surface"),
    { error: `JSON whose keys are among ${SURFACE_NAMES.join(", ")}` },
  ),
);

const environment = z.object({
  APP_ENV: z.enum(["development", "production"], "development or production")
    .default("development"),
  HOST: text.min(1, "an address to listen on").optional(),
  PORT: wholeNumber("a port from 0 to 65535", 65535).default(8000),
  KV_PATH: text.optional(),
  SURFACE_HOSTS: hosts.optional(),
  TRUST_PROXY: wholeNumber("a number of proxies from 0 to 10", 10).default(0),
  DEV_EXPOSE: z.enum(["0", "1"], "1, or unset").optional(),
  FOUNDATION_NAME: text.min(1).default("Open Records Foundation"),
  FOUNDATION_DESCRIPTION: text.min(1).default(
    "Steward of the open standard for verifiable records.",
  ),
  FOUNDATION_CONTACT_EMAIL: z.email("an email address").default("contact@foundation.example"),
  FOUNDATION_CODE_HOST_URL: webAddress.default("https://code.example/open-records-foundation"),
  COMMERCIAL_NAME: text.min(1).default("Attest Systems"),
  COMMERCIAL_DESCRIPTION: text.min(1).default(
    "Certification infrastructure for the open standard for verifiable records.",
  ),
  COMMERCIAL_CONTACT_EMAIL: z.email("an email address").default("contact@commercial.example"),
  COMMERCIAL_CODE_HOST_URL: webAddress.default("https://code.example/attest-systems"),
  PRODUCT_NAME: text.min(1).default("Qualpack"),
  MAIL_TRANSPORT: z.enum(["outbox", "smtp", "http"], "outbox, smtp or http").optional(),
  SMTP_URL: textFor(smtpUrl, "smtp://user:password@host:port, or smtps://…").optional(),
  MAIL_API_URL: textFor(mailApiUrl, "an https address").optional(),
  MAIL_API_KEY: text.regex(/^[\x21-\x7e]+$/, "a key that can stand in a header").optional(),
  MAIL_FROM: textFor(mailSender, "a sender such as Qualpack <no-reply@qualpack.example>")
    .optional(),
  SIGN_IN_CLIENT_LIMIT: wholeNumber("requests an hour up to 5000, 0 for no limit", 5000)
    .default(30),
  MCP_RATE_LIMIT: wholeNumber("requests a minute up to 6000, 0 for no limit", 6000).default(60),
  MCP_ALLOWED_ORIGINS: list.pipe(z.array(origin)).default([]),
});

/**
 * Reads the configuration from environment variables. An empty variable counts as unset.
 *
 * @throws {ConfigError} with a line for each variable that cannot be used
 *
 * @example
 * ```ts
 * const config = parseConfig(Deno.env.toObject());
 * ```
 */
export function parseConfig(env: Record<string, string | undefined>): Config {
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
    lines.push("SURFACE_HOSTS: should not name the workbench in production, which has none");
  }
  if (!production && !LOOPBACK.test(host) && values.DEV_EXPOSE !== "1") {
    lines.push("HOST: should be a loopback address in development, or set DEV_EXPOSE=1");
  }
  if (!production && given.DENO_DEPLOYMENT_ID !== undefined) {
    lines.push("APP_ENV: should be production on Deno Deploy");
  }
  lines.push(...surfaceProblems(values.SURFACE_HOSTS ?? DEVELOPMENT_HOSTS));
  const mail = mailConfig(values);
  lines.push(...mailProblems(mail, values));
  if (lines.length > 0) throw new ConfigError(lines);

  return {
    env: values.APP_ENV,
    host,
    port: values.PORT,
    kvPath: values.KV_PATH ?? (production ? undefined : ".data/gatehouse.kv"),
    surfaceHosts: values.SURFACE_HOSTS ?? DEVELOPMENT_HOSTS,
    trustProxy: values.TRUST_PROXY,
    organisations: {
      foundation: {
        name: values.FOUNDATION_NAME,
        description: values.FOUNDATION_DESCRIPTION,
        contactEmail: values.FOUNDATION_CONTACT_EMAIL,
        codeHostUrl: values.FOUNDATION_CODE_HOST_URL,
      },
      commercial: {
        name: values.COMMERCIAL_NAME,
        description: values.COMMERCIAL_DESCRIPTION,
        contactEmail: values.COMMERCIAL_CONTACT_EMAIL,
        codeHostUrl: values.COMMERCIAL_CODE_HOST_URL,
      },
    },
    productName: values.PRODUCT_NAME,
    mail,
    signInClientLimit: values.SIGN_IN_CLIENT_LIMIT,
    mcp: { rateLimit: values.MCP_RATE_LIMIT, allowedOrigins: values.MCP_ALLOWED_ORIGINS },
  };
}

function surfaceProblems(surfaceHosts: Config["surfaceHosts"]): string[] {
  const lines: string[] = [];
  if (Object.keys(surfaceHosts).length === 0) {
    lines.push("SURFACE_HOSTS: should name at least one surface");
  }
  // What one publishes leads to the other: the documents, the links, the badge.
  for (const organisation of ["foundation", "commercial"] as const) {
    const pair = [organisation, `${organisation}-mcp`] as const;
    if (pair.filter((name) => surfaceHosts[name] !== undefined).length === 1) {
      lines.push(`SURFACE_HOSTS: should name ${pair.join(" and ")} together, or neither`);
    }
  }
  const hosts = Object.values(surfaceHosts).flat().map((host) =>
    new URL(host.includes("://") ? host : `http://${host}`).hostname
  );
  const twice = hosts.find((host, i) => hosts.indexOf(host) !== i);
  if (twice !== undefined) lines.push(`SURFACE_HOSTS: should give ${twice} to one surface only`);
  return lines;
}

type Environment = z.infer<typeof environment>;

function mailConfig(values: Environment): MailConfig {
  const { site, ...others } = values.SURFACE_HOSTS ?? DEVELOPMENT_HOSTS;
  const host = (site ?? Object.values(others)[0])?.[0] ?? "localhost";
  const { hostname } = new URL(host.includes("://") ? host : `http://${host}`);
  return {
    transport: values.MAIL_TRANSPORT ?? "outbox",
    smtpUrl: values.SMTP_URL,
    apiUrl: values.MAIL_API_URL,
    apiKey: values.MAIL_API_KEY,
    from: values.MAIL_FROM ??
      formatSender({ name: values.PRODUCT_NAME, address: `no-reply@${hostname}` }),
  };
}

function mailProblems(mail: MailConfig, { APP_ENV, MAIL_FROM }: Environment): string[] {
  const { transport, smtpUrl, apiUrl, apiKey, from } = mail;
  const lines: string[] = [];
  if (APP_ENV === "production" && transport === "outbox") {
    lines.push(
      "MAIL_TRANSPORT: should be smtp or http in production, where nobody sees the outbox",
    );
  }
  const needed = {
    outbox: {},
    smtp: { SMTP_URL: smtpUrl },
    http: { MAIL_API_URL: apiUrl, MAIL_API_KEY: apiKey },
  };
  for (const [name, value] of Object.entries(needed[transport])) {
    if (value === undefined) {
      lines.push(`${name}: should be set, for MAIL_TRANSPORT is ${transport}`);
    }
  }
  if (MAIL_FROM === undefined && !mailSender.safeParse(from).success) {
    lines.push("MAIL_FROM: should be set, for PRODUCT_NAME and the first host make no sender");
  }
  return lines;
}

function isOrigin(value: string): boolean {
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol) &&
    new URL(value).origin === value;
}

function isHostOrOrigin(value: string): boolean {
  return value.includes("://")
    ? isOrigin(value)
    : URL.canParse(`http://${value}`) && new URL(`http://${value}`).host === value.toLowerCase();
}
