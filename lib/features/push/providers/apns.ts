/** Push notifications to iPhones: the token, the requests and the errors of Apple's service. */
import { importPKCS8, SignJWT } from "jose";
import { z } from "zod";
import type { ApnsConfig } from "../variables.ts";
import { MINUTE_MS, SECOND_MS } from "../../../base/time.ts";
import type { PushMessage, PushOutcome, PushProvider } from "../provider.ts";
import { failureOf, type PushClient, type PushReply } from "./request.ts";

/** Apple rejects a token that is older than an hour, and tokens that change within 20 minutes. */
const TOKEN_LIFETIME_MS = 40 * MINUTE_MS;
const RENEWAL_MS = 20 * MINUTE_MS;

const bodySchema = z.object({ reason: z.string(), timestamp: z.number().optional() });

/**
 * Sends to iPhones through the Apple Push Notification service, over HTTP/2
 * (https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns).
 */
export function createApns(
  config: ApnsConfig,
  { client, clock }: { client: PushClient; clock: () => number },
): PushProvider {
  let token: { text: Promise<string>; at: number } | null = null;

  async function sign(at: number): Promise<string> {
    const key = await importPKCS8(config.key, "ES256");
    return await new SignJWT({ iss: config.teamId, iat: Math.floor(at / SECOND_MS) })
      .setProtectedHeader({ alg: "ES256", kid: config.keyId })
      .sign(key);
  }

  /** Returns the token that all requests share. */
  function currentToken(): Promise<string> {
    const now = clock();
    if (token === null || now - token.at >= TOKEN_LIFETIME_MS) token = { text: sign(now), at: now };
    return token.text;
  }

  async function post(url: string, message: PushMessage): Promise<PushReply | undefined> {
    return await client.post(url, {
      headers: {
        "authorization": `bearer ${await currentToken()}`,
        "content-type": "application/json",
        "apns-topic": config.topic,
        "apns-push-type": "alert",
        "apns-priority": "10",
        "apns-expiration": String(Math.floor(message.expiresAt / SECOND_MS)),
        "apns-collapse-id": message.collapse,
        "apns-id": message.id,
      },
      body: JSON.stringify({
        aps: { alert: { title: message.text }, sound: "default", "thread-id": message.collapse },
        seq: message.seq,
        event: message.event,
        url: message.url,
      }),
    });
  }

  return {
    async send(target, message) {
      if (target.platform !== "ios") return { ok: false, error: "platform", action: "give_up" };
      const url = `${config.hosts[target.environment]}/3/device/${target.token}`;
      const reply = await post(url, message);
      const outcome = outcomeOf(reply);
      if (outcome.ok || outcome.error !== "expired_provider_token") return outcome;
      // Our clock may differ from Apple's. A second new token within 20 minutes would be rejected.
      if (token !== null && clock() - token.at >= RENEWAL_MS) token = null;
      return outcome;
    },
  };
}

function outcomeOf(reply: PushReply | undefined): PushOutcome {
  if (reply?.status === 200) return { ok: true };
  const { reason, timestamp } = bodySchema.safeParse(reply?.body).data ?? { reason: "unknown" };
  switch (reason) {
    case "Unregistered":
    case "ExpiredToken":
      return { ok: false, error: "unregistered", action: "remove", since: timestamp };
    case "ExpiredProviderToken":
      return { ok: false, error: "expired_provider_token", action: "retry" };
    case "TooManyProviderTokenUpdates":
      return { ok: false, error: "rate_limited", action: "retry", afterMs: RENEWAL_MS };
    default:
      return failureOf(reply, snakeCase(reason));
  }
}

/** `BadDeviceToken` becomes `bad_device_token`. A reason is limited, because it is shown. */
const snakeCase = (reason: string): string =>
  reason.slice(0, 60).replace(/[^A-Za-z]/g, "").replace(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();
