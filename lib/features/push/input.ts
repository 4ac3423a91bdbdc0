/** The schemas of what devices and forms send about push notifications. */
import { ECDH } from "node:crypto";
import { z } from "zod";
import { seqSchema } from "../chain/mod.ts";
import { decodeBase64Url } from "../../base/encoding.ts";
import { PUSH_KINDS } from "./events.ts";
import type { PushTarget } from "./provider.ts";
import { isTimeZone } from "./quiet_hours.ts";
import type { PushSettings } from "./rows.ts";

/** The largest body of the endpoints that register devices, in bytes. */
export const PUSH_BODY_LIMIT = 8 * 1024;

const APNS_TOKEN = "Send the device token that iOS gave to the app: 64 to 200 hexadecimal digits.";
const FCM_TOKEN = "Send the registration token of Firebase: up to 4,096 printable characters.";

const ios = z.object({
  platform: z.literal("ios"),
  token: z.string(APNS_TOKEN).max(200, APNS_TOKEN)
    .regex(/^([0-9A-Fa-f]{2}){32,100}$/, APNS_TOKEN)
    .transform((token) => token.toLowerCase())
    .describe("The device token that iOS gave to the app, in hexadecimal digits."),
  environment: z.enum(["sandbox", "production"], "Send sandbox or production.")
    .default("production").describe("`sandbox` for builds that Xcode installs."),
}).meta({ id: "IosDevice" });
const android = z.object({
  platform: z.literal("android"),
  token: z.string(FCM_TOKEN).max(4096, FCM_TOKEN).regex(/^[\x21-\x7e]+$/, FCM_TOKEN)
    .describe("The registration token of Firebase."),
}).meta({ id: "AndroidDevice" });

/** The body of `POST` and `DELETE /api/push/register`. */
export const deviceSchema = z.discriminatedUnion(
  "platform",
  [ios, android],
  "Send ios or android as the platform.",
);

/** Returns whether base64url text is an uncompressed point of P-256, of 65 bytes. */
function isPoint(text: string): boolean {
  try {
    const bytes = decodeBase64Url(text);
    if (bytes.length !== 65 || bytes[0] !== 4) return false;
    ECDH.convertKey(bytes, "prime256v1"); // throws unless it is on the curve
    return true;
  } catch {
    return false;
  }
}

function isSecret(text: string): boolean {
  try {
    return decodeBase64Url(text).length === 16;
  } catch {
    return false;
  }
}

const key = (length: number, isKey: (text: string) => boolean, message: string) =>
  z.string(message).max(length, message).transform((text) => text.replace(/=+$/, ""))
    .refine(isKey, message);

const point = (message: string) => key(88, isPoint, message);

const endpoint = z.string("Send the endpoint of the subscription.")
  .max(2048, "The endpoint of the subscription is too long.")
  .describe("The URL of the subscription at a known push service.");

/** The body of `POST /api/push/subscribe`: the browser's `PushSubscription` as JSON. */
export const subscriptionSchema = z.object({
  endpoint,
  keys: z.object({
    p256dh: point("p256dh must be an uncompressed point of P-256 in base64url."),
    auth: key(24, isSecret, "auth must be 16 bytes in base64url."),
  }, "Send the keys of the subscription: p256dh and auth."),
  vapid: point("Send the VAPID public key that the browser subscribed with."),
  /** The record that a page shows. The session may have opened another one in another tab. */
  record: z.string("Send the hash of a record.").max(64, "Send the hash of a record.").optional(),
}).transform(({ endpoint, keys, vapid, record }) => ({
  target: { platform: "web", endpoint, ...keys, vapid } satisfies PushTarget,
  record,
}));

/** The body of `DELETE /api/push/subscribe`. */
export const endpointSchema = z.object({ endpoint });

const box = z.literal(["1", "on", true]).optional();
const TIME = "Enter a time, such as 22:00.";
const time = z.string(TIME).regex(/^([01]\d|2[0-3]):[0-5]\d$/, TIME);
const ZONE = "Choose a time zone.";

const kinds = Object.fromEntries(PUSH_KINDS.map((kind) => [kind, box])) as Record<
  typeof PUSH_KINDS[number],
  typeof box
>;

/** The form of a holder's choices. Kinds that are not ticked are turned off. */
const choicesSchema = z.object({
  act: z.literal("choose"),
  ...kinds,
  quiet: box,
  from: z.string().max(5).optional(),
  to: z.string().max(5).optional(),
  zone: z.string().max(64).optional(),
}).transform((form, ctx): { act: "choose"; choices: Omit<PushSettings, "devices"> } => {
  const off = PUSH_KINDS.filter((kind) => form[kind] === undefined);
  if (form.quiet === undefined) return { act: "choose", choices: { off, quiet: null } };
  const [from, to] = [time.safeParse(form.from), time.safeParse(form.to)];
  const zone = form.zone ?? "";
  const issue = (path: string, message: string) =>
    ctx.addIssue({ code: "custom", path: [path], message });
  if (!from.success) issue("from", TIME);
  if (!to.success) issue("to", TIME);
  if (from.success && from.data === to.data) {
    issue("to", "Choose a time that differs from the start.");
  }
  if (zone === "" || !isTimeZone(zone)) issue("zone", ZONE);
  if (ctx.issues.length > 0 || !from.success || !to.success) return z.NEVER;
  return { act: "choose", choices: { off, quiet: { from: from.data, to: to.data, zone } } };
});

/** The forms of the page about notifications. */
export const notificationsSchema = z.discriminatedUnion("act", [
  choicesSchema,
  z.object({
    act: z.literal("remove"),
    id: z.string().regex(/^[0-9a-f]{64}$/, "The page has changed. Reload it."),
  }),
  z.object({ act: z.literal("test") }),
]);

/** The body of `POST /api/push/send`. Without `seq` it sends a test. */
export const sendSchema = z.object({
  record: z.string("Send the hash of a record.").max(64, "Send the hash of a record."),
  seq: z.union([z.int().min(0).max(1e15), seqSchema], "Send the seq of an event.").optional(),
  dry_run: z.boolean("Send true or false.").default(false),
});
