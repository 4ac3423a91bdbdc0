/** A request to the stand-in for the push services. */
export interface StandInPush {
  /** ISO 8601. */
  at: string;
  service: "APNs" | "FCM" | "Web Push";
  /** The device's token or subscription. */
  device: string;
  /** The text of the notification; null if the request was rejected before it was read. */
  text: string | null;
  /** The event's position in its chain. */
  seq: number | null;
  /** The response, such as `201`, or `410 Unregistered`. */
  response: string;
  /** True if a later notification with the same collapse key has replaced it. */
  replaced: boolean;
}

/** A token of a phone that the stand-in can reach. */
export interface StandInPhone {
  platform: "ios" | "android";
  token: string;
  /** How it handles notifications. */
  behaviour: string;
}

/** Everything that `/dev/push` shows. */
export interface PushInboxView {
  /** The newest first. */
  pushes: StandInPush[];
  /** True if every request gets 503. */
  outage: boolean;
  phones: StandInPhone[];
}

/** The stand-in's inbox, in development. */
export interface PushInbox {
  view(): Promise<PushInboxView>;
  setOutage(on: boolean): Promise<void>;
}

/** Connects to the stand-in's own API. */
export function createPushInbox(url: string, fetch: typeof globalThis.fetch): PushInbox {
  return {
    view: async () => await (await fetch(url)).json(),
    async setOutage(on) {
      const response = await fetch(`${url}/outage/${on ? "on" : "off"}`, { method: "POST" });
      await response.body?.cancel();
    },
  };
}
