/** The address of a device at its push service. */
export type PushTarget =
  | { platform: "ios"; token: string; environment: "sandbox" | "production" }
  | { platform: "android"; token: string }
  | {
    platform: "web";
    endpoint: string;
    /** The browser's public key, an uncompressed P-256 point in base64url. */
    p256dh: string;
    /** The authentication secret, 16 bytes in base64url. */
    auth: string;
    /** The VAPID public key that the browser subscribed with. */
    vapid: string;
  };

export type PushPlatform = PushTarget["platform"];

/** A notification. It contains no personal data, because lock screens are public. */
export interface PushMessage {
  /** A UUID, the same in every attempt. */
  id: string;
  text: string;
  seq: number;
  event: string;
  /** The same for all messages about a record: at most 32 base64url characters. */
  collapse: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
  url: string;
}

/**
 * The outcome of sending a message to one device. `error` is a stable code.
 *
 * - `remove`: the token is dead. `since` is when the service noticed, in milliseconds since 1970; a
 *   token that was registered later stays.
 * - `retry`: the service may accept the message later, not before `afterMs`.
 * - `give_up`: the service will not accept the message, for example because of our configuration.
 */
export type PushOutcome =
  | { ok: true }
  | { ok: false; error: string; action: "remove"; since?: number }
  | { ok: false; error: string; action: "retry"; afterMs?: number }
  | { ok: false; error: string; action: "give_up" };

/** Sends messages through one push service. Never throws, and never logs a token. */
export interface PushProvider {
  /** Sends a message, in less than 60 seconds. */
  send(target: PushTarget, message: PushMessage): Promise<PushOutcome>;
}

/** The push services by platform. A platform that is absent is not configured. */
export type PushProviders = { readonly [Platform in PushPlatform]?: PushProvider };
