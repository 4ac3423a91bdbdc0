/** Handles the requests that Twilio sends: delivery reports, and keys that were pressed in a call. */
import { z } from "zod";
import { fail, type Failure } from "../../../base/result.ts";
import type { Deliveries, Delivery, DeliveryFailure } from "./deliveries.ts";
import type { PendingCalls } from "./pending_calls.ts";
import { isTwilioSignature } from "./signature.ts";
import { sayExpired } from "./twiml.ts";

export const STATUS_PATH = "/api/codes/status";
export const VOICE_PATH = "/api/codes/voice";

export interface TwilioRequest {
  /** The query of its URL, with the question mark; empty if there is none. */
  search: string;
  form: unknown;
  /** The header `X-Twilio-Signature`. */
  signature: string | null;
}

interface TwilioCallbacksOptions {
  /** The tokens, one of which signs each request. */
  authTokens: readonly string[];
  /** The configured base URL of the surface that Twilio calls. */
  baseUrl: string;
  calls: PendingCalls;
  deliveries: Deliveries;
}

const sid = (prefix: string) => z.string().regex(new RegExp(`^${prefix}[0-9a-f]{32}$`));

const formSchema = z.record(z.string(), z.string());
const messageSchema = z.object({
  MessageSid: sid("(SM|MM)"),
  MessageStatus: z.string(),
  ErrorCode: z.coerce.number().optional(),
});
const callSchema = z.object({ CallSid: sid("CA"), CallStatus: z.string() });

export type TwilioCallbacks = ReturnType<typeof createTwilioCallbacks>;

/** Creates what handles the requests that Twilio sends while it delivers a message. */
export function createTwilioCallbacks(
  { authTokens, baseUrl, calls, deliveries }: TwilioCallbacksOptions,
) {
  /** Twilio omits the port of some https URLs in its signatures. */
  const bases = [baseUrl, baseUrl.replace(/:\d+$/, "")];

  /** Returns the form of a request that Twilio signed, or null. */
  function signedForm(path: string, { search, form, signature }: TwilioRequest) {
    const { data } = formSchema.safeParse(form);
    const signed = data !== undefined &&
      authTokens.some((token) =>
        bases.some((base) => isTwilioSignature(token, base + path + search, data, signature))
      );
    return signed ? data : null;
  }

  return {
    /** Stores the delivery state that Twilio reports. */
    async status(request: TwilioRequest): Promise<{ ok: true } | Failure> {
      const form = signedForm(STATUS_PATH, request);
      if (form === null) return fail("forbidden", { message: "The signature is not valid." });
      const message = messageSchema.safeParse(form).data;
      const call = callSchema.safeParse(form).data;
      if (message !== undefined) await deliveries.report(message.MessageSid, ofMessage(message));
      else if (call !== undefined) await deliveries.report(call.CallSid, ofCall(call));
      else return fail("invalid_request", { message: "Send the status of a message or call." });
      return { ok: true };
    },
    /** Returns what a call says after a key was pressed. */
    async voice(request: TwilioRequest): Promise<{ ok: true; twiml: string } | Failure> {
      const form = signedForm(VOICE_PATH, request);
      if (form === null) return fail("forbidden", { message: "The signature is not valid." });
      const call = callSchema.safeParse(form).data;
      if (call === undefined) return fail("invalid_request", { message: "Send a call." });
      const twiml = await calls.find(new URLSearchParams(request.search).get("call") ?? "");
      if (twiml === null) return { ok: true, twiml: sayExpired() };
      await deliveries.report(call.CallSid, { state: "delivered", failure: null });
      return { ok: true, twiml };
    },
  };
}

const SENDING: Delivery = { state: "sending", failure: null };
const failed = (failure: DeliveryFailure): Delivery => ({ state: "failed", failure });

/** https://www.twilio.com/docs/api/errors, those of delivery */
const MESSAGE_ERRORS: Record<number, DeliveryFailure> = {
  30003: "unreachable",
  30004: "blocked",
  30005: "invalid_number",
  30006: "unreachable",
  30007: "blocked",
};

function ofMessage({ MessageStatus, ErrorCode }: z.output<typeof messageSchema>): Delivery {
  switch (MessageStatus) {
    case "delivered":
    case "read":
      return { state: "delivered", failure: null };
    case "undelivered":
    case "failed":
    case "canceled":
      return failed(MESSAGE_ERRORS[ErrorCode ?? 0] ?? "unavailable");
    default:
      return SENDING;
  }
}

/** A call that ended after a key was pressed is already `delivered`, which no report undoes. */
function ofCall({ CallStatus }: z.output<typeof callSchema>): Delivery {
  switch (CallStatus) {
    case "completed":
    case "no-answer":
      return failed("unanswered");
    case "busy":
      return failed("busy");
    case "failed":
      return failed("unreachable");
    case "canceled":
      return failed("unavailable");
    default:
      return SENDING;
  }
}
