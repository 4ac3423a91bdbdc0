/** A stand-in for browsers' push services, with subscribers that decrypt what it receives. */
import { Buffer } from "node:buffer";
import { createECDH, createPublicKey, type ECDH } from "node:crypto";
import { decrypt } from "http_ece";
import { importJWK, jwtVerify } from "jose";
import { z } from "zod";
import type { WebPushConfig } from "../../variables.ts";
import { DAY_MS, SECOND_MS } from "../../../../base/time.ts";
import { behaviourOf, type PushBehaviour } from "./behaviours.ts";
import { parse, type StandInReply, type StandInRequest } from "./request.ts";

const MAX_BODY = 4_096;
const payloadSchema = z.object({
  web_push: z.literal(8030),
  notification: z.object({ title: z.string(), navigate: z.url() }),
  seq: z.number(),
});

/** The subscription that a browser sends. */
export interface StandInSubscription {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

interface Subscriber {
  ecdh: ECDH;
  auth: Buffer;
  /** The application server key that it subscribed with. */
  vapid: string;
}

/** The stand-in for the push services of browsers, and for the browsers that subscribe to them. */
export function createStandInWebPush(clock: () => number) {
  const ecdh = createECDH("prime256v1");
  ecdh.generateKeys();
  const key = {
    publicKey: ecdh.getPublicKey().toString("base64url"),
    privateKey: ecdh.getPrivateKey().toString("base64url").padStart(43, "A"),
  };
  const subscribers = new Map<string, Subscriber>();
  let origin = "";

  const config = (url: string): WebPushConfig => {
    origin = url;
    return { keys: [key], subject: "mailto:push@gatehouse.example" };
  };

  function subscribe(behaviour: PushBehaviour = "accept", vapid = key.publicKey) {
    const browser = createECDH("prime256v1");
    const auth = Buffer.from(crypto.getRandomValues(new Uint8Array(16)));
    const id = `${behaviour}-${crypto.randomUUID()}`;
    subscribers.set(id, { ecdh: browser, auth, vapid });
    const p256dh = browser.generateKeys("base64url");
    const keys = { p256dh, auth: auth.toString("base64url") };
    return { endpoint: `${origin}/push/${id}`, keys } satisfies StandInSubscription;
  }

  /** Returns the reason to reject the sender's signature (RFC 8292), or null. */
  async function checkVapid(header: string, expected: string): Promise<[number, string] | null> {
    const [, token, sender] = /^vapid t=([^,\s]+), ?k=([\w-]+)$/.exec(header) ?? [];
    if (token === undefined) return [401, "MissingProviderToken"];
    if (sender !== expected) return [400, "VapidPkHashMismatch"];
    const point = Buffer.from(sender, "base64url");
    const jwk = {
      kty: "EC",
      crv: "P-256",
      x: point.subarray(1, 33).toString("base64url"),
      y: point.subarray(33).toString("base64url"),
    };
    try {
      createPublicKey({ key: jwk, format: "jwk" });
      const { payload: { exp = Infinity, sub = "" } } = await jwtVerify(
        token,
        await importJWK(jwk, "ES256"),
        { algorithms: ["ES256"], audience: origin, currentDate: new Date(clock()) },
      );
      const acceptable = /^(mailto:|https:)/.test(sub) && !/localhost|\.invalid\b/.test(sub);
      return acceptable && exp * SECOND_MS <= clock() + DAY_MS ? null : [403, "BadJwtToken"];
    } catch {
      return [403, "BadJwtToken"];
    }
  }

  /** Handles `POST /push/<id>`. */
  async function send(id: string, { headers, body }: StandInRequest): Promise<StandInReply> {
    const reject = (status: number, reason: string): StandInReply => ({
      status,
      reason,
      body: { reason },
    });
    const subscriber = subscribers.get(id);
    if (subscriber === undefined) return reject(404, "NotFound");
    const rejected = await checkVapid(headers.get("authorization") ?? "", subscriber.vapid);
    if (rejected !== null) return reject(...rejected);
    if (!/^\d{1,9}$/.test(headers.get("ttl") ?? "")) return reject(400, "BadTtl");
    const topic = headers.get("topic");
    if (topic !== null && !/^[\w-]{1,32}$/.test(topic)) return reject(400, "BadWebPushTopic");
    if (!/^(very-low|low|normal|high)$/.test(headers.get("urgency") ?? "normal")) {
      return reject(400, "BadUrgency");
    }
    if (headers.get("content-encoding") !== "aes128gcm") return reject(400, "BadEncoding");
    if (body.length > MAX_BODY) return reject(413, "PayloadTooLarge");
    switch (behaviourOf(id)) {
      case "gone":
        subscribers.delete(id);
        return reject(410, "Unregistered");
      case "bad":
        return reject(404, "NotFound");
      case "busy":
        return { ...reject(429, "TooManyRequests"), headers: { "retry-after": "60" } };
      case "error":
        return reject(500, "InternalServerError");
      case "unavailable":
        return { ...reject(503, "ServiceUnavailable"), headers: { "retry-after": "30" } };
    }
    const payload = payloadSchema.safeParse(parse(open(subscriber, body))).data;
    if (payload === undefined) return reject(400, "BadPayload");
    return {
      status: 201,
      headers: { location: `${origin}/message/${crypto.randomUUID()}` },
      shown: { text: payload.notification.title, seq: payload.seq, collapse: topic ?? "" },
    };
  }
  return { config, subscribe, send };
}

/** Decrypts a message as the browser does. Returns no bytes if it cannot. */
function open({ ecdh, auth }: Subscriber, body: Uint8Array): Uint8Array {
  try {
    const options = { version: "aes128gcm", privateKey: ecdh, authSecret: auth.toString("base64") };
    return decrypt(Buffer.from(body), options);
  } catch {
    return new Uint8Array();
  }
}
