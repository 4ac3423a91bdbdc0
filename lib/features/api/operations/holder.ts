/** Descriptions of the operations for holders: the access log and devices for notifications. */
import { logFeedSchema, logQuerySchema } from "../../records/mod.ts";
import {
  deviceSchema,
  endpointSchema,
  MAX_DEVICES,
  PUSH_BODY_LIMIT,
  registeredDeviceSchema,
  subscriptionSchema,
} from "../../push/mod.ts";
import { readFeedQuery } from "../../../platform/http/feed.ts";
import { HASH } from "../examples.ts";
import {
  CLOSED,
  invalid,
  limited,
  NO_SESSION,
  NOT_MODIFIED,
  type Operation,
  successSchema,
} from "../operation.ts";

const TOKEN = "740f4707bebcf74f9b7c25d48e3358945f6aa01da5ddb387462c7eaf61bb78ad";
const ENDPOINT = "https://fcm.googleapis.com/fcm/send/c1KrmpTuRm4";
const DEVICE = {
  id: "5d0f4a6f1c0e7b7a0e1f5b1d4d3a9f0c2b8e6a7d9c3f5e1a4b6d8c0f2e4a6b8d",
  created_at: "2026-03-01T09:30:00.000Z",
  last_seen: "2026-03-01T09:30:00.000Z",
  failing: false,
};

const REGISTRATION_ERRORS = (what: string): Operation["errors"] => ({
  400: invalid(`The ${what} is malformed.`),
  401: NO_SESSION,
  403: CLOSED,
  409: {
    codes: ["too_many_devices"],
    description: `The record has ${MAX_DEVICES} devices.`,
  },
  503: {
    codes: ["unavailable"],
    description: "This deployment does not send notifications to this kind of device.",
    optionalHeaders: ["Retry-After"],
  },
});

const REMOVAL_ERRORS = (what: string): Operation["errors"] => ({
  400: invalid(`The ${what} is malformed.`),
  401: NO_SESSION,
  403: CLOSED,
});

/** The errors of operations that also accept the token of an app. */
const APP_ERRORS: Operation["errors"] = {
  401: {
    codes: ["unauthenticated", "invalid_token"],
    description: "There is no session with an open record, or the bearer token is not valid here.",
    headers: ["WWW-Authenticate"],
  },
  403: {
    codes: [...CLOSED.codes, "insufficient_scope"],
    description: `${CLOSED.description} Or the bearer token is not for notifications.`,
    optionalHeaders: ["WWW-Authenticate"],
  },
  429: limited("The tokens of this record were used too often within a minute."),
};

const removed = (what: string) => ({
  200: { description: `The ${what} is not registered any more.`, schema: successSchema },
});

export const readAccessLog = {
  id: "readAccessLog",
  group: "Holder",
  method: "get",
  path: "/my-record/log",
  surfaces: ["trust"],
  summary: "Read or follow the access log",
  description: "Returns who used the record, in ascending order of time. The feed has the same " +
    "shape as a chain's, with the ids of the entries as cursors. For " +
    "`Accept: text/event-stream`, it sends new entries until the session ends.",
  holder: "open",
  hasPage: true,
  query: logQuerySchema,
  readQuery: readFeedQuery,
  requestHeaders: ["If-None-Match", "Last-Event-ID"],
  responses: {
    200: {
      description: "A page of the log.",
      schema: logFeedSchema,
      optionalHeaders: ["ETag", "Link"],
    },
    304: NOT_MODIFIED,
  },
  stream: `retry: 3000
id: 2026-03-01T09:34:12.000Z~00000001-4c1f-4ed4-93b1-0f6f8a1b2c3d

id: 2026-03-02T10:00:00.000Z~00000002-5b2e-4aa7-8a51-1e2d3c4b5a69
data: {"id":"2026-03-02T10:00:00.000Z~00000002-5b2e-4aa7-8a51-1e2d3c4b5a69","what":"record_verified", …}

`,
  errors: {
    400: invalid("A parameter is invalid, unknown or repeated."),
    401: NO_SESSION,
    403: CLOSED,
    409: { codes: ["log_rewritten"], description: "Your position is newer than the log." },
    429: limited("This client has too many open streams."),
  },
  example: {
    query: { limit: "1" },
    response: {
      hash: HASH,
      events: [{
        id: "2026-03-01T09:34:12.000Z~00000001-4c1f-4ed4-93b1-0f6f8a1b2c3d",
        at: "2026-03-01T09:34:12.000Z",
        what: "signed_in",
        detail: "with a passkey",
        network: "203.0.113.0/24",
        browser: "Firefox on Linux",
      }],
      has_more: true,
    },
  },
} satisfies Operation;

export const registerDevice = {
  id: "registerDevice",
  group: "Push",
  method: "post",
  path: "/api/push/register",
  surfaces: ["trust"],
  summary: "Register a phone",
  description:
    `Registers a phone for the notifications of the open record, at most ${MAX_DEVICES} per ` +
    "record. Repeat it at each start of the app. A token belongs to the record that registered " +
    "it last. It is removed on sign-out, or when the app's connection ends.",
  properties: { audience: "both" },
  holder: "open",
  appScope: "notifications",
  body: deviceSchema,
  bodyLimit: PUSH_BODY_LIMIT,
  responses: {
    200: { description: "It was registered already.", schema: registeredDeviceSchema },
    201: { description: "The phone is registered.", schema: registeredDeviceSchema },
  },
  errors: { ...REGISTRATION_ERRORS("token"), ...APP_ERRORS },
  example: {
    body: { platform: "ios", token: TOKEN, environment: "production" },
    status: 201,
    response: { device: { ...DEVICE, platform: "ios", name: "iPhone or iPad" } },
  },
} satisfies Operation;

export const removeDevice = {
  id: "removeDevice",
  group: "Push",
  method: "delete",
  path: "/api/push/register",
  surfaces: ["trust"],
  summary: "Remove a phone",
  description: "Ends the notifications of the open record on a phone.",
  properties: { audience: "both" },
  holder: "open",
  appScope: "notifications",
  body: deviceSchema,
  bodyLimit: PUSH_BODY_LIMIT,
  responses: removed("phone"),
  errors: { ...REMOVAL_ERRORS("token"), ...APP_ERRORS },
  example: { body: { platform: "ios", token: TOKEN }, response: { success: true } },
} satisfies Operation;

export const subscribeBrowser = {
  id: "subscribeBrowser",
  group: "Push",
  method: "post",
  path: "/api/push/subscribe",
  surfaces: ["trust"],
  summary: "Subscribe a browser",
  description: "Subscribes a browser to the notifications of the open record: its " +
    "`PushSubscription` as JSON, and the VAPID key that it subscribed with.",
  properties: { audience: "both" },
  holder: "open",
  body: subscriptionSchema,
  undocumented: ["record"],
  bodyLimit: PUSH_BODY_LIMIT,
  responses: {
    200: { description: "It was subscribed already.", schema: registeredDeviceSchema },
    201: { description: "The browser is subscribed.", schema: registeredDeviceSchema },
  },
  errors: REGISTRATION_ERRORS("subscription"),
  example: {
    body: {
      endpoint: ENDPOINT,
      keys: {
        p256dh:
          "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        auth: "BTBZMqHH6r4Tts7J_aSIgg",
      },
      vapid:
        "BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs",
    },
    status: 201,
    response: { device: { ...DEVICE, platform: "web", name: "Firefox on Linux" } },
  },
} satisfies Operation;

export const unsubscribeBrowser = {
  id: "unsubscribeBrowser",
  group: "Push",
  method: "delete",
  path: "/api/push/subscribe",
  surfaces: ["trust"],
  summary: "Unsubscribe a browser",
  description: "Ends the notifications of the open record in a browser.",
  properties: { audience: "both" },
  holder: "open",
  body: endpointSchema,
  bodyLimit: PUSH_BODY_LIMIT,
  responses: removed("browser"),
  errors: REMOVAL_ERRORS("endpoint"),
  example: { body: { endpoint: ENDPOINT }, response: { success: true } },
} satisfies Operation;

export const HOLDER_OPERATIONS: readonly Operation[] = [
  readAccessLog,
  registerDevice,
  removeDevice,
  subscribeBrowser,
  unsubscribeBrowser,
];
