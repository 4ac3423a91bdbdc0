/** A stand-in for Apple's push service, which rejects what the real one rejects. */
import { generateKeyPairSync } from "node:crypto";
import { decodeProtectedHeader, importSPKI, jwtVerify } from "jose";
import { z } from "zod";
import type { ApnsConfig } from "../../variables.ts";
import { MINUTE_MS, SECOND_MS } from "../../../../base/time.ts";
import { behaviourOf } from "./behaviours.ts";
import { parse, type StandInReply, type StandInRequest } from "./request.ts";

const KEY_ID = "SANDBOXKEY";
const TEAM_ID = "SANDBOXTEA";
const TOPIC = "example.gatehouse.app";
const MAX_BODY = 4_096;
const MAX_AGE_S = 60 * MINUTE_MS / SECOND_MS;
const RENEWAL_MS = 20 * MINUTE_MS;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

const payloadSchema = z.object({
  aps: z.object({ alert: z.object({ title: z.string() }) }),
  seq: z.number(),
});

/** The stand-in for Apple's push service. */
export function createStandInApns(clock: () => number) {
  const { publicKey, privateKey } = generateKeyPairSync("ec", {
    namedCurve: "prime256v1",
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  let token = { text: "", at: -Infinity };

  const config = (url: string): ApnsConfig => ({
    hosts: { production: url, sandbox: url },
    key: privateKey,
    keyId: KEY_ID,
    teamId: TEAM_ID,
    topic: TOPIC,
  });

  /** Returns the reason to reject a provider token, or null. */
  async function checkToken(text: string): Promise<[status: number, reason: string] | null> {
    try {
      if (decodeProtectedHeader(text).kid !== KEY_ID) return [403, "InvalidProviderToken"];
      const key = await importSPKI(publicKey, "ES256");
      const { payload } = await jwtVerify(text, key, { algorithms: ["ES256"], issuer: TEAM_ID });
      const age = clock() / SECOND_MS - (payload.iat ?? 0);
      if (Math.abs(age) > MAX_AGE_S) return [403, "ExpiredProviderToken"];
    } catch {
      return [403, "InvalidProviderToken"];
    }
    if (text === token.text) return null;
    if (clock() - token.at < RENEWAL_MS) return [429, "TooManyProviderTokenUpdates"];
    token = { text, at: clock() };
    return null;
  }

  /** Handles `POST /3/device/<token>`. */
  async function send(device: string, { headers, body }: StandInRequest): Promise<StandInReply> {
    const reject = (status: number, reason: string, extra = {}): StandInReply => ({
      status,
      reason,
      body: { reason, ...extra },
    });
    // Apple accepts HTTP/2 only, which has no such header.
    if (headers.has("host")) return reject(505, "HttpVersionNotSupported");
    const [scheme, text] = (headers.get("authorization") ?? "").split(" ");
    if (scheme.toLowerCase() !== "bearer") return reject(403, "MissingProviderToken");
    const rejected = await checkToken(text);
    if (rejected !== null) return reject(...rejected);
    const header = (name: string) => headers.get(`apns-${name}`) ?? "";
    if (header("topic") !== TOPIC) return reject(400, "DeviceTokenNotForTopic");
    if (!["alert", "background"].includes(header("push-type"))) {
      return reject(400, "InvalidPushType");
    }
    if (!["10", "5", "1"].includes(header("priority"))) return reject(400, "BadPriority");
    if (!/^\d{1,12}$/.test(header("expiration"))) return reject(400, "BadExpirationDate");
    if (new TextEncoder().encode(header("collapse-id")).length > 64) {
      return reject(400, "BadCollapseId");
    }
    if (!UUID.test(header("id"))) return reject(400, "BadMessageId");
    if (body.length === 0) return reject(400, "PayloadEmpty");
    if (body.length > MAX_BODY) return reject(413, "PayloadTooLarge");
    if (!/^[\da-f]{64,200}$/i.test(device)) return reject(400, "BadDeviceToken");
    switch (behaviourOf(device)) {
      case "gone":
        return reject(410, "Unregistered", { timestamp: clock() });
      case "bad":
        return reject(400, "BadDeviceToken");
      case "busy":
        return reject(429, "TooManyRequests");
      case "error":
        return reject(500, "InternalServerError");
      case "unavailable":
        return { ...reject(503, "ServiceUnavailable"), headers: { "retry-after": "30" } };
    }
    const payload = payloadSchema.safeParse(parse(body)).data;
    if (payload === undefined) return reject(400, "BadPayload");
    return {
      status: 200,
      headers: { "apns-id": header("id") },
      shown: {
        text: payload.aps.alert.title,
        seq: payload.seq,
        collapse: header("collapse-id"),
      },
    };
  }
  return { config, send };
}
