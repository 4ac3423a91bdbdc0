import { createPrivateKey } from "node:crypto";
import { assertEquals } from "@std/assert";
import { ConfigError } from "../../platform/config/error.ts";
import { parseConfig } from "../../app/config.ts";
import { pushEnv } from "./testing/push_env.ts";

/** Returns the names of the variables that are invalid. */
function invalid(env: Record<string, string>): string[] {
  try {
    parseConfig(env);
    return [];
  } catch (error) {
    return (error as ConfigError).lines.map((line) => line.split(":")[0]);
  }
}

Deno.test("a PEM key with line breaks, with \\n or without its first and last line is accepted", () => {
  const env = pushEnv();
  const key = parseConfig(env).push.apns?.key;
  const pem = env.PUSH_APNS_KEY.replaceAll("\\n", "\n");
  const body = pem.replaceAll(/-.*-/g, "").replaceAll("\n", "");
  assertEquals(key, pem);
  for (const given of [pem, body]) {
    assertEquals(parseConfig({ ...env, PUSH_APNS_KEY: given }).push.apns?.key, key);
  }
});

Deno.test("invalid settings name each invalid or missing variable", () => {
  const env = pushEnv();
  assertEquals(invalid(env), []);
  const account = JSON.parse(env.PUSH_FCM_SERVICE_ACCOUNT);
  const rsa = account.private_key;
  const cases: [change: Record<string, string>, names: string[]][] = [
    [{ PUSH_APNS_KEY: "no key" }, ["PUSH_APNS_KEY"]],
    [{ PUSH_APNS_KEY: rsa }, ["PUSH_APNS_KEY"]],
    [{ PUSH_APNS_KEY_ID: "" }, ["PUSH_APNS_KEY_ID"]],
    [{ PUSH_APNS_KEY: "", PUSH_APNS_TOPIC: "" }, ["PUSH_APNS_KEY", "PUSH_APNS_TOPIC"]],
    [{ PUSH_FCM_SERVICE_ACCOUNT: "{}" }, ["PUSH_FCM_SERVICE_ACCOUNT"]],
    [{ PUSH_FCM_SERVICE_ACCOUNT: "key.json" }, ["PUSH_FCM_SERVICE_ACCOUNT"]],
    [{ PUSH_FCM_SERVICE_ACCOUNT: JSON.stringify({ ...account, project_id: "../x" }) }, [
      "PUSH_FCM_SERVICE_ACCOUNT",
    ]],
    [{ PUSH_VAPID_KEY: "A".repeat(43) }, ["PUSH_VAPID_KEY"]],
    [{ PUSH_VAPID_SUBJECT: "" }, ["PUSH_VAPID_SUBJECT"]],
    [{ PUSH_VAPID_SUBJECT: "mailto:push@localhost" }, ["PUSH_VAPID_SUBJECT"]],
    [{ PUSH_VAPID_SUBJECT: "mailto:push@site.invalid" }, ["PUSH_VAPID_SUBJECT"]],
    [{ PUSH_VAPID_SUBJECT: "https://localhost/" }, ["PUSH_VAPID_SUBJECT"]],
    [{ PUSH_VAPID_SUBJECT: "https://site.invalid/contact" }, ["PUSH_VAPID_SUBJECT"]],
    [{ PUSH_VAPID_SUBJECT: "mailto:push@site.localhost" }, ["PUSH_VAPID_SUBJECT"]],
    [{ PUSH_VAPID_SUBJECT: "https://site.example/contact" }, []],
  ];
  for (const [change, names] of cases) {
    assertEquals([change, invalid({ ...env, ...change })], [change, names]);
  }
});

Deno.test("a service account's key in the older PKCS #1 form becomes PKCS #8", () => {
  const env = pushEnv();
  const account = JSON.parse(env.PUSH_FCM_SERVICE_ACCOUNT);
  const pkcs1 = createPrivateKey(account.private_key).export({ type: "pkcs1", format: "pem" });
  const PUSH_FCM_SERVICE_ACCOUNT = JSON.stringify({ ...account, private_key: pkcs1 });
  const { fcm } = parseConfig({ ...env, PUSH_FCM_SERVICE_ACCOUNT }).push;
  assertEquals(fcm?.privateKey, account.private_key);
});
