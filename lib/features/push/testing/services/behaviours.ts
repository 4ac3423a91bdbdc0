/** The faults that the stand-ins for push services simulate, chosen by the beginning of a device's token. */
import { setTimeout } from "node:timers/promises";
import { encodeHex } from "@std/encoding/hex";
import type { StandInPhone } from "../../stand_in.ts";

/** The stand-in's behaviour for every message to a device. */
export type PushBehaviour =
  | "accept"
  | "gone"
  | "bad"
  | "busy"
  | "error"
  | "unavailable"
  | "slow"
  | "silent"
  | "goaway";

/** The beginnings of tokens, in hexadecimal for APNs, and what they do. */
const BEHAVIOURS: { is: PushBehaviour; hex: string; text: string }[] = [
  { is: "accept", hex: "", text: "Delivered." },
  { is: "gone", hex: "a410", text: "The app was removed, and the token is no longer valid." },
  { is: "bad", hex: "a400", text: "The token is rejected." },
  { is: "busy", hex: "a429", text: "Too many requests." },
  { is: "error", hex: "a500", text: "The service fails." },
  { is: "unavailable", hex: "a503", text: "The service is unavailable, and says for how long." },
  { is: "slow", hex: "a504", text: "Delivered, but the response takes 20 seconds." },
  { is: "silent", hex: "a000", text: "The connection dies without a response." },
  { is: "goaway", hex: "a90a", text: "Delivered, and then the service closes its connections." },
];

/** Returns what happens to messages to a device. */
export const behaviourOf = (device: string): PushBehaviour =>
  BEHAVIOURS.find(({ is, hex }) =>
    device.startsWith(`${is}-`) || hex !== "" && device.startsWith(hex)
  )?.is ?? "accept";

/** Returns a phone for each platform and behaviour, with a new token. */
export function newPhones(): StandInPhone[] {
  const random = () => encodeHex(crypto.getRandomValues(new Uint8Array(32)));
  return BEHAVIOURS.flatMap(({ is, hex, text }) => [
    { platform: "ios", token: hex + `0${random()}`.slice(0, 64 - hex.length), behaviour: text },
    {
      platform: "android",
      token: `${is}-${random()}:APA91b${random()}${random()}`,
      behaviour: text,
    },
  ]);
}

/**
 * Waits as the slow and silent behaviours do.
 *
 * @returns false if there is no response at all
 */
export async function wait(behaviour: PushBehaviour, signal: AbortSignal): Promise<boolean> {
  const ms = { slow: 20_000, silent: 24 * 60 * 60_000 }[behaviour as string];
  if (ms === undefined) return true;
  return await setTimeout(ms, true, { signal }).catch(() => false);
}
