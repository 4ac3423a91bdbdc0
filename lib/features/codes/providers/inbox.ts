/** Reads the messages and calls of the development phone, and presses keys in them, at `/dev/phone`. */
import type { Channel } from "../provider.ts";

/** A message or call at the stand-in. */
export interface InboxEntry {
  id: string;
  /** ISO 8601. */
  at: string;
  to: string;
  channel: Channel;
  /** The text of an SMS; null for a call. */
  body: string | null;
  /** The words that a call has said so far, and the keys that were pressed. */
  transcript: string[];
  status: string;
  /** True if the call waits for a key. */
  waiting: boolean;
  /** The callbacks to the site, such as `delivered: 204`. */
  callbacks: string[];
}

/** Everything that `/dev/phone` shows. */
export interface InboxView {
  /** The messages, newest first. */
  entries: InboxEntry[];
  /** True if every request gets 503. */
  outage: boolean;
  numbers: { number: string; behaviour: string }[];
}

/** The stand-in's phone, in development. */
export type PhoneInbox = ReturnType<typeof createPhoneInbox>;

/** Connects to the stand-in's own API. */
export function createPhoneInbox(
  { baseUrl, fetch }: { baseUrl: string; fetch: typeof globalThis.fetch },
) {
  const call = async (path: string) => {
    const response = await fetch(baseUrl + path, { method: "POST" });
    await response.body?.cancel();
    return response.ok;
  };
  return {
    view: async (): Promise<InboxView> => await (await fetch(`${baseUrl}/inbox`)).json(),
    /** Presses a key in a call, or lets it end without one. Returns false if the call does not wait for a key. */
    answer: (id: string, action: "press" | "ignore") =>
      call(`/inbox/calls/${encodeURIComponent(id)}/${action}`),
    async setOutage(on: boolean): Promise<void> {
      await call(`/inbox/outage/${on ? "on" : "off"}`);
    },
  };
}
