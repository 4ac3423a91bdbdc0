import type { Config } from "./config.ts";
import { secretVariable } from "../features/payments/variables.ts";
import { SANDBOX_RELAY } from "../features/relay/variables.ts";
import { originOf, type Surfaces } from "../platform/surfaces/mod.ts";

/**
 * Returns the text to print at startup: URLs, what is switched off and why, and a hint.
 *
 * @param address the address of the server; undefined under `deno serve`, which prints it itself
 */
export function startupSummary(
  config: Config,
  surfaces: Surfaces,
  address?: Deno.NetAddr,
): string {
  const { sandbox, all } = config.relays;
  const relays = sandbox ? [SANDBOX_RELAY] : all;
  const served = [
    ...surfaces.all.map(({ name, baseUrl }) => ({ name, baseUrl })),
    ...relays.map((relay) => ({
      name: `relay ${relay.name}`,
      baseUrl: originOf(relay.host, config),
    })),
  ];
  const width = Math.max(...served.map(({ name }) => name.length));
  const lines = [
    "",
    address === undefined
      ? `Gatehouse (${config.env})`
      : `Gatehouse (${config.env}) is listening on ${address.hostname}:${address.port}`,
    "",
    ...served.map(({ name, baseUrl }) => `  ${name.padEnd(width)}  ${baseUrl}/`),
  ];
  const off = switchedOff(config);
  if (off.length > 0) lines.push("", "Switched off:", ...off.map((line) => `  ${line}`));
  if (config.env === "development") {
    const names = served.flatMap(({ baseUrl }) => new URL(baseUrl).hostname)
      .filter((name) => name.endsWith(".localhost"));
    lines.push(
      "",
      "If these names do not resolve, add this line to /etc/hosts:",
      `  127.0.0.1 ${names.join(" ")}`,
    );
  }
  return lines.join("\n") + "\n";
}

function switchedOff(config: Config): string[] {
  const off: string[] = [];
  if (config.store.readOnly) off.push("all changes: READ_ONLY is 1");
  if (config.mail.transport === "outbox") {
    off.push(
      "sending mail: MAIL_TRANSPORT is outbox; read mail at /dev/outbox, links are printed here",
    );
  }
  if (config.signInClientLimit === 0) {
    off.push("the sign-in limit per client address: SIGN_IN_CLIENT_LIMIT is 0");
  }
  if (config.kvPath === ":memory:") {
    off.push("keeping data after a restart: KV_PATH is :memory:");
  }
  if (config.mcp.rateLimit === 0) off.push("the MCP servers' rate limit: MCP_RATE_LIMIT is 0");
  off.push(...oauthOff(config));
  off.push(...consolesOff(config), ...bankOff(config), ...contactOff(config), ...codesOff(config));
  off.push(...documentsOff(config), ...paymentsOff(config), ...pushOff(config));
  if (config.env === "production") off.push("the workbench and /dev: APP_ENV is production");
  return off;
}

function oauthOff({ oauth, surfaceHosts }: Config): string[] {
  if (!surfaceHosts["foundation-mcp"] && !surfaceHosts["commercial-mcp"]) return [];
  if (!surfaceHosts.trust) {
    return ["signing in to the MCP servers: SURFACE_HOSTS does not name the trust surface"];
  }
  return oauth.registrationLimit === 0
    ? ["the limit of registrations of MCP clients: MCP_REGISTRATION_LIMIT is 0"]
    : [];
}

function consolesOff({ ops: { l1, l2 }, surfaceHosts }: Config): string[] {
  const served = surfaceHosts["foundation-console"] ?? surfaceHosts["commercial-console"];
  if (served === undefined || l1.length > 0) return [];
  return l2.length === 0
    ? ["the consoles, for everyone: OPS_L1_EMAILS and OPS_L2_EMAILS are not set"]
    : ["the finance pages, for everyone: OPS_L1_EMAILS is not set"];
}

function bankOff({ bank, surfaceHosts }: Config): string[] {
  if (bank.sandbox) return ["the bank: BANK_API_BASE is not set; a stand-in serves invented data"];
  return (["foundation", "commercial"] as const).flatMap((organisation) => {
    const { value, variable } = bank.tokens[organisation];
    if (surfaceHosts[`${organisation}-console`] === undefined) return [];
    const missing = bank.baseUrl === undefined ? "BANK_API_BASE" : variable;
    if (bank.baseUrl !== undefined && value !== undefined) return [];
    return [`the bank on the ${organisation} console: ${missing} is not set`];
  });
}

function contactOff({ contact, streamClientLimit, surfaceHosts }: Config): string[] {
  if (surfaceHosts.api === undefined) return [];
  const off: string[] = [];
  if (contact.challenge === undefined) off.push("the bot challenge: CHALLENGE_SECRET is not set");
  if (contact.notify.length === 0) {
    off.push("notifications of registrations: CONTACT_NOTIFY is not set");
  }
  if (contact.clientLimit === 0) off.push("the contact form's limit: CONTACT_CLIENT_LIMIT is 0");
  if (streamClientLimit === 0) off.push("live streams of chains: STREAM_CLIENT_LIMIT is 0");
  return off;
}

function codesOff({ codes: { provider }, surfaceHosts, env }: Config): string[] {
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

function documentsOff({ organisations, surfaceHosts }: Config): string[] {
  if (surfaceHosts.trust === undefined) return [];
  return (["foundation", "commercial"] as const).flatMap((organisation) =>
    surfaceHosts[`${organisation}-console`] === undefined ||
      organisations[organisation].registration !== undefined
      ? []
      : [
        `registration details on documents: ${organisation.toUpperCase()}_REGISTRATION is not set`,
      ]
  );
}

function paymentsOff({ payments: { secrets }, surfaceHosts, env }: Config): string[] {
  return (["foundation", "commercial"] as const).flatMap((organisation) => {
    if (surfaceHosts[`${organisation}-console`] === undefined) return [];
    if (secrets[organisation].length > 0) return [];
    const missing = `${secretVariable(organisation)} is not set`;
    const instead = env === "development" ? "; a stand-in sends events from /dev/payments" : "";
    return [`payments on the ${organisation} console: ${missing}${instead}`];
  });
}

function pushOff({ push: { apns, fcm, web }, surfaceHosts, env }: Config): string[] {
  if (surfaceHosts.trust === undefined) return [];
  const services = [
    { to: "iPhones", variable: "PUSH_APNS_KEY", service: apns },
    { to: "Android phones", variable: "PUSH_FCM_SERVICE_ACCOUNT", service: fcm },
    { to: "browsers", variable: "PUSH_VAPID_KEY", service: web },
  ];
  const instead = env === "development" ? "; a stand-in shows them at /dev/push" : "";
  return services.filter(({ service }) => service === undefined)
    .map(({ to, variable }) => `notifications on ${to}: ${variable} is not set${instead}`);
}
