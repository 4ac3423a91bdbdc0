/** Messages and calls at the stand-in provider: how they are delivered, answered and reported. */
import type { InboxEntry } from "../lib/features/codes/providers/mod.ts";
import { twilioSignature } from "../lib/features/codes/providers/signature.ts";
import { encodeHex } from "../lib/base/encoding.ts";
import { parseTwiml, play, type Verb } from "./phone_call.ts";
import { behaviourOf } from "./phone_numbers.ts";

/** The messages and calls that the stand-in accepted. */
export interface PhoneMessages {
  /** The newest first, at most 100. */
  list(): InboxEntry[];
  /** Accepts a message and continues it in the background: delivery, or a call until it waits. */
  accept(message: AcceptedMessage): InboxEntry;
  /** Presses a key in a call that waits for one, or lets it end without a key. */
  answer(call: string, action: "press" | "ignore"): Promise<boolean>;
  /** Waits until everything in the background is done. */
  settled(): Promise<void>;
}

interface AcceptedMessage {
  to: string;
  channel: "sms" | "voice";
  /** The text of an SMS; null for a call. */
  body: string | null;
  /** The verbs that a call plays. */
  verbs: Verb[];
  /** The URL for reports of the delivery. */
  callbackUrl?: string;
}

interface PhoneMessagesOptions {
  clock: () => number;
  /** Sends the callbacks. */
  fetch: typeof fetch;
  accountSid: string;
  /** Signs the callbacks. */
  authToken: string;
  /** Aborts callbacks. */
  signal: AbortSignal;
}

interface Message extends InboxEntry {
  callbackUrl?: string;
  /** The URL to call when a key is pressed, and what follows if none is. */
  gather?: { action: string; rest: Verb[] };
}

const MAX_ENTRIES = 100;

/** Twilio's message if it cannot use a response. */
const APPLICATION_ERROR: Verb = {
  name: "Say",
  text: "We are sorry, an application error has occurred. Goodbye.",
};

export function createPhoneMessages(options: PhoneMessagesOptions): PhoneMessages {
  const { clock, fetch, accountSid, authToken, signal } = options;
  const background = new Set<Promise<void>>();
  let messages: Message[] = [];

  /** Sends a signed callback, and returns the response's body. */
  async function callBack(message: Message, url: string, what: string, fields: object) {
    const form = { AccountSid: accountSid, ApiVersion: "2010-04-01", To: message.to, ...fields };
    const headers = { "x-twilio-signature": twilioSignature(authToken, url, form) };
    try {
      const body = new URLSearchParams(form);
      const response = await fetch(url, { method: "POST", headers, body, signal });
      message.callbacks.push(`${what}: ${response.status}`);
      return await response.text();
    } catch {
      message.callbacks.push(`${what}: no response`);
      return "";
    }
  }

  async function report(message: Message, status: string, details: object = {}) {
    message.status = status;
    const { id, channel, callbackUrl } = message;
    if (callbackUrl === undefined) return;
    const fields = channel === "sms"
      ? { MessageSid: id, MessageStatus: status }
      : { CallSid: id, CallStatus: status };
    await callBack(message, callbackUrl, status, { ...fields, ...details });
  }

  async function deliver(message: Message) {
    const behaviour = behaviourOf(message.to);
    await report(message, "sent");
    if (behaviour.is === "undelivered" && behaviour.errorCode !== undefined) {
      await report(message, "undelivered", { ErrorCode: behaviour.errorCode });
    } else await report(message, "delivered");
  }

  async function ring(message: Message, verbs: readonly Verb[]) {
    const behaviour = behaviourOf(message.to);
    if (behaviour.is === "undelivered") return await report(message, behaviour.callStatus);
    message.status = "in-progress";
    await continueCall(message, verbs);
  }

  /** Plays verbs until the call waits for a key or ends. */
  async function continueCall(message: Message, verbs: readonly Verb[]) {
    const { lines, action, rest } = play(verbs);
    message.transcript.push(...lines);
    message.waiting = action !== undefined;
    message.gather = action === undefined ? undefined : { action, rest };
    if (action === undefined) await report(message, "completed");
  }

  return {
    list: () => messages.map(({ callbackUrl: _, gather: __, ...entry }) => entry),
    accept({ verbs, ...details }) {
      const prefix = details.channel === "sms" ? "SM" : "CA";
      const message: Message = {
        ...details,
        id: prefix + encodeHex(crypto.getRandomValues(new Uint8Array(16))),
        at: new Date(clock()).toISOString(),
        transcript: [],
        status: "queued",
        waiting: false,
        callbacks: [],
      };
      messages = [message, ...messages].slice(0, MAX_ENTRIES);
      const accepted = { ...message };
      const done = (message.channel === "sms" ? deliver(message) : ring(message, verbs))
        .finally(() => background.delete(done));
      background.add(done);
      return accepted;
    },
    async answer(call, action) {
      const message = messages.find(({ id }) => id === call);
      const { gather } = message ?? {};
      if (message === undefined || gather === undefined) return false;
      message.gather = undefined;
      message.waiting = false;
      if (action === "ignore") {
        message.transcript.push("(no key pressed)");
        await continueCall(message, gather.rest);
        return true;
      }
      message.transcript.push("(pressed 1)");
      const fields = { CallSid: call, CallStatus: "in-progress", Digits: "1" };
      const twiml = await callBack(message, gather.action, "key", fields);
      await continueCall(message, parsed(twiml) ?? [APPLICATION_ERROR]);
      return true;
    },
    async settled() {
      while (background.size > 0) await Promise.all(background);
    },
  };
}

/** Returns the verbs of TwiML, or null if it is malformed. */
export function parsed(twiml: string): Verb[] | null {
  try {
    return parseTwiml(twiml);
  } catch {
    return null;
  }
}
