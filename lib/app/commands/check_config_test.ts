import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { generatePrivateJwk } from "../../../packages/proof/mod.ts";
import { VERSION } from "../../platform/config/release.ts";
import { SURFACE_NAMES } from "../../platform/surfaces/table.ts";
import { productionEnv } from "../testing/production.ts";
import { checkConfig } from "./check_config.ts";

const COMPLETE = {
  METRICS_TOKEN: "m".repeat(16),
  REVISION: "r1",
  OPS_REQUIRE_PASSKEY: "1",
  OPS_L1_EMAILS: "a@solstice.test,b@solstice.test",
  HEARTBEAT_URL: "https://monitor.test/ping/1",
};

async function check(env: Record<string, string>) {
  const lines: string[] = [];
  const add = (line: string) => lines.push(line);
  const status = await checkConfig(env, { log: add, error: add });
  return { status, lines };
}

Deno.test("check-config accepts a complete environment without a warning", async () => {
  const env = { ...productionEnv(), ...COMPLETE, HOME: "/", PATH: "/bin", LANG: "C.UTF-8" };
  assertEquals(await check(env), {
    status: 0,
    lines: [`Gatehouse ${VERSION}. The configuration is valid.`],
  });
});

Deno.test("check-config lists everything that production needs in one run, the hosts first, with each surface", async () => {
  const { status, lines } = await check({ APP_ENV: "production", PORT: "http" });
  assertEquals(status, 1);
  for (const host of ["trust.qualpack.example", "ops.foundation.qualpack.example"]) {
    assertStringIncludes(lines[1], `["${host}"]`);
  }
  for (const name of SURFACE_NAMES.filter((name) => name !== "workbench" && name !== "witness")) {
    assertStringIncludes(lines[1], `"${name}":[`);
  }
  assertEquals(lines.map((line) => line.trim().split(":")[0]), [
    "Invalid configuration",
    "SURFACE_HOSTS",
    "PORT",
    "APP_SECRET",
    "FOUNDATION_NAME",
    "FOUNDATION_CONTACT_EMAIL",
    "FOUNDATION_CODE_HOST_URL",
    "COMMERCIAL_NAME",
    "COMMERCIAL_CONTACT_EMAIL",
    "COMMERCIAL_CODE_HOST_URL",
    "MAIL_TRANSPORT",
    "CHAIN_SIGNING_KEY",
    "LOG_SIGNING_KEY",
    "WITNESS_SIGNING_KEY",
    "WITNESS_LOGS",
    "WITNESS_KV_PATH",
    "Warnings",
    "METRICS_TOKEN",
    "REVISION",
    "OPS_REQUIRE_PASSKEY",
    "OPS_L1_EMAILS",
    "HEARTBEAT_URL",
  ]);
});

Deno.test("check-config warns of misspelt variables, and of a missing token and revision", async () => {
  const { METRICS_TOKEN: _, REVISION: __, ...operators } = COMPLETE;
  assertEquals(await check({ ...productionEnv(), ...operators, MAIL_FRM: "a@b.test" }), {
    status: 0,
    lines: [
      "Warnings:",
      "  MAIL_FRM: unknown; did you mean MAIL_FROM?",
      "  METRICS_TOKEN: not set, so there are no metrics, and no alert rules work",
      "  REVISION: not set, so /readyz and the console cannot say which build runs",
      `Gatehouse ${VERSION}. The configuration is valid, see the warnings.`,
    ],
  });
});

Deno.test("for Deno Deploy, check-config names what differs there, and the region that /privacy shows", async () => {
  const { REVISION: _, ...env } = { ...productionEnv(), ...COMPLETE, DENO_DEPLOY: "true" };
  const { status, lines } = await check({ ...env, STORE_REGION: "Virginia" });
  assertEquals(status, 0);
  assertEquals(lines.map((line) => line.trim().split(":")[0]), [
    "Warnings",
    "memory",
    "Deno",
    "SIGINT",
    "OTEL_TRACES_SAMPLER",
    "STREAM_CLIENT_LIMIT",
    "/privacy says that the database is in Virginia.",
    `Gatehouse ${VERSION}. The configuration is valid, see the warnings.`,
  ]);
  const { lines: quiet } = await check({ ...env, STORE_REGION: "x", STREAM_CLIENT_LIMIT: "0" });
  assertEquals(quiet.filter((line) => line.includes("STREAM_CLIENT_LIMIT")), []);
});

Deno.test("check-config rejects a signing key whose parts do not match", async () => {
  const [{ x }, key] = await Promise.all([generatePrivateJwk(), generatePrivateJwk()]);
  const env = { ...productionEnv(), ...COMPLETE };
  const [good, bad] = [key, { ...key, x }].map((jwk) => JSON.stringify(jwk));
  assertEquals((await check({ ...env, CHAIN_SIGNING_KEY: good })).status, 0);
  assertEquals(await check({ ...env, CHAIN_SIGNING_KEY: bad }), {
    status: 1,
    lines: ["Invalid configuration:", "  CHAIN_SIGNING_KEY: should be a key whose x matches its d"],
  });
  assertEquals(await check({ ...env, CHAIN_SIGNING_KEY: good, LOG_SIGNING_KEY: good }), {
    status: 1,
    lines: [
      "Invalid configuration:",
      "  LOG_SIGNING_KEY: should differ from the key in CHAIN_SIGNING_KEY",
    ],
  });
});

Deno.test("check-config warns in production of consoles that an emailed link opens, of fewer than two administrators, and of a missing heartbeat", async () => {
  const warned = async (env: Record<string, string>) => {
    const { status, lines } = await check({ ...productionEnv(), ...COMPLETE, ...env });
    assertEquals(status, 0);
    return lines.slice(1, -1).map((line) => line.trim().split(":")[0]);
  };
  const one = " a@solstice.test , A@Solstice.test,";
  assertEquals(await warned({}), []);
  assertEquals(await warned({ OPS_REQUIRE_PASSKEY: "" }), ["OPS_REQUIRE_PASSKEY"]);
  assertEquals(await warned({ OPS_REQUIRE_PASSKEY: "0" }), ["OPS_REQUIRE_PASSKEY"]);
  assertEquals(await warned({ OPS_L1_EMAILS: one }), ["OPS_L1_EMAILS"]);
  assertEquals(await warned({ OPS_REQUIRE_PASSKEY: "", OPS_L1_EMAILS: one }), [
    "OPS_REQUIRE_PASSKEY",
    "OPS_L1_EMAILS",
  ]);
  assertEquals(await warned({ OPS_L1_EMAILS: " , " }), ["OPS_L1_EMAILS"]);
  assertEquals(await warned({ HEARTBEAT_URL: "" }), ["HEARTBEAT_URL"]);
  const development = await check({ OPS_L1_EMAILS: one });
  assertEquals(development, {
    status: 0,
    lines: [`Gatehouse ${VERSION}. The configuration is valid.`],
  });
});

Deno.test("check-config warns in production of a return path without reports, a KV server without a token, and a store that may be empty", async () => {
  const env = { ...productionEnv(), ...COMPLETE };
  const warned = async (more: Record<string, string>) => {
    const { status, lines } = await check({ ...env, ...more });
    assertEquals(status, 0);
    return lines.slice(1, -1).map((line) => line.trim().split(":")[0]);
  };
  const smtp = {
    MAIL_TRANSPORT: "smtp",
    SMTP_URL: "smtp://mail.solstice.test",
    MAIL_RETURN_PATH: "bounces@solstice.test",
  };
  const secret = `whsec_${btoa("s".repeat(32))}`;
  assertEquals(await warned(smtp), ["MAIL_RETURN_PATH"]);
  assertEquals(await warned({ ...smtp, MAIL_WEBHOOK_SECRET: secret }), []);
  const server = { KV_PATH: "http://127.0.0.1:4513" };
  assertEquals(await warned(server), ["DENO_KV_ACCESS_TOKEN"]);
  assertEquals(await warned({ ...server, DENO_KV_ACCESS_TOKEN: "t".repeat(12) }), []);
  assertEquals(await warned({ ALLOW_EMPTY_STORE: "1" }), ["ALLOW_EMPTY_STORE"]);
  assertEquals(await warned({ ALLOW_EMPTY_STORE: "1", STORE_ID: "3f2a" }), []);
});

Deno.test("check-config warns in production of a proxy that is not trusted, of a log without anchor and witness, and of an anchor that cannot be written", async () => {
  const [chain, log] = await Promise.all([generatePrivateJwk(), generatePrivateJwk()]);
  const env = {
    ...productionEnv({ trust: ["trust.solstice.test"] }),
    ...COMPLETE,
    CHAIN_SIGNING_KEY: JSON.stringify(chain),
    LOG_SIGNING_KEY: JSON.stringify(log),
  };
  const folder = await Deno.makeTempDir();
  const anchored = { ...env, LOG_ANCHOR: join(folder, "log") };
  const warned = async (env: Record<string, string>) => {
    const { status, lines } = await check(env);
    assertEquals(status, 0);
    return lines.slice(1, -1).map((line) => line.trim().split(",")[0]);
  };
  assertEquals(await warned(anchored), []);
  assertEquals(await warned({ ...anchored, HOST: "127.0.0.1", TRUST_PROXY: "1" }), []);
  assertEquals(await warned({ ...anchored, HOST: "127.0.0.1" }), ["TRUST_PROXY: 0"]);
  assertEquals(await warned({ ...anchored, HOST: "::1", TRUST_PROXY: "0" }), ["TRUST_PROXY: 0"]);
  assertEquals(await warned(env), ["LOG_ANCHOR: not set"]);
  const key = "witness.example+67550f4e+BD1AF8PoQ4lakrcKp00bfrycmCzPLsSWjMDNVfEq9GYM";
  const policy = `witness w ${key} https://witness.test/\nquorum w`;
  assertEquals(await warned({ ...env, LOG_WITNESSES: policy }), []);
  assertEquals(await warned({ ...env, LOG_ANCHOR: "s3:log-anchor" }), []);
  assertEquals(await warned({ ...env, LOG_ANCHOR: join(folder, "missing", "log") }), [
    "LOG_ANCHOR: cannot be written (its folder does not exist)",
  ]);
  assertEquals(await warned({ ...env, LOG_ANCHOR: folder }), [
    "LOG_ANCHOR: cannot be written (it is a folder)",
  ]);
  const none = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
  assertEquals(none, []);
  await Deno.remove(folder, { recursive: true });
});
