/** Creates the configured provider of codes, with its deliveries and callbacks. */
import type { CodesConfig, TwilioConfig } from "../variables.ts";
import type { Platform } from "../../../platform/feature.ts";
import type { Channel, CodeProvider } from "../provider.ts";
import {
  createTwilioCallbacks,
  STATUS_PATH,
  type TwilioCallbacks,
  VOICE_PATH,
} from "./callbacks.ts";
import { createDeliveries, type Deliveries } from "./deliveries.ts";
import { createHttpProvider } from "./http.ts";
import { createPhoneInbox, type PhoneInbox } from "./inbox.ts";
import { createPendingCalls } from "./pending_calls.ts";
import { createTwilioProvider } from "./twilio.ts";

export { checkCodeProvider, type CodeProviderProblem } from "./check.ts";
export type { InboxEntry, InboxView, PhoneInbox } from "./inbox.ts";

/** Everything between codes and the phone. */
export interface Phone {
  /** Null if codes are off. */
  provider: CodeProvider | null;
  /** The channels that the provider is configured for. */
  channels: readonly Channel[];
  deliveries: Deliveries;
  /** Null unless the provider is Twilio or the stand-in. */
  callbacks: TwilioCallbacks | null;
  /** Null unless the stand-in is running. */
  inbox: PhoneInbox | null;
}

interface PhoneOptions extends Pick<Platform, "kv" | "clock" | "secrets" | "fetch" | "log"> {
  config: CodesConfig;
  /** The base URL of the surface that Twilio calls back; null if it is not served here. */
  baseUrl: string | null;
  /** The name of the sender. */
  site: string;
}

/**
 * Creates the configured provider of codes. Nothing is sent yet.
 */
export function createPhone(options: PhoneOptions): Phone {
  const { config: { provider }, baseUrl, fetch, log } = options;
  const deliveries = createDeliveries(options);
  const off: Phone = { provider: null, channels: [], deliveries, callbacks: null, inbox: null };
  if (provider === undefined || baseUrl === null) return off;
  if (provider.name === "http") {
    const { url, key } = provider;
    const http = createHttpProvider({ url, key, fetch, log });
    return { ...off, provider: http, channels: ["sms", "voice"] };
  }
  const { name, account } = provider;
  if (account === undefined) return { ...off, provider: NOT_STARTED, channels: ["sms", "voice"] };
  return {
    deliveries,
    ...twilio({ ...options, name, account, baseUrl, deliveries }),
    channels: account.from === undefined ? ["sms"] : ["sms", "voice"],
    inbox: name === "sandbox" ? createPhoneInbox({ baseUrl: account.apiBase, fetch }) : null,
  };
}

function twilio(
  options: PhoneOptions & {
    name: "twilio" | "sandbox";
    account: TwilioConfig;
    baseUrl: string;
    deliveries: Deliveries;
  },
) {
  const { account: { authToken, olderToken }, baseUrl, deliveries } = options;
  const authTokens = olderToken === undefined ? [authToken] : [authToken, olderToken];
  const calls = createPendingCalls(options);
  return {
    provider: createTwilioProvider({
      ...options,
      calls,
      callbacks: {
        status: baseUrl + STATUS_PATH,
        voice: (call) => `${baseUrl}${VOICE_PATH}?call=${call}`,
      },
    }),
    callbacks: createTwilioCallbacks({ authTokens, baseUrl, calls, deliveries }),
  };
}

/** The provider where the stand-in is configured but not running, as in commands and tests. */
const NOT_STARTED: CodeProvider = {
  name: "sandbox",
  send: () => Promise.resolve({ ok: false, error: "unavailable" }),
};
