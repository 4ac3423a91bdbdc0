/** The subscription of a browser to notifications, which pages and the worker keep in step with the site. */
import { encodeBase64Url } from "../../../base/encoding.ts";
import type { AppStorage } from "./saved.ts";

/**
 * The state of a record's notifications in a browser. `elsewhere`: it receives those of another
 * record; `denied`: the person or the browser does not allow notifications from this site.
 */
export type BrowserPushState = "on" | "off" | "elsewhere" | "denied";

/** A device as `POST /api/push/subscribe` returns it. */
interface SentDevice {
  id: string;
  [column: string]: unknown;
}

export interface BrowserPushResult {
  state: BrowserPushState;
  /** The device, after it was registered. */
  device?: SentDevice;
  /** The id of the device that is no longer registered. */
  removed?: string;
  /** The reason for a failure, for people. */
  problem?: string;
}

/** The browser's functions. */
export interface PushBrowser {
  permission(): NotificationPermission;
  /** Shows the browser's question. Only for use after a click. */
  requestPermission(): Promise<NotificationPermission>;
  pushManager(): Promise<
    Pick<PushManager, "getSubscription" | "subscribe">
  >;
  fetch: typeof fetch;
  storage: Pick<AppStorage, "read" | "write" | "remove">;
}

export interface BrowserPush {
  /**
   * Compares the browser's subscription with what the site knows, and subscribes again without a
   * question if it was lost or its key was replaced.
   *
   * @param devices the ids of the record's devices
   */
  compare(devices: readonly string[]): Promise<BrowserPushResult>;
  turnOn(): Promise<BrowserPushResult>;
  turnOff(): Promise<BrowserPushResult>;
}

const SUBSCRIBE_PATH = "/api/push/subscribe";
const UNREACHABLE = "The site could not be reached. Try again later.";
const REFUSED = "The browser could not subscribe to its push service. Try again later.";
const LOST = "This browser stopped receiving notifications. Turn them on again.";

/**
 * Creates the functions with which a page turns notifications in this browser on and off.
 *
 * @param options the open record's hash, and the site's current VAPID public key
 */
export function createBrowserPush(
  { permission, requestPermission, pushManager, fetch, storage }: PushBrowser,
  { hash, vapid }: { hash: string; vapid: string },
): BrowserPush {
  /** Registers a subscription, and removes the one that it replaces. */
  async function register(subscription: PushSubscription): Promise<BrowserPushResult> {
    const { endpoint } = subscription;
    const sent = await sendSubscription(fetch, subscription, { hash });
    if (!sent.ok) return { state: "off", problem: sent.message };
    const before = await storage.read("subscription");
    await storage.write("subscription", { hash, endpoint });
    if (before?.hash !== hash || before.endpoint === endpoint) {
      return { state: "on", device: sent.device };
    }
    await removeSubscription(fetch, before.endpoint);
    return { state: "on", device: sent.device, removed: await deviceIdOf(before.endpoint) };
  }

  /** Subscribes with the current key, instead of an earlier one, and registers it. */
  async function subscribe(): Promise<BrowserPushResult> {
    const manager = await pushManager();
    let subscription = await manager.getSubscription();
    if (subscription !== null && keyOf(subscription) !== vapid) {
      await subscription.unsubscribe();
      subscription = null;
    }
    try {
      subscription ??= await manager.subscribe({
        userVisibleOnly: true,
        applicationServerKey: vapid,
      });
    } catch {
      return permission() === "denied" ? { state: "denied" } : { state: "off", problem: REFUSED };
    }
    return await register(subscription);
  }

  return {
    async compare(devices) {
      if (permission() === "denied") return { state: "denied" };
      const [subscription, saved] = await Promise.all([
        pushManager().then((manager) => manager.getSubscription()),
        storage.read("subscription"),
      ]);
      const isKnown = subscription !== null &&
        devices.includes(await deviceIdOf(subscription.endpoint));
      if (saved?.hash !== hash && !isKnown) {
        return { state: saved !== null && subscription !== null ? "elsewhere" : "off" };
      }
      if (subscription === null) {
        if (permission() !== "granted") return { state: "off", problem: LOST };
        const result = await subscribe();
        return result.state === "off" ? { ...result, problem: LOST } : result;
      }
      // The site may have removed the device together with the earlier key.
      if (keyOf(subscription) !== vapid) return await subscribe();
      if (!isKnown && saved?.endpoint === subscription.endpoint) {
        // The holder has removed the device from the list.
        await Promise.all([subscription.unsubscribe(), storage.remove("subscription")]);
        return { state: "off" };
      }
      const result = await register(subscription);
      return isKnown && result.state === "off" ? { state: "on" } : result;
    },
    async turnOn() {
      const answer = permission() === "granted" ? "granted" : await requestPermission();
      if (answer !== "granted") return { state: answer === "denied" ? "denied" : "off" };
      return await subscribe();
    },
    async turnOff() {
      const subscription = await (await pushManager()).getSubscription();
      await storage.remove("subscription");
      if (subscription === null) return { state: "off" };
      const { endpoint } = subscription;
      // If the site is unreachable, it removes the device when the push service rejects a message.
      await subscription.unsubscribe();
      await removeSubscription(fetch, endpoint);
      return { state: "off", removed: await deviceIdOf(endpoint) };
    },
  };
}

/** Returns the key that a subscription was made with, in base64url. */
function keyOf({ options }: PushSubscription): string | null {
  const key = options.applicationServerKey;
  return key && encodeBase64Url(key);
}

/** Returns the id of the device that the site stores for an endpoint. */
async function deviceIdOf(endpoint: string): Promise<string> {
  const bytes = new TextEncoder().encode(`web\n${endpoint}`);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const send = (fetch: PushBrowser["fetch"], method: "POST" | "DELETE", body: unknown) =>
  fetch(SUBSCRIBE_PATH, {
    method,
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify(body),
  });

/**
 * Registers a subscription for the open record.
 *
 * @param expected the record that must be open
 */
export async function sendSubscription(
  fetch: PushBrowser["fetch"],
  subscription: PushSubscription,
  expected: { hash: string },
): Promise<{ ok: true; device: SentDevice } | { ok: false; message: string }> {
  const { endpoint, keys } = subscription.toJSON();
  const body = { endpoint, keys, vapid: keyOf(subscription), record: expected.hash };
  try {
    const response = await send(fetch, "POST", body);
    const json = await response.json();
    if (response.ok) return { ok: true, device: json.device };
    return { ok: false, message: json.message ?? UNREACHABLE };
  } catch {
    return { ok: false, message: UNREACHABLE };
  }
}

/** Removes a subscription from the open record. A failure is harmless: its push service reports it. */
export async function removeSubscription(
  fetch: PushBrowser["fetch"],
  endpoint: string,
): Promise<void> {
  await send(fetch, "DELETE", { endpoint }).catch(() => {});
}
