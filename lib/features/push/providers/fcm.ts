/** Push notifications to Android phones: the token, the requests and the errors of Google's service. */
import { importPKCS8, SignJWT } from "jose";
import { z } from "zod";
import type { FcmConfig } from "../variables.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../base/time.ts";
import type { PushMessage, PushOutcome, PushProvider } from "../provider.ts";
import { failureOf, type PushClient, type PushFailure, type PushReply } from "./request.ts";

const SCOPE = "https://www.googleapis.com/auth/firebase.messaging";
const GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer";
/** A token is replaced this long before it expires. */
const EARLY_MS = 5 * MINUTE_MS;
/** How long Google asks to wait after 429 without `Retry-After`. */
const QUOTA_MS = MINUTE_MS;

const tokenSchema = z.object({ access_token: z.string().min(1), expires_in: z.number() });
const errorSchema = z.object({
  error: z.object({
    status: z.string().max(60).optional(),
    details: z.array(z.object({
      errorCode: z.string().max(60).optional(),
      fieldViolations: z.array(z.object({ field: z.string() })).optional(),
    })).optional(),
  }),
});

/** An access token, or why there is none. */
type Access = { ok: true; token: string; expires: number } | PushFailure;

/**
 * Sends to Android phones through Firebase Cloud Messaging, HTTP v1
 * (https://firebase.google.com/docs/reference/fcm/rest/v1/projects.messages).
 */
export function createFcm(
  config: FcmConfig,
  { client, clock }: { client: PushClient; clock: () => number },
): PushProvider {
  /** The token in use, or the request for it, which all messages share. */
  let current: { access: Promise<Access>; renewAt: number } | null = null;

  async function requestToken(now: number): Promise<Access> {
    const key = await importPKCS8(config.privateKey, "RS256");
    const assertion = await new SignJWT({ scope: SCOPE })
      .setProtectedHeader({ alg: "RS256" })
      .setIssuer(config.clientEmail)
      .setAudience(config.tokenUrl)
      .setIssuedAt(Math.floor(now / SECOND_MS))
      .setExpirationTime(Math.floor((now + HOUR_MS) / SECOND_MS))
      .sign(key);
    const reply = await client.post(config.tokenUrl, {
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ grant_type: GRANT, assertion }),
    });
    const granted = tokenSchema.safeParse(reply?.body).data;
    if (reply?.status !== 200 || granted === undefined) {
      return failureOf(reply, "service_account_rejected");
    }
    const expires = now + granted.expires_in * SECOND_MS;
    return { ok: true, token: granted.access_token, expires };
  }

  function currentToken() {
    const now = clock();
    if (current !== null && now < current.renewAt) return current;
    const requested = current = { access: requestToken(now), renewAt: Infinity };
    requested.access.then(
      (granted) => requested.renewAt = granted.ok ? granted.expires - EARLY_MS : 0,
      () => requested.renewAt = 0,
    );
    return requested;
  }

  return {
    async send(target, message) {
      if (target.platform !== "android") return { ok: false, error: "platform", action: "give_up" };
      const used = currentToken();
      const granted = await used.access;
      if (!granted.ok) return granted;
      const url = `${config.apiBase}/v1/projects/${config.projectId}/messages:send`;
      const reply = await client.post(url, {
        headers: {
          "authorization": `Bearer ${granted.token}`,
          "content-type": "application/json",
        },
        body: JSON.stringify({ message: messageOf(target.token, message, clock()) }),
      });
      if (reply?.status === 401) {
        used.renewAt = 0;
        return { ok: false, error: "unauthenticated", action: "retry" };
      }
      return outcomeOf(reply);
    },
  };
}

const messageOf = (token: string, message: PushMessage, now: number) => ({
  token,
  notification: { title: message.text },
  data: { seq: String(message.seq), event: message.event, url: message.url },
  android: {
    collapse_key: message.collapse,
    priority: "HIGH",
    ttl: `${Math.max(0, Math.floor((message.expiresAt - now) / SECOND_MS))}s`,
    notification: { tag: message.collapse },
  },
});

function outcomeOf(reply: PushReply | undefined): PushOutcome {
  if (reply?.status === 200) return { ok: true };
  const { error } = errorSchema.safeParse(reply?.body).data ?? {};
  const details = error?.details ?? [];
  const code = details.find(({ errorCode }) => errorCode !== undefined)?.errorCode ?? error?.status;
  const field = details.flatMap(({ fieldViolations = [] }) => fieldViolations)[0]?.field;
  if (reply?.status === 404 && code === "UNREGISTERED") {
    return { ok: false, error: "unregistered", action: "remove" };
  }
  if (reply?.status === 400 && code === "INVALID_ARGUMENT" && field === "message.token") {
    return { ok: false, error: "invalid_token", action: "remove" };
  }
  return failureOf(reply, code?.toLowerCase().replace(/[^a-z_]/g, "") || "rejected", QUOTA_MS);
}
