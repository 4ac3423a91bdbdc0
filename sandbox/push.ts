/** The stand-in for Apple's and Google's push services, and a key for Web Push in development. */
import { createECDH } from "node:crypto";
import { encodeHex } from "@std/encoding/hex";
import { SECOND_MS } from "../lib/base/time.ts";
import type { PushOutcome, PushProvider } from "../lib/features/push/provider.ts";
import type { PushStandIn, StandInPhone, StandInPush } from "../lib/features/push/stand_in.ts";
import type { WebPushConfig } from "../lib/features/push/variables.ts";

const MAX_PUSHES = 200;

const OUTAGE: PushOutcome = { ok: false, error: "unavailable", action: "retry" };

/** The beginnings of tokens, in hexadecimal for APNs, and what happens to their messages. */
const BEHAVIOURS: { name: string; hex: string; text: string; outcome: PushOutcome }[] = [
  { name: "accept", hex: "", text: "Delivered.", outcome: { ok: true } },
  {
    name: "gone",
    hex: "a410",
    text: "The app was removed, and the token is no longer valid.",
    outcome: { ok: false, error: "unregistered", action: "remove" },
  },
  {
    name: "bad",
    hex: "a400",
    text: "The token is rejected.",
    outcome: { ok: false, error: "bad_device_token", action: "give_up" },
  },
  {
    name: "busy",
    hex: "a429",
    text: "Too many requests.",
    outcome: { ok: false, error: "rate_limited", action: "retry" },
  },
  { name: "error", hex: "a500", text: "The service fails.", outcome: OUTAGE },
  {
    name: "unavailable",
    hex: "a503",
    text: "The service is unavailable, and says for how long.",
    outcome: { ...OUTAGE, afterMs: 30 * SECOND_MS },
  },
  {
    name: "silent",
    hex: "a000",
    text: "The connection dies without a response.",
    outcome: { ok: false, error: "unreachable", action: "retry" },
  },
];

/** Creates the stand-in for APNs and FCM. It keeps the latest notifications in memory. */
export function createPushStandIn(clock: () => number = Date.now): PushStandIn {
  const pushes: (StandInPush & { collapse: string })[] = [];
  const inbox = { pushes, phones: newPhones(), outage: false };

  const provider: PushProvider = {
    send(target, { text, seq, collapse }) {
      const device = "token" in target ? target.token : "";
      const outcome = inbox.outage ? OUTAGE : outcomeFor(device);
      if (outcome.ok) {
        const earlier = pushes.find((push) =>
          push.device === device && push.collapse === collapse && push.text !== null
        );
        if (earlier !== undefined) earlier.replaced = true;
      }
      pushes.unshift({
        at: new Date(clock()).toISOString(),
        service: target.platform === "ios" ? "APNs" : "FCM",
        device,
        text: outcome.ok ? text : null,
        seq: outcome.ok ? seq : null,
        response: outcome.ok ? "delivered" : outcome.error,
        replaced: false,
        collapse,
      });
      pushes.splice(MAX_PUSHES);
      return Promise.resolve(outcome);
    },
  };
  return { inbox, providers: { ios: provider, android: provider } };
}

const outcomeFor = (device: string): PushOutcome =>
  BEHAVIOURS.find(({ name, hex }) =>
    device.startsWith(`${name}-`) || hex !== "" && device.startsWith(hex)
  )?.outcome ?? { ok: true };

/** Returns a phone for each platform and behaviour, with a new token. */
function newPhones(): StandInPhone[] {
  const random = () => encodeHex(crypto.getRandomValues(new Uint8Array(32)));
  return BEHAVIOURS.flatMap(({ name, hex, text }) => [
    { platform: "ios", token: hex + `0${random()}`.slice(0, 64 - hex.length), behaviour: text },
    { platform: "android", token: `${name}-${random()}:APA91b${random()}`, behaviour: text },
  ]);
}

/** Returns the settings of Web Push with a new key, so that browsers can subscribe in development. */
export function newWebPush(): WebPushConfig {
  const ecdh = createECDH("prime256v1");
  const key = {
    publicKey: ecdh.generateKeys("base64url"),
    privateKey: ecdh.getPrivateKey().toString("base64url").padStart(43, "A"),
  };
  return { keys: [key], subject: "mailto:push@gatehouse.example" };
}
