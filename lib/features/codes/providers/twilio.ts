/** The provider of codes that sends them with Twilio's Messages and Calls API. */
import { z } from "zod";
import { SECOND_MS } from "../../../base/time.ts";
import { CODE_LIFETIME_MS } from "../codes.ts";
import type { TwilioConfig } from "../variables.ts";
import type { Channel, CodeMessage, CodeProvider, SendResult } from "../provider.ts";
import type { PendingCalls } from "./pending_calls.ts";
import { post, type PostDeps, type Reply } from "./post.ts";
import { askForKey, MAX_TWIML, sayTwice } from "./twiml.ts";

interface TwilioProviderOptions extends PostDeps {
  /** `sandbox` for the stand-in, which has the same API. */
  name: "twilio" | "sandbox";
  account: TwilioConfig;
  /** The URLs that Twilio calls back. */
  callbacks: { status: string; voice(call: string): string };
  calls: PendingCalls;
  /** The name of the caller, for the greeting. */
  site: string;
  /** Logs one structured line, without the number, the text or the provider's body. */
  log: (entry: Record<string, unknown>) => void;
}

/** A message is not delivered after its code has expired. */
const VALIDITY_SECONDS = CODE_LIFETIME_MS / SECOND_MS;
/** A phone rings for this long; most voicemail services answer later. */
const RING_SECONDS = 25;

/** https://www.twilio.com/docs/api/errors */
const ERRORS: Record<number, Exclude<SendResult, { ok: true }>["error"]> = {
  13224: "invalid_number",
  21211: "invalid_number",
  21217: "invalid_number",
  21214: "unreachable",
  21612: "unreachable",
  21614: "unreachable",
  13227: "blocked",
  21215: "blocked",
  21216: "blocked",
  21408: "blocked",
  21610: "blocked",
  60410: "blocked",
  14107: "rate_limited",
  20429: "rate_limited",
  21611: "rate_limited",
  63038: "rate_limited",
};

const acceptedSchema = z.object({
  sid: z.string().regex(/^(SM|MM|CA)[0-9a-f]{32}$/),
  status: z.string().max(50),
});

const rejectedSchema = z.object({ code: z.number().int() });

/** Creates the provider that uses Twilio's Messages and Calls API. */
export function createTwilioProvider(options: TwilioProviderOptions): CodeProvider {
  const { name, account, callbacks, calls, site, log } = options;
  const { apiBase, accountSid, authToken, from, messagingServiceSid } = account;
  const authorization = `Basic ${btoa(`${accountSid}:${authToken}`)}`;

  const smsForm = ({ text }: CodeMessage): Record<string, string> => ({
    ...messagingServiceSid === undefined
      ? { From: from ?? "" }
      : { MessagingServiceSid: messagingServiceSid },
    Body: text,
    ValidityPeriod: String(VALIDITY_SECONDS),
  });

  async function callForm({ text, twiml }: CodeMessage): Promise<Record<string, string>> {
    const call = await calls.add(twiml ?? sayTwice(text));
    const greeting = askForKey(site, callbacks.voice(call));
    if (greeting.length > MAX_TWIML) throw new Error("The greeting of a call is too long.");
    return { From: from ?? "", Twiml: greeting, Timeout: String(RING_SECONDS) };
  }

  return {
    name,
    async send(message) {
      const { to, channel, idempotencyKey } = message;
      const fail = (error: Exclude<SendResult, { ok: true }>["error"], details = {}) => {
        log({
          level: "warn",
          event: "code_not_sent",
          provider: name,
          channel,
          reason: error,
          ...details,
        });
        return { ok: false, error } as const;
      };
      if (channel === "voice" && from === undefined) {
        return fail("unavailable", { code: "no_from" });
      }
      const form = channel === "sms" ? smsForm(message) : await callForm(message).catch(() => null);
      if (form === null) return fail("unavailable", { code: "not_stored" });
      const reply = await post(
        `${apiBase}/2010-04-01/Accounts/${accountSid}/${RESOURCES[channel]}.json`,
        {
          headers: { authorization },
          body: new URLSearchParams({ To: to, ...form, StatusCallback: callbacks.status }),
        },
        options,
      );
      if (reply === undefined) return fail("unavailable");
      const { status, body } = reply;
      if (status >= 200 && status < 300) {
        const { data } = acceptedSchema.safeParse(body);
        return { ok: true, id: data?.sid ?? idempotencyKey, status: data?.status ?? "accepted" };
      }
      const { code } = rejectedSchema.safeParse(body).data ?? {};
      return fail(errorOf(reply, code), { status, code });
    },
  };
}

const RESOURCES: Record<Channel, string> = { sms: "Messages", voice: "Calls" };

function errorOf({ status }: Reply, code: number | undefined) {
  if (status === 429) return "rate_limited";
  return status >= 400 && status < 500 && ERRORS[code ?? 0] || "unavailable";
}
