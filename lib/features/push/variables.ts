/** The environment variables of push notifications: the keys and accounts for the push services. */
import { createECDH, createPrivateKey } from "node:crypto";
import { z } from "zod";
import { json, list, text } from "../../platform/config/fields.ts";
import { secret } from "../../platform/config/secret_files.ts";
import { defineSettings, type Deployment } from "../../platform/config/settings.ts";
import type { PushStandIn } from "./stand_in.ts";

/** Apple's push service, with a key that signs its tokens. */
export interface ApnsConfig {
  /** Base URLs by the environment of the app that registered a token. */
  hosts: { production: string; sandbox: string };
  /** PKCS #8, PEM. */
  key: string;
  keyId: string;
  teamId: string;
  /** The app's bundle id. */
  topic: string;
}

/** Google's push service, with a service account. */
export interface FcmConfig {
  apiBase: string;
  tokenUrl: string;
  projectId: string;
  clientEmail: string;
  /** PKCS #8, PEM. */
  privateKey: string;
}

/** An application server key (RFC 8292), both parts in base64url. */
interface VapidKey {
  publicKey: string;
  privateKey: string;
}

export interface WebPushConfig {
  /** Browsers subscribe with the first key. Earlier ones still send to older subscriptions. */
  keys: readonly VapidKey[];
  /** The contact for push services: a `mailto:` or `https:` URL. */
  subject: string;
}

/** The push services. Each one is optional. */
export interface PushConfig {
  apns?: ApnsConfig;
  fcm?: FcmConfig;
  web?: WebPushConfig;
  /** The stand-in for the services that are not configured, in development. */
  standIn?: PushStandIn;
}

const isP256 = (pem: string): boolean => {
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyType === "ec" && key.asymmetricKeyDetails?.namedCurve === "prime256v1";
  } catch {
    return false;
  }
};

/** Returns an RSA key as PKCS #8, or null if the text is not one. */
function rsaKey(pem: string): string | null {
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyType === "rsa"
      ? String(key.export({ type: "pkcs8", format: "pem" }))
      : null;
  } catch {
    return null;
  }
}

const APNS_KEY = "the content of the .p8 file, with line breaks as \\n or left out";

/** Restores the line breaks of a PEM file that was made one line. */
const pem = (value: string): string => {
  const body = value.replace(/-----(BEGIN|END) PRIVATE KEY-----/g, "").replace(/\\n|\s/g, "");
  return `-----BEGIN PRIVATE KEY-----\n${
    body.match(/.{1,64}/g)?.join("\n") ?? ""
  }\n-----END PRIVATE KEY-----\n`;
};

const SERVICE_ACCOUNT = "the JSON key file of a service account, on one line";
const serviceAccount = json(SERVICE_ACCOUNT).pipe(
  z.object({
    project_id: z.string().regex(/^[a-z0-9-]{1,64}$/),
    client_email: z.email(),
    private_key: z.string().transform(rsaKey).pipe(z.string()),
  }, SERVICE_ACCOUNT),
);

const VAPID_KEY = "a private key of 43 base64url characters, or several, separated by commas";

function vapidKey(privateKey: string): VapidKey {
  const ecdh = createECDH("prime256v1");
  ecdh.setPrivateKey(privateKey, "base64url");
  return { privateKey, publicKey: ecdh.getPublicKey().toString("base64url") };
}

const vapidKeys = list.pipe(
  z.array(z.string().regex(/^[\w-]{43}$/, VAPID_KEY)).max(5, VAPID_KEY),
).transform((values, ctx) => {
  try {
    return values.map(vapidKey);
  } catch {
    ctx.addIssue({ code: "custom", message: VAPID_KEY });
    return z.NEVER;
  }
});

/** Returns whether a VAPID subject is one that Apple accepts, by its host. */
function isReachable(subject: string): boolean {
  const address = /^mailto:[^\s@]+@([^\s@]+)$/.exec(subject);
  const host = address?.[1].toLowerCase() ??
    (subject.startsWith("https://") ? URL.parse(subject)?.hostname : undefined);
  return host !== undefined && !/(^|\.)(localhost|invalid)$/.test(host);
}

const variables = {
  PUSH_APNS_KEY: secret(text.transform(pem).refine(isP256, APNS_KEY).optional()),
  PUSH_APNS_KEY_ID: text.regex(/^[A-Z0-9]{10}$/, "the key's 10 letters and digits").optional(),
  PUSH_APNS_TEAM_ID: text.regex(/^[A-Z0-9]{10}$/, "the team's 10 letters and digits").optional(),
  PUSH_APNS_TOPIC: text.regex(/^[\w.-]{1,155}$/, "the app's bundle id").optional(),
  PUSH_FCM_SERVICE_ACCOUNT: secret(serviceAccount.optional()),
  PUSH_VAPID_KEY: secret(vapidKeys.default([])),
  PUSH_VAPID_SUBJECT: text.refine(isReachable, "a mailto: or https: URL that people can reach")
    .optional(),
  RECORD_APP: z.enum(["on", "off"], "on or off").default("on"),
};

type Values = z.output<z.ZodObject<typeof variables>>;

const APNS_VARIABLES = [
  "PUSH_APNS_KEY",
  "PUSH_APNS_KEY_ID",
  "PUSH_APNS_TEAM_ID",
  "PUSH_APNS_TOPIC",
] as const;

/** The part of the configuration that belongs to push. */
interface PushPart {
  push: PushConfig;
  /** True if `/my-record` is a web app with notifications and an offline page. */
  recordApp: boolean;
}

function pushConfig(values: Values): PushConfig {
  const { PUSH_APNS_KEY: key, PUSH_FCM_SERVICE_ACCOUNT: account, PUSH_VAPID_KEY: keys } = values;
  return {
    apns: key === undefined ? undefined : {
      hosts: {
        production: "https://api.push.apple.com",
        sandbox: "https://api.sandbox.push.apple.com",
      },
      key,
      keyId: values.PUSH_APNS_KEY_ID ?? "",
      teamId: values.PUSH_APNS_TEAM_ID ?? "",
      topic: values.PUSH_APNS_TOPIC ?? "",
    },
    fcm: account && {
      apiBase: "https://fcm.googleapis.com",
      tokenUrl: "https://oauth2.googleapis.com/token",
      projectId: account.project_id,
      clientEmail: account.client_email,
      privateKey: account.private_key,
    },
    web: keys.length === 0 ? undefined : { keys, subject: values.PUSH_VAPID_SUBJECT ?? "" },
  };
}

function pushProblems(values: Values): string[] {
  const lines: string[] = [];
  if (APNS_VARIABLES.some((variable) => values[variable] !== undefined)) {
    for (const variable of APNS_VARIABLES) {
      if (values[variable] !== undefined) continue;
      lines.push(`${variable}: should be set, because the other settings of APNs are`);
    }
  }
  if (values.PUSH_VAPID_KEY.length > 0 && values.PUSH_VAPID_SUBJECT === undefined) {
    lines.push("PUSH_VAPID_SUBJECT: should be set, because PUSH_VAPID_KEY is");
  }
  return lines;
}

function pushOff(
  { push: { apns, fcm, web }, surfaceHosts, env }: PushPart & Deployment,
): string[] {
  if (surfaceHosts.trust === undefined) return [];
  const services = [
    { to: "iPhones", variable: "PUSH_APNS_KEY", service: apns },
    { to: "Android phones", variable: "PUSH_FCM_SERVICE_ACCOUNT", service: fcm },
    { to: "browsers", variable: "PUSH_VAPID_KEY", service: web },
  ];
  const instead = env === "development" ? "; a stand-in shows them at /dev/push" : "";
  return services.filter(({ service }) => service === undefined)
    .map(({ to, variable }) => `notifications on ${to}: ${variable} is not set${instead}`);
}

export const pushSettings = defineSettings({
  variables,
  config: (values): PushPart => ({
    push: pushConfig(values),
    recordApp: values.RECORD_APP === "on",
  }),
  problems: pushProblems,
  off: pushOff,
});
