/** Push notifications to browsers: encrypted requests to the service of each browser, and its errors. */
import type { WebPushConfig } from "../variables.ts";
import { SECOND_MS } from "../../../base/time.ts";
import type { PushProvider } from "../provider.ts";
import { failureOf, type PushClient } from "./request.ts";

/**
 * Sends to browsers with Web Push (RFC 8030, 8188, 8291, 8292). The payload is also a declarative
 * push message (https://www.w3.org/TR/push-api/#declarative-push-message), which Safari shows without
 * running the service worker.
 */
export function createWebPush(
  { keys, subject }: WebPushConfig,
  { client, clock }: { client: PushClient; clock: () => number },
): PushProvider {
  return {
    async send(target, message) {
      if (target.platform !== "web") return { ok: false, error: "platform", action: "give_up" };
      const key = keys.find(({ publicKey }) => publicKey === target.vapid);
      // The browser subscribes again with the current key on its next visit.
      if (key === undefined) return { ok: false, error: "vapid_key_removed", action: "remove" };
      const { endpoint, p256dh, auth } = target;
      const payload = JSON.stringify({
        web_push: 8030,
        notification: { title: message.text, navigate: message.url, tag: message.collapse },
        seq: message.seq,
        event: message.event,
      });
      const { default: webPush } = await import("web-push"); // loads slowly
      const { headers, body } = webPush.generateRequestDetails(
        { endpoint, keys: { p256dh, auth } },
        payload,
        {
          vapidDetails: { subject, ...key },
          contentEncoding: "aes128gcm",
          TTL: Math.max(0, Math.floor((message.expiresAt - clock()) / SECOND_MS)),
          urgency: "high",
          topic: message.collapse,
          headers: { "Content-Type": "application/notification+json" },
        },
      );
      delete headers["Content-Length"];
      const reply = await client.post(endpoint, { headers, body: new Uint8Array(body) });
      if (reply !== undefined && reply.status >= 200 && reply.status < 300) return { ok: true };
      if (reply?.status === 404 || reply?.status === 410) {
        return { ok: false, error: "unsubscribed", action: "remove" };
      }
      return failureOf(reply, reasonOf(reply?.body) ?? `status_${reply?.status}`);
    },
  };
}

/** Returns the reason of Apple's push service, such as `BadJwtToken`. */
function reasonOf(body: unknown): string | undefined {
  const { reason } = Object(body);
  return typeof reason === "string" && /^\w{1,60}$/.test(reason) ? reason : undefined;
}
