/** How a code reaches a phone. */
export type Channel = "sms" | "voice";

/** A code to send. */
export interface CodeMessage {
  /** The number in E.164, such as `+61491570006`. */
  to: string;
  channel: Channel;
  /** The text of the SMS, or what the call says once: a greeting, and the digits one by one. */
  text: string;
  /**
   * The answer to a pressed key in a call, for providers that understand TwiML. By default, `text` is
   * said twice. The provider asks for the key itself.
   */
  twiml?: string;
  /** The same for every attempt to send this message, and different for every message. */
  idempotencyKey: string;
}

/**
 * The outcome of sending a message.
 *
 * - `ok`: the provider accepted the message. `id` is the provider's; its delivery is reported later.
 * - `invalid_number`: the number does not exist.
 * - `unreachable`: the number cannot receive this kind of message, such as an SMS to a landline.
 * - `blocked`: the provider does not deliver to this number, region or recipient.
 * - `rate_limited`: the provider accepts no more messages at the moment.
 * - `unavailable`: the provider failed, was too slow or rejected our credentials. If it was too slow,
 *   it may have accepted the message.
 */
export type SendResult =
  | { ok: true; id: string; status: string }
  | {
    ok: false;
    error: "invalid_number" | "unreachable" | "blocked" | "rate_limited" | "unavailable";
  };

/** Sends codes by SMS and voice. */
export interface CodeProvider {
  readonly name: "sandbox" | "http" | "twilio";
  /** Sends a message. Never throws, and logs neither the number nor the text. */
  send(message: CodeMessage): Promise<SendResult>;
}
