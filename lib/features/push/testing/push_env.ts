import { generateKeyPairSync } from "node:crypto";

let rsaKeys: ReturnType<typeof createRsaKeys> | undefined;

const createRsaKeys = () => generateKeyPairSync("rsa", { modulusLength: 2048 });

/**
 * Returns the variables of all three push services, with a new EC key. Calls share one RSA key,
 * because making one takes up to half a second.
 */
export function pushEnv(): Record<string, string> {
  const pem = { type: "pkcs8", format: "pem" } as const;
  const ec = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const rsa = rsaKeys ??= createRsaKeys();
  return {
    PUSH_APNS_KEY: String(ec.privateKey.export(pem)).replaceAll("\n", "\\n"),
    PUSH_APNS_KEY_ID: "ABC123DEFG",
    PUSH_APNS_TEAM_ID: "DEF123GHIJ",
    PUSH_APNS_TOPIC: "example.gatehouse.app",
    PUSH_FCM_SERVICE_ACCOUNT: JSON.stringify({
      project_id: "gatehouse-1",
      client_email: "push@gatehouse-1.iam.gserviceaccount.com",
      private_key: rsa.privateKey.export(pem),
    }),
    PUSH_VAPID_KEY: ec.privateKey.export({ format: "jwk" }).d!,
    PUSH_VAPID_SUBJECT: "mailto:operations@commercial.example",
  };
}
