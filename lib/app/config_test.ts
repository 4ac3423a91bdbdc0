import { assert, assertEquals, assertThrows } from "@std/assert";
import { startSandboxes } from "../../sandbox/mod.ts";
import { productionEnv } from "./testing/production.ts";
import { ConfigError } from "../platform/config/error.ts";
import { environment, parseConfig } from "./config.ts";

function linesOf(env: Record<string, string>): string[] {
  return assertThrows(() => parseConfig(env), ConfigError).lines;
}

Deno.test("without variables the configuration has development defaults", () => {
  const config = parseConfig({});
  assertEquals(config.env, "development");
  assertEquals([config.host, config.port], ["127.0.0.1", 8000]);
  assertEquals(config.surfaceHosts.site, ["site.localhost"]);
  assertEquals(config.mcp, { rateLimit: 60, allowedOrigins: [] });
});

Deno.test("only production refuses an empty store, unless ALLOW_EMPTY_STORE is 1", () => {
  const allowEmpty = (env: Record<string, string>) => parseConfig(env).store.allowEmpty;
  assertEquals(allowEmpty({}), true);
  assertEquals(allowEmpty(PRODUCTION), false);
  assertEquals(allowEmpty({ ...PRODUCTION, ALLOW_EMPTY_STORE: "1" }), true);
});

Deno.test("the revision defaults to the deployment's id", () => {
  const env = { ...DENO_DEPLOY, DENO_DEPLOYMENT_ID: "d1" };
  assertEquals(parseConfig(env).revision, "d1");
  assertEquals(parseConfig({ ...env, REVISION: "r1" }).revision, "r1");
  assertEquals(parseConfig({}).revision, null);
});

Deno.test("an empty variable counts as unset", () => {
  assertEquals(parseConfig({ PORT: "", MCP_RATE_LIMIT: "  " }).port, 8000);
});

const PRODUCTION = productionEnv();

const DENO_DEPLOY = { ...PRODUCTION, DENO_DEPLOY: "true", STORE_REGION: "Virginia" };

const TWILIO = {
  CODE_PROVIDER: "twilio",
  TWILIO_ACCOUNT_SID: `AC${"0".repeat(32)}`,
  TWILIO_AUTH_TOKEN: "s3cret",
  TWILIO_FROM: "+61491570006",
};

const S3 = {
  DOCUMENT_STORE: "s3",
  S3_ENDPOINT: "https://s3.example/",
  S3_BUCKET: "files",
  S3_ACCESS_KEY_ID: "id",
  S3_SECRET_ACCESS_KEY: "key",
};

const SIGNING_KEY = JSON.stringify({
  kty: "OKP",
  crv: "Ed25519",
  x: "6_12AqCBg3aMvtKAwi62SsgwvG0aOTyBWQWHXAy1-ek",
  d: "kU4mA-Evwa_Jr9DPuW46aeBpHV_m6_AQU6ff8-UsXFY",
});

const WITNESS = {
  WITNESS_SIGNING_KEY: SIGNING_KEY,
  WITNESS_LOGS: "log trust.example/log+c2310144+AddamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea",
  WITNESS_KV_PATH: "/var/lib/gatehouse/witness.kv",
};

const relays = (change: Record<string, string>) =>
  JSON.stringify([{
    name: "docs",
    host: "docs.relay.example",
    slug: "docs-5a7d0b0c0f11a5ed2b1c9e44",
    clientId: "id",
    clientSecret: "secret",
    origin: "https://docs.example",
    ...change,
  }]);

const BAD: [title: string, env: Record<string, string>, variable: string][] = [
  ["a revision with spaces", { REVISION: "my build" }, "REVISION"],
  ["a store id with a line break", { STORE_ID: "a\nb" }, "STORE_ID"],
  ["READ_ONLY with a word", { READ_ONLY: "yes" }, "READ_ONLY"],
  ["an unknown environment", { APP_ENV: "staging" }, "APP_ENV"],
  ["a port that is not a number", { PORT: "http" }, "PORT"],
  ["a port that is too large", { PORT: "70000" }, "PORT"],
  ["a negative number of proxies", { TRUST_PROXY: "-1" }, "TRUST_PROXY"],
  ["an HSTS value without max-age", { HSTS: "includeSubDomains" }, "HSTS"],
  ["an HSTS value with a line break", { HSTS: "max-age=60\r\nx: y" }, "HSTS"],
  ["hosts that are not JSON", { SURFACE_HOSTS: "site=x" }, "SURFACE_HOSTS"],
  ["hosts of an unknown surface", { SURFACE_HOSTS: `{"shop": ["a.example"]}` }, "SURFACE_HOSTS"],
  ["a surface without hosts", { SURFACE_HOSTS: `{"site": []}` }, "SURFACE_HOSTS"],
  ["no surface at all", { SURFACE_HOSTS: "{}" }, "SURFACE_HOSTS"],
  ["one host for two surfaces", {
    SURFACE_HOSTS: `{"site": ["a.example"], "trust": ["A.example:8080"]}`,
  }, "SURFACE_HOSTS"],
  ["a marketing site without its MCP server", {
    SURFACE_HOSTS: `{"foundation": ["a.example"]}`,
  }, "SURFACE_HOSTS"],
  ["an MCP server without its site", {
    SURFACE_HOSTS: `{"commercial-mcp": ["a.example"]}`,
  }, "SURFACE_HOSTS"],
  ["a host with a path", { SURFACE_HOSTS: `{"site": ["a.example/x"]}` }, "SURFACE_HOSTS"],
  [
    "an origin with a path",
    { SURFACE_HOSTS: `{"site": ["https://a.example/x"]}` },
    "SURFACE_HOSTS",
  ],
  [
    "a contact email that is not an email address",
    { FOUNDATION_CONTACT_EMAIL: "us" },
    "FOUNDATION_CONTACT_EMAIL",
  ],
  [
    "a code host that is not a URL",
    { COMMERCIAL_CODE_HOST_URL: "git" },
    "COMMERCIAL_CODE_HOST_URL",
  ],
  [
    "a javascript: URL as code host",
    { FOUNDATION_CODE_HOST_URL: "javascript:alert(1)" },
    "FOUNDATION_CODE_HOST_URL",
  ],
  ["a rate that is not a number", { MCP_RATE_LIMIT: "many" }, "MCP_RATE_LIMIT"],
  ["an origin that is only a host", { MCP_ALLOWED_ORIGINS: "app.example" }, "MCP_ALLOWED_ORIGINS"],
  [
    "production without hosts",
    {
      ...PRODUCTION,
      SURFACE_HOSTS: "",
      CHAIN_SIGNING_KEY: SIGNING_KEY,
      LOG_SIGNING_KEY: SIGNING_KEY,
      ...WITNESS,
    },
    "SURFACE_HOSTS",
  ],
  ["a witness in the log's process in production", {
    ...PRODUCTION,
    SURFACE_HOSTS: `{"trust": ["trust.example"], "witness": ["witness.example"]}`,
    CHAIN_SIGNING_KEY: SIGNING_KEY,
    LOG_SIGNING_KEY: SIGNING_KEY,
    ...WITNESS,
  }, "SURFACE_HOSTS"],
  ...(["WITNESS_SIGNING_KEY", "WITNESS_LOGS", "WITNESS_KV_PATH"] as const).map((name) =>
    [`a witness in production without ${name}`, {
      ...PRODUCTION,
      SURFACE_HOSTS: `{"witness": ["witness.example"]}`,
      ...WITNESS,
      [name]: "",
    }, name] satisfies typeof BAD[number]
  ),
  [
    "logs of a witness that are not a policy",
    { WITNESS_LOGS: "trust.example/log" },
    "WITNESS_LOGS",
  ],
  ["a witness among its logs", {
    WITNESS_LOGS: "witness a witness.example+67550f4e+BD1AF8PoQ4lakrcKp00bfrycmCzPLsSWjMDNVfEq9GYM",
  }, "WITNESS_LOGS"],
  ["a witness's name with a space", { WITNESS_NAME: "our witness" }, "WITNESS_NAME"],
  ["a witness with the site's store", {
    KV_PATH: "/var/lib/gatehouse/a.kv",
    WITNESS_KV_PATH: "/var/lib/gatehouse/../gatehouse/a.kv",
  }, "WITNESS_KV_PATH"],
  [
    "a witness with the development store",
    { WITNESS_KV_PATH: "./.data/gatehouse.kv" },
    "WITNESS_KV_PATH",
  ],
  ["a witness's KV Connect server over plain http", {
    ...PRODUCTION,
    WITNESS_KV_PATH: "http://10.0.0.5:4512",
  }, "WITNESS_KV_PATH"],
  [
    "a KV Connect server over plain http",
    { ...PRODUCTION, KV_PATH: "http://10.0.0.5:4512" },
    "KV_PATH",
  ],
  ["production with a workbench", {
    ...PRODUCTION,
    SURFACE_HOSTS: `{"workbench": ["x.example"]}`,
  }, "SURFACE_HOSTS"],
  ["production without mail", { ...PRODUCTION, MAIL_TRANSPORT: "" }, "MAIL_TRANSPORT"],
  ["production with the outbox", { ...PRODUCTION, MAIL_TRANSPORT: "outbox" }, "MAIL_TRANSPORT"],
  ["an unknown transport", { MAIL_TRANSPORT: "pigeon" }, "MAIL_TRANSPORT"],
  ["SMTP without a server", { MAIL_TRANSPORT: "smtp" }, "SMTP_URL"],
  ["an SMTP server with options", { SMTP_URL: "smtp://mail.example?tls=off" }, "SMTP_URL"],
  ["a greeting without a domain", { SMTP_HELO: "mail" }, "SMTP_HELO"],
  ["a greeting with a command", { SMTP_HELO: "mail.example\r\nMAIL" }, "SMTP_HELO"],
  ["a greeting with a bare address", { SMTP_HELO: "192.0.2.1" }, "SMTP_HELO"],
  ["a greeting with half an address", { SMTP_HELO: "[192.0.2]" }, "SMTP_HELO"],
  ["a return path without a mail server of one's own", {
    ...{ MAIL_TRANSPORT: "http", MAIL_API_URL: "https://mail.example/send", MAIL_API_KEY: "k" },
    MAIL_RETURN_PATH: "bounces@mail.example",
  }, "MAIL_RETURN_PATH"],
  ["a return path that is too long with a mail's id", {
    MAIL_RETURN_PATH: "mail.returns@mail.example",
  }, "MAIL_RETURN_PATH"],
  ["a short secret of reports", { MAIL_WEBHOOK_SECRET: "short" }, "MAIL_WEBHOOK_SECRET"],
  ["a mail API without a URL", { MAIL_TRANSPORT: "http", MAIL_API_KEY: "k" }, "MAIL_API_URL"],
  ["a mail API without a key", {
    MAIL_TRANSPORT: "http",
    MAIL_API_URL: "https://mail.example/send",
  }, "MAIL_API_KEY"],
  ["a mail API over plain http", { MAIL_API_URL: "http://mail.example/send" }, "MAIL_API_URL"],
  ["a key with a line break", { MAIL_API_KEY: "a\nb" }, "MAIL_API_KEY"],
  ["two senders of an organisation", {
    FOUNDATION_MAIL_FROM: "a@mail.example, b@mail.example",
  }, "FOUNDATION_MAIL_FROM"],
  ["a console's host that is not a mail domain", {
    SURFACE_HOSTS: `{"foundation-console": ["[::1]"], "site": ["site.localhost"]}`,
  }, "FOUNDATION_MAIL_FROM"],
  [
    "production with the placeholder of a name",
    { ...PRODUCTION, COMMERCIAL_NAME: "Attest Systems" },
    "COMMERCIAL_NAME",
  ],
  [
    "production with the foundation's placeholder as the commercial name",
    { ...PRODUCTION, COMMERCIAL_NAME: "Open Records Foundation" },
    "COMMERCIAL_NAME",
  ],
  [
    "production with the commercial placeholder as the foundation's name",
    { ...PRODUCTION, FOUNDATION_NAME: "Attest Systems" },
    "FOUNDATION_NAME",
  ],
  [
    "production without the name of the organisation that has no surface",
    { ...PRODUCTION, FOUNDATION_NAME: "" },
    "FOUNDATION_NAME",
  ],
  [
    "production without a contact address",
    { ...PRODUCTION, COMMERCIAL_CONTACT_EMAIL: "" },
    "COMMERCIAL_CONTACT_EMAIL",
  ],
  [
    "production with an address under .example",
    { ...PRODUCTION, COMMERCIAL_CONTACT_EMAIL: "us@solstice.EXAMPLE" },
    "COMMERCIAL_CONTACT_EMAIL",
  ],
  [
    "production with a code host under .example",
    { ...PRODUCTION, COMMERCIAL_CODE_HOST_URL: "https://git.solstice.example/org" },
    "COMMERCIAL_CODE_HOST_URL",
  ],
  ["two senders", { MAIL_FROM: "a@mail.example, b@mail.example" }, "MAIL_FROM"],
  ["a first host that is not a mail domain", {
    ...PRODUCTION,
    SURFACE_HOSTS: `{"site": ["http://[::1]:8000"]}`,
  }, "MAIL_FROM"],
  ["a secret that is too short", { APP_SECRET: "A".repeat(42) }, "APP_SECRET"],
  ["a secret with padding", { APP_SECRET: `${"A".repeat(43)}=` }, "APP_SECRET"],
  ["one bad secret of two", { APP_SECRET: `${"A".repeat(43)},secret` }, "APP_SECRET"],
  ["production without a secret", { ...PRODUCTION, APP_SECRET: "" }, "APP_SECRET"],
  ["a client limit that is too large", { SIGN_IN_CLIENT_LIMIT: "5001" }, "SIGN_IN_CLIENT_LIMIT"],
  ["a name with a line break", { PRODUCT_NAME: "Qual\npack" }, "PRODUCT_NAME"],
  ["a locale of another language", { DATE_LOCALE: "de-DE" }, "DATE_LOCALE"],
  ["a locale without a region", { DATE_LOCALE: "en" }, "DATE_LOCALE"],
  ["a token with a space", { BANK_API_TOKEN: "secret token" }, "BANK_API_TOKEN"],
  [
    "a bank over plain http",
    { ...PRODUCTION, BANK_API_BASE: "http://bank.example" },
    "BANK_API_BASE",
  ],
  ["a bank token without a bank", {
    ...PRODUCTION,
    COMMERCIAL_BANK_API_TOKEN: "t",
  }, "BANK_API_BASE"],
  [
    "last digits that are not four digits",
    { FOUNDATION_ACCOUNT_LAST4: "12" },
    "FOUNDATION_ACCOUNT_LAST4",
  ],
  [
    "a list of administrators with a malformed email address",
    { OPS_L1_EMAILS: "a@b.example, admin" },
    "OPS_L1_EMAILS",
  ],
  ["a malformed address to notify", { CONTACT_NOTIFY: "team" }, "CONTACT_NOTIFY"],
  [
    "an embedding origin with a path",
    { CONTACT_ORIGINS: "https://a.example/x" },
    "CONTACT_ORIGINS",
  ],
  ["an incomplete challenge", {
    CHALLENGE_SITE_KEY: "k",
    CHALLENGE_SECRET: "s",
    CHALLENGE_VERIFY_URL: "https://challenge.example",
  }, "CHALLENGE_SCRIPT_URL"],
  ["an unknown provider of codes", { CODE_PROVIDER: "pigeon" }, "CODE_PROVIDER"],
  ["an unknown store for documents", { DOCUMENT_STORE: "disk" }, "DOCUMENT_STORE"],
  ["a bucket without a secret key", { ...S3, S3_SECRET_ACCESS_KEY: "" }, "S3_SECRET_ACCESS_KEY"],
  ["a bucket over plain http", { ...S3, S3_ENDPOINT: "http://s3.example" }, "S3_ENDPOINT"],
  ["a bucket without a name", { ...S3, DOCUMENT_STORE: "kv", S3_BUCKET: "" }, "S3_BUCKET"],
  [
    "a registry key in hexadecimal",
    { FOUNDATION_MCP_REGISTRY_KEY: "0".repeat(64) },
    "FOUNDATION_MCP_REGISTRY_KEY",
  ],
  ["a registration of two lines", { FOUNDATION_REGISTRATION: "1\n2" }, "FOUNDATION_REGISTRATION"],
  ["a long registration", { FOUNDATION_REGISTRATION: "1".repeat(301) }, "FOUNDATION_REGISTRATION"],
  ["production with the stand-in for codes", {
    ...PRODUCTION,
    CODE_PROVIDER: "sandbox",
  }, "CODE_PROVIDER"],
  ["a code API without a URL", { CODE_PROVIDER: "http", CODE_HTTP_KEY: "k" }, "CODE_HTTP_URL"],
  ["a code API without a key", {
    CODE_PROVIDER: "http",
    CODE_HTTP_URL: "https://codes.example/send",
  }, "CODE_HTTP_KEY"],
  ["a code API over plain http", { CODE_HTTP_URL: "http://codes.example/send" }, "CODE_HTTP_URL"],
  ["Twilio without an account", { ...TWILIO, TWILIO_ACCOUNT_SID: "" }, "TWILIO_ACCOUNT_SID"],
  ["Twilio without a token", { ...TWILIO, TWILIO_AUTH_TOKEN: "" }, "TWILIO_AUTH_TOKEN"],
  ["Twilio without a sender", { ...TWILIO, TWILIO_FROM: "" }, "TWILIO_FROM"],
  ["a malformed account", { TWILIO_ACCOUNT_SID: "AC1" }, "TWILIO_ACCOUNT_SID"],
  ["a sender without a country code", { TWILIO_FROM: "0491570006" }, "TWILIO_FROM"],
  ["a malformed messaging service", {
    TWILIO_MESSAGING_SERVICE_SID: "SM1",
  }, "TWILIO_MESSAGING_SERVICE_SID"],
  ["Twilio's API over plain http", {
    TWILIO_API_BASE: "http://api.twilio.example",
  }, "TWILIO_API_BASE"],
  ["a country that the form lacks", { CODE_COUNTRIES: "AU,UK" }, "CODE_COUNTRIES"],
  ["an empty list of countries", { CODE_COUNTRIES: "," }, "CODE_COUNTRIES"],
  ["a country to call that the form lacks", { CODE_VOICE_COUNTRIES: "BR" }, "CODE_VOICE_COUNTRIES"],
  ["a daily budget of no messages", { CODE_DAILY_BUDGET: "0" }, "CODE_DAILY_BUDGET"],
  ["a signing key that is not JSON", { CHAIN_SIGNING_KEY: "{" }, "CHAIN_SIGNING_KEY"],
  ["a public key as signing key", {
    CHAIN_SIGNING_KEY: `{"kty": "OKP", "crv": "Ed25519", "x": "${"A".repeat(43)}"}`,
  }, "CHAIN_SIGNING_KEY"],
  ["a trust surface without a signing key", {
    ...PRODUCTION,
    SURFACE_HOSTS: `{"trust": ["trust.example"]}`,
    LOG_SIGNING_KEY: SIGNING_KEY,
  }, "CHAIN_SIGNING_KEY"],
  ["a trust surface without a key of the log", {
    ...PRODUCTION,
    SURFACE_HOSTS: `{"trust": ["trust.example"]}`,
    CHAIN_SIGNING_KEY: SIGNING_KEY,
  }, "LOG_SIGNING_KEY"],
  [
    "three keys of the log",
    { LOG_SIGNING_KEY: `[${Array(3).fill(SIGNING_KEY)}]` },
    "LOG_SIGNING_KEY",
  ],
  ["a policy with a faulty line", { LOG_WITNESSES: "witness a b\nquorum none" }, "LOG_WITNESSES"],
  ["a policy without a quorum", { LOG_WITNESSES: "# no witnesses" }, "LOG_WITNESSES"],
  ["an own witness that is not asked", {
    LOG_WITNESSES: "quorum none",
    LOG_OWN_WITNESSES: "foundation",
  }, "LOG_OWN_WITNESSES"],
  ["a quorum that needs a witness without an address", {
    LOG_WITNESSES: "witness a " +
      "witness.example+67550f4e+BD1AF8PoQ4lakrcKp00bfrycmCzPLsSWjMDNVfEq9GYM\nquorum a",
  }, "LOG_WITNESSES"],
  ["a required quorum that is not defined", { LOG_QUORUM: "required" }, "LOG_QUORUM"],
  ["the api surface without the trust surface", {
    SURFACE_HOSTS: `{"api": ["api.example"]}`,
  }, "SURFACE_HOSTS"],
  ["a relay on a surface's host", { RELAYS: relays({ host: "trust.localhost" }) }, "RELAYS"],
  ["a relay to an origin over plain http", {
    ...PRODUCTION,
    RELAYS: relays({ origin: "http://docs.example" }),
  }, "RELAYS"],
  ["development on all interfaces", { HOST: "0.0.0.0" }, "HOST"],
  ["development on Deno Deploy", { DENO_DEPLOYMENT_ID: "x", STORE_REGION: "r" }, "APP_ENV"],
  ["a store in a file on Deno Deploy", { ...DENO_DEPLOY, KV_PATH: "/tmp/kv" }, "KV_PATH"],
  ["no region on Deno Deploy", { ...DENO_DEPLOY, STORE_REGION: " " }, "STORE_REGION"],
  [
    "a secret in a file on Deno Deploy",
    { ...DENO_DEPLOY, METRICS_TOKEN_FILE: "/run/secrets/x" },
    "METRICS_TOKEN_FILE",
  ],
  ["an anchor in a file on Deno Deploy", { ...DENO_DEPLOY, LOG_ANCHOR: "/var/a" }, "LOG_ANCHOR"],
  ["a witness on Deno Deploy", {
    ...DENO_DEPLOY,
    SURFACE_HOSTS: `{"witness": ["witness.example"]}`,
    ...WITNESS,
  }, "SURFACE_HOSTS"],
  ["a region of two lines", { STORE_REGION: "a\nb" }, "STORE_REGION"],
];

for (const [title, env, variable] of BAD) {
  Deno.test(`parseConfig() rejects ${title} with one line that names ${variable}`, () => {
    const lines = linesOf(env);
    assertEquals(lines.length, 1, lines.join("\n"));
    assertEquals(lines[0].split(":")[0], variable);
  });
}

Deno.test("a relay on its own host is accepted in development and production", () => {
  assertEquals(parseConfig({ RELAYS: relays({}) }).relays.all.length, 1);
  assertEquals(parseConfig({ ...PRODUCTION, RELAYS: relays({}) }).relays.all.length, 1);
});

Deno.test("only production sends Strict-Transport-Security, by default without subdomains", () => {
  assertEquals(parseConfig({}).hsts, undefined);
  assertEquals(parseConfig(PRODUCTION).hsts, "max-age=63072000");
  const HSTS = "max-age=300; includeSubDomains; preload";
  assertEquals(parseConfig({ ...PRODUCTION, HSTS }).hsts, HSTS);
});

Deno.test("production accepts a KV Connect server over https, and over http on the same machine", () => {
  const urls = ["https://kv.example", "http://127.0.0.1:4512", "http://[::1]:4512"];
  for (const KV_PATH of urls) assertEquals(parseConfig({ ...PRODUCTION, KV_PATH }).kvPath, KV_PATH);
});

Deno.test("invalid and missing variables are listed together, each once", () => {
  const lines = linesOf({ ...PRODUCTION, PORT: "x", APP_SECRET: "short", FOUNDATION_NAME: "" });
  const names = lines.map((line) => line.split(":")[0]);
  assertEquals(names, ["PORT", "APP_SECRET", "FOUNDATION_NAME"]);
});

Deno.test("each invalid variable gets its own line", () => {
  const lines = linesOf({ PORT: "x", TRUST_PROXY: "x", MCP_RATE_LIMIT: "x" });
  assertEquals(lines.map((line) => line.split(":")[0]), ["PORT", "TRUST_PROXY", "MCP_RATE_LIMIT"]);
});

Deno.test("production listens on all interfaces, development only with DEV_EXPOSE=1", () => {
  assertEquals(parseConfig(PRODUCTION).host, "0.0.0.0");
  assertEquals(parseConfig({ HOST: "0.0.0.0", DEV_EXPOSE: "1" }).host, "0.0.0.0");
});

for (
  const [set, greeting] of [
    [{}, "site.localhost"],
    [{ MAIL_FROM: "Qualpack <no-reply@mail.qualpack.example>" }, "mail.qualpack.example"],
    [{ MAIL_FROM: "no-reply@bücher.example" }, "xn--bcher-kva.example"],
    [
      { MAIL_FROM: "no-reply@qualpack.example", SMTP_HELO: "[IPv6:2001:db8::1]" },
      "[IPv6:2001:db8::1]",
    ],
    [{ MAIL_FROM: "no-reply@qualpack.example", SMTP_HELO: "mx1.example" }, "mx1.example"],
  ] as [Record<string, string>, string][]
) {
  Deno.test(`with ${JSON.stringify(set)} the SMTP greeting is ${greeting}`, () => {
    assertEquals(parseConfig(set).mail.smtpHelo, greeting);
  });
}

Deno.test("an error does not repeat a password", () => {
  const lines = linesOf({ SMTP_URL: "smtp://site:s3cret@mail.example/x", MAIL_API_KEY: "s3 cret" });
  assertEquals(lines.map((line) => line.split(":")[0]), ["SMTP_URL", "MAIL_API_KEY"]);
  assertEquals(lines.filter((line) => line.includes("s3")), []);
});

Deno.test("each console uses its own token, or the shared one if it has none", () => {
  const { bank } = parseConfig({ BANK_API_TOKEN: "shared", FOUNDATION_BANK_API_TOKEN: "own" });
  assertEquals(bank.tokens, {
    foundation: { value: "own", variable: "FOUNDATION_BANK_API_TOKEN" },
    commercial: { value: "shared", variable: "BANK_API_TOKEN" },
  });
  assertEquals(parseConfig({}).bank.tokens.commercial, {
    value: undefined,
    variable: "COMMERCIAL_BANK_API_TOKEN",
  });
});

Deno.test("the bank stand-in runs only in development, and can be switched off", () => {
  assertEquals(parseConfig({}).bank.sandbox, true);
  assertEquals(parseConfig({ BANK_SANDBOX: "off" }).bank.sandbox, false);
  assertEquals(parseConfig({ BANK_API_BASE: "http://localhost:1" }).bank.sandbox, false);
  assertEquals(parseConfig(PRODUCTION).bank.sandbox, false);
  assertEquals(parseConfig({ ...PRODUCTION, BANK_SANDBOX: "on" }).bank.sandbox, false);
  assertThrows(() => parseConfig({ BANK_PROVIDER: "other" }), Error, "BANK_PROVIDER");
  assertThrows(() => startSandboxes(parseConfig(PRODUCTION)), Error, "Production");
});

Deno.test("stand-ins fill in only what is not configured", async () => {
  const parsed = parseConfig({ FOUNDATION_BANK_API_TOKEN: "own" });
  const { configure, stop } = startSandboxes(parsed);
  const { bank } = configure(parsed);
  await stop();
  assertEquals(bank.tokens.foundation.value, "own");
  assertEquals(bank.tokens.commercial.value?.startsWith("secret-token:sandbox"), true);
  assertEquals(new URL(bank.baseUrl!).hostname, "127.0.0.1");
});

Deno.test("a bucket stays configured when new documents are stored in the store again", () => {
  const s3 = {
    endpoint: "https://s3.example",
    region: "us-east-1",
    bucket: "files",
    accessKeyId: "id",
    secretAccessKey: "key",
  };
  assertEquals(parseConfig({}).documents, { store: "kv" });
  assertEquals(parseConfig(S3).documents, { store: "s3", s3 });
  assertEquals(parseConfig({ ...S3, DOCUMENT_STORE: "kv" }).documents, { store: "kv", s3 });
});

Deno.test("codes are off in production by default, and sent by the stand-in in development", () => {
  const { codes } = parseConfig({});
  assertEquals(codes.provider, { name: "sandbox" });
  assertEquals([codes.countries.length, codes.dailyBudget], [18, 500]);
  assertEquals(parseConfig({ CODE_PROVIDER: "off" }).codes.provider, undefined);
  assertEquals(parseConfig(PRODUCTION).codes.provider, undefined);
  assertEquals(parseConfig({ ...PRODUCTION, ...TWILIO }).codes.provider, {
    name: "twilio",
    account: {
      apiBase: "https://api.twilio.com",
      accountSid: TWILIO.TWILIO_ACCOUNT_SID,
      authToken: "s3cret",
      olderToken: undefined,
      from: "+61491570006",
      messagingServiceSid: undefined,
    },
  });
});

Deno.test("CODE_COUNTRIES accepts lower case and ignores repeated countries", () => {
  assertEquals(parseConfig({ CODE_COUNTRIES: "nz, AU,NZ" }).codes.countries, ["NZ", "AU"]);
});

Deno.test("production has no default administrators", () => {
  assertEquals(parseConfig(PRODUCTION).ops, { l1: [], l2: [] });
  assertEquals(parseConfig({}).ops, { l1: ["admin@example.org"], l2: ["board@example.org"] });
  const { ops } = parseConfig({ OPS_L1_EMAILS: " Ada@Example.ORG,b@example.org" });
  assertEquals(ops.l1, ["ada@example.org", "b@example.org"]);
});

Deno.test("the store is a file in development and Deno's default in production", () => {
  assertEquals(parseConfig({}).kvPath, ".data/gatehouse.kv");
  assertEquals(parseConfig(PRODUCTION).kvPath, undefined);
  assertEquals(
    parseConfig({ ...PRODUCTION, KV_PATH: "/var/gatehouse.kv" }).kvPath,
    "/var/gatehouse.kv",
  );
});

Deno.test("production without its organisations lists every placeholder that it would publish", () => {
  const placeholders = Object.fromEntries(
    Object.entries(PRODUCTION).filter(([name]) => !/^(FOUNDATION|COMMERCIAL)_/.test(name)),
  );
  const namesOf = (surfaceHosts: Record<string, string[]>) =>
    linesOf({ ...placeholders, SURFACE_HOSTS: JSON.stringify(surfaceHosts) })
      .map((line) => line.split(":")[0]);
  const names = ["FOUNDATION_NAME", "COMMERCIAL_NAME"];
  assertEquals(namesOf({ site: ["a.example"] }), [
    ...names,
    "COMMERCIAL_CONTACT_EMAIL",
    "COMMERCIAL_CODE_HOST_URL",
  ]);
  assertEquals(namesOf({ site: ["a.example"], "foundation-console": ["b.example"] }), [
    "FOUNDATION_NAME",
    "FOUNDATION_CONTACT_EMAIL",
    "FOUNDATION_CODE_HOST_URL",
    "COMMERCIAL_NAME",
    "COMMERCIAL_CONTACT_EMAIL",
    "COMMERCIAL_CODE_HOST_URL",
  ]);
});

Deno.test("development accepts placeholders", () => {
  assertEquals(parseConfig({}).organisations.commercial.contactEmail, "contact@commercial.example");
});

Deno.test("by default, the product and organisations send from the first host of their own site", () => {
  const senders = (env: Record<string, string>) => parseConfig(env).mail.senders;
  assertEquals(senders({}), {
    product: "Qualpack <no-reply@site.localhost>",
    foundation: "Open Records Foundation <no-reply@foundation.localhost>",
    commercial: "Attest Systems <no-reply@commercial.localhost>",
  });
  const hosts = {
    "investor": ["https://investor.example:8443"],
    "commercial-console": ["ops.example"],
  };
  assertEquals(senders(productionEnv(hosts, { PRODUCT_NAME: "Packs, Inc." })), {
    product: `"Packs, Inc." <no-reply@investor.example>`,
    foundation: "Meridian Foundation <no-reply@investor.example>",
    commercial: "Solstice <no-reply@ops.example>",
  });
});

Deno.test("MAIL_FROM is the product's sender, and the default address of the organisations", () => {
  const env = { MAIL_FROM: "Us <us@mail.example>", FOUNDATION_MAIL_FROM: "them@mail.example" };
  assertEquals(parseConfig(env).mail.senders, {
    product: "Us <us@mail.example>",
    foundation: "them@mail.example",
    commercial: "Attest Systems <us@mail.example>",
  });
});

Deno.test("APP_SECRET contains one secret or several, the current one first", () => {
  assertEquals(parseConfig({}).appSecrets, []);
  const { appSecrets } = parseConfig({ APP_SECRET: `${"A".repeat(43)}, ${"_".repeat(42)}8` });
  assertEquals(appSecrets, [new Uint8Array(32), new Uint8Array(32).fill(255)]);
});

Deno.test("the sign-in limit per client is 300 per hour by default and configurable", () => {
  assertEquals(parseConfig({}).signInClientLimit, 300);
  assertEquals(parseConfig({ SIGN_IN_CLIENT_LIMIT: "0" }).signInClientLimit, 0);
  assertEquals(parseConfig({ SIGN_IN_CLIENT_LIMIT: "5000" }).signInClientLimit, 5000);
});

Deno.test("lists are split at commas and trimmed", () => {
  const { mcp } = parseConfig({
    MCP_ALLOWED_ORIGINS: " https://a.example , https://b.example:8443",
  });
  assertEquals(mcp.allowedOrigins, ["https://a.example", "https://b.example:8443"]);
});

Deno.test("the consoles' webhook secrets are long, differ, and are at most five", () => {
  assertEquals(parseConfig({}).payments.secrets, { foundation: [], commercial: [] });
  const [a, b] = ["whsec_0123456789abcdef", "0123456789ABCDEF"];
  const parsed = parseConfig({ COMMERCIAL_PAYMENT_WEBHOOK_SECRET: `${a}, ${b}` });
  assertEquals(parsed.payments.secrets.commercial, [a, b]);
  for (
    const value of ["short", "whsec_0123456789", "with a space in it", Array(6).fill(a).join()]
  ) {
    const error = assertThrows(
      () => parseConfig({ COMMERCIAL_PAYMENT_WEBHOOK_SECRET: value }),
      ConfigError,
      "COMMERCIAL_PAYMENT_WEBHOOK_SECRET: should be",
    );
    assert(!error.message.includes(value));
  }
  const shared = {
    FOUNDATION_PAYMENT_WEBHOOK_SECRET: `${b},${a}`,
    COMMERCIAL_PAYMENT_WEBHOOK_SECRET: a,
  };
  assertThrows(() => parseConfig(shared), ConfigError, "should differ from FOUNDATION_PAYMENT");
});

Deno.test(".env.example lists exactly the variables that are read", async () => {
  const read = Object.keys(environment.shape);
  const example = await Deno.readTextFile(new URL("../../.env.example", import.meta.url));
  const named = [...example.matchAll(/^#?\s*([A-Z0-9_]+)=/gm)].map((match) => match[1]);
  assertEquals(named.sort(), read.sort());
});
