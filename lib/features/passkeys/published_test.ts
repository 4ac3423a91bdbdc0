import { assertEquals } from "@std/assert";
import { ConfigError } from "../../platform/config/error.ts";
import { parseConfig } from "../../app/config.ts";
import { androidDocument, appleDocument, relyingPartyOf, webauthnDocument } from "./published.ts";

const FINGERPRINT = Array.from({ length: 32 }, (_, i) => i.toString(16).padStart(2, "0")).join(":");
const OTHER = "AA:".repeat(31) + "AA";

const configOf = (env: Record<string, string>) => parseConfig(env).passkeys;

Deno.test("a surface's host is the relying party's id, and only its exact origin is accepted", () => {
  const config = configOf({});
  const surface = { baseUrl: "http://trust.localhost:8000" };
  assertEquals(relyingPartyOf(surface, "Attest", config), {
    id: "trust.localhost",
    name: "Attest",
    origins: ["http://trust.localhost:8000"],
  });
});

Deno.test("configured related origins and Android apps are accepted too", () => {
  const config = configOf({
    PASSKEY_RELATED_ORIGINS: "https://records.example",
    ANDROID_APPS: `com.example.app=${FINGERPRINT}`,
  });
  assertEquals(relyingPartyOf({ baseUrl: "https://trust.example" }, "", config).origins, [
    "https://trust.example",
    "https://records.example",
    "android:apk-key-hash:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",
  ]);
});

Deno.test("the documents for browsers and systems list what is configured, and nothing by default", () => {
  const none = configOf({});
  assertEquals([webauthnDocument(none), appleDocument(none), androidDocument(none)], [
    null,
    null,
    null,
  ]);
  const config = configOf({
    PASSKEY_RELATED_ORIGINS: "https://a.example, https://b.example",
    APPLE_APP_IDS: "ABCDE12345.com.example.app",
    ANDROID_APPS: `com.example.app=${FINGERPRINT},com.example.app=${OTHER}`,
  });
  assertEquals(webauthnDocument(config), { origins: ["https://a.example", "https://b.example"] });
  assertEquals(appleDocument(config), {
    webcredentials: { apps: ["ABCDE12345.com.example.app"] },
  });
  assertEquals(androidDocument(config), [{
    relation: ["delegate_permission/common.get_login_creds"],
    target: {
      namespace: "android_app",
      package_name: "com.example.app",
      sha256_cert_fingerprints: [FINGERPRINT.toUpperCase(), OTHER],
    },
  }]);
});

for (
  const [name, value] of [
    ["PASSKEY_RELATED_ORIGINS", "http://a.example"],
    ["PASSKEY_RELATED_ORIGINS", "https://a.example/path"],
    ["APPLE_APP_IDS", "com.example.app"],
    ["ANDROID_APPS", "com.example.app"],
    ["ANDROID_APPS", "com.example.app=AA:BB"],
  ]
) {
  Deno.test(`${name}=${value} is rejected`, () => {
    let lines: string[] = [];
    try {
      parseConfig({ [name]: value });
    } catch (error) {
      lines = (error as ConfigError).lines;
    }
    assertEquals(lines.map((line) => line.split(":")[0]), [name]);
  });
}
