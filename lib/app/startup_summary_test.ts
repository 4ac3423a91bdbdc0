import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { generatePrivateJwk } from "../../packages/proof/mod.ts";
import { productionEnv } from "./testing/production.ts";
import { pushEnv } from "../features/push/testing/push_env.ts";
import { startupSummary } from "./startup_summary.ts";
import { parseConfig } from "./config.ts";
import { createSurfaces } from "../platform/surfaces/mod.ts";

function printed(env: Record<string, string>): string {
  const config = parseConfig(env);
  const address: Deno.NetAddr = { transport: "tcp", hostname: config.host, port: config.port };
  return startupSummary(config, createSurfaces(config), address);
}

Deno.test("the summary lists every surface's URL and the line for /etc/hosts", () => {
  const text = printed({});
  for (const { baseUrl } of createSurfaces(parseConfig({})).all) {
    assertStringIncludes(text, baseUrl);
  }
  assertStringIncludes(text, "\n  127.0.0.1 site.localhost foundation.localhost");
  assertStringIncludes(text, "MAIL_TRANSPORT is outbox");
});

Deno.test("the summary lists what is switched off and the variable to set", () => {
  assertStringIncludes(printed({ MCP_RATE_LIMIT: "0" }), "MCP_RATE_LIMIT is 0");
  assertStringIncludes(
    printed({ MCP_REGISTRATION_LIMIT: "0" }),
    "clients: MCP_REGISTRATION_LIMIT is 0",
  );
  const untrusted = { "foundation": ["f.example"], "foundation-mcp": ["mcp.f.example"] };
  assertStringIncludes(
    printed(productionEnv(untrusted)),
    "signing in to the MCP servers: SURFACE_HOSTS does not name the trust surface",
  );
  assertStringIncludes(printed({ SIGN_IN_CLIENT_LIMIT: "0" }), "SIGN_IN_CLIENT_LIMIT is 0");
  assertStringIncludes(printed({ READ_ONLY: "1" }), "all changes: READ_ONLY is 1");
  assertStringIncludes(printed({ KV_PATH: ":memory:" }), "KV_PATH is :memory:");
  assertStringIncludes(printed({}), "BANK_API_BASE is not set; a stand-in");
  const unset = printed({ BANK_API_BASE: "https://bank.example", COMMERCIAL_BANK_API_TOKEN: "t" });
  assertStringIncludes(unset, "foundation console: FOUNDATION_BANK_API_TOKEN is not set");
  assert(!unset.includes("COMMERCIAL_BANK_API_TOKEN"));
  assertStringIncludes(
    printed({ BANK_SANDBOX: "off", CONTACT_CLIENT_LIMIT: "0" }),
    "commercial console: BANK_API_BASE is not set",
  );
  assertStringIncludes(printed({ CONTACT_CLIENT_LIMIT: "0" }), "CONTACT_CLIENT_LIMIT is 0");
  assertStringIncludes(printed({}), "documents: FOUNDATION_REGISTRATION is not set");
  assertStringIncludes(printed({}), "iPhones: PUSH_APNS_KEY is not set; a stand-in shows them");
  const sending = printed({
    MAIL_TRANSPORT: "smtp",
    SMTP_URL: "smtp://mail.example",
    BANK_API_BASE: "https://bank.example",
    BANK_API_TOKEN: "t",
    CONTACT_NOTIFY: "team@commercial.example",
    CHALLENGE_SITE_KEY: "k",
    CHALLENGE_SECRET: "s",
    CHALLENGE_VERIFY_URL: "https://challenge.example/verify",
    CHALLENGE_SCRIPT_URL: "https://challenge.example/api.js",
    CODE_PROVIDER: "http",
    CODE_HTTP_URL: "https://codes.example",
    CODE_HTTP_KEY: "k",
    FOUNDATION_REGISTRATION: "Charity 1",
    COMMERCIAL_REGISTRATION: "Company 2",
    FOUNDATION_PAYMENT_WEBHOOK_SECRET: "whsec_0123456789abcdef",
    COMMERCIAL_PAYMENT_WEBHOOK_SECRET: "whsec_ABCDEF0123456789",
    ...pushEnv(),
  });
  assert(!sending.includes("Switched off"));
  const production = printed(productionEnv());
  assertStringIncludes(production, "APP_ENV is production");
  assert(!production.includes("OPS_L"));
  assert(!production.includes("/etc/hosts"));
});

Deno.test("the summary can omit the address of the server", () => {
  const config = parseConfig(productionEnv());
  const surfaces = createSurfaces(config);
  const summary = startupSummary(config, surfaces, {
    transport: "tcp",
    hostname: "0.0.0.0",
    port: 8000,
  });
  assertEquals(
    startupSummary(config, surfaces),
    summary.replace(" is listening on 0.0.0.0:8000", ""),
  );
});

Deno.test("the summary says if the environment names no administrator of the consoles", () => {
  const consoles = productionEnv({ "commercial-console": ["ops.example"] });
  assertStringIncludes(
    printed({ ...consoles, OPS_L2_EMAILS: "board@example.org" }),
    "administrators whom nobody can lock out of the consoles: OPS_L1_EMAILS is not set",
  );
  assert(!printed({ ...consoles, OPS_L1_EMAILS: "admin@example.org" }).includes("OPS_L"));
});

Deno.test("the summary says if codes are not sent, and if they are not sent by voice", async () => {
  assertStringIncludes(printed({}), "CODE_PROVIDER is sandbox; read them at /dev/phone");
  assertStringIncludes(printed({ CODE_PROVIDER: "off" }), "CODE_PROVIDER is off");
  assertStringIncludes(
    printed({
      CODE_PROVIDER: "twilio",
      TWILIO_ACCOUNT_SID: `AC${"0".repeat(32)}`,
      TWILIO_AUTH_TOKEN: "t",
      TWILIO_MESSAGING_SERVICE_SID: `MG${"0".repeat(32)}`,
    }),
    "codes by voice: TWILIO_FROM is not set",
  );
  const [chain, log] = await Promise.all([generatePrivateJwk(), generatePrivateJwk()]);
  const keys = { CHAIN_SIGNING_KEY: JSON.stringify(chain), LOG_SIGNING_KEY: JSON.stringify(log) };
  const trust = productionEnv({ trust: ["trust.example"] }, keys);
  assertStringIncludes(printed(trust), "CODE_PROVIDER is not set");
  assert(!printed(productionEnv()).includes("CODE_PROVIDER"));
});

Deno.test("the summary says which console receives no payments", () => {
  const stated = printed({ FOUNDATION_PAYMENT_WEBHOOK_SECRET: "whsec_0123456789abcdef" });
  assertStringIncludes(
    stated,
    "commercial console: COMMERCIAL_PAYMENT_WEBHOOK_SECRET is not set; a stand-in",
  );
  assert(!stated.includes("FOUNDATION_PAYMENT"));
  const production = printed(productionEnv({ "commercial-console": ["ops.example"] }));
  assertStringIncludes(production, "COMMERCIAL_PAYMENT_WEBHOOK_SECRET is not set\n");
  assert(!production.includes("FOUNDATION_PAYMENT"));
});
