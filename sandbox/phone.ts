/** Accepts SMS and calls in place of a provider in development, and delivers none of them. */
import { setTimeout } from "node:timers/promises";
import type { TwilioConfig } from "../lib/features/codes/variables.ts";
import type { InboxEntry, InboxView } from "../lib/features/codes/providers/mod.ts";
import { createLocalFetch } from "../lib/platform/http/local_fetch.ts";
import { MINUTE_MS } from "../lib/base/time.ts";
import { createPhoneMessages, parsed, type PhoneMessages } from "./phone_messages.ts";
import { behaviourOf, PHONE_NUMBERS, type Rejection } from "./phone_numbers.ts";

interface PhoneSandboxOptions {
  /** Returns the time in milliseconds since 1970. */
  clock?: () => number;
  /** Sends the callbacks. Defaults to one that reaches the development surfaces. */
  fetch?: typeof fetch;
}

/** A running stand-in for a provider of SMS and calls. */
export interface PhoneSandbox extends AsyncDisposable, Pick<PhoneMessages, "answer" | "settled"> {
  account: TwilioConfig;
  /** The URL and key of the plain HTTP shape. */
  http: { url: string; key: string };
  /** The latest messages and calls, the newest first, at most 100. */
  readonly entries: readonly InboxEntry[];
  /** True if every request gets 503. */
  outage: boolean;
  stop(): Promise<void>;
}

const SID = `AC${"5a".repeat(16)}`;
const TOKEN = "sandbox_phone_7d1f0c";
const KEY = "sandbox_phone_key_31ab";
const ACCOUNT = `/2010-04-01/Accounts/${SID}`;
const MAX_TWIML = 4_000;

const isSignedIn = (req: Request): boolean =>
  req.headers.get("authorization") === `Basic ${btoa(`${SID}:${TOKEN}`)}`;

/**
 * Starts the stand-in for a provider of SMS and calls: an HTTP server on the loopback address with
 * Twilio's Messages and Calls API, the plain HTTP shape, and an inbox. For development and tests only.
 */
export function startPhoneSandbox(options: PhoneSandboxOptions = {}): PhoneSandbox {
  const { clock = Date.now, fetch = createLocalFetch() } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const messages = createPhoneMessages({ clock, fetch, accountSid: SID, authToken: TOKEN, signal });
  let outage = false;

  /** Handles a message of either shape. */
  async function send(request: PhoneRequest): Promise<Response> {
    const { to, channel, text, twiml, callbackUrl, reject, accept } = request;
    const behaviour = behaviourOf(to);
    if (outage) return Response.json({ message: "Outage" }, { status: 503 });
    if (behaviour.is === "slow") {
      await setTimeout(MINUTE_MS, undefined, { signal }).catch(() => {});
    }
    if (behaviour.is === "rejected" && behaviour[channel] !== undefined) return reject(behaviour);
    const verbs = twiml === undefined ? [{ name: "Say" as const, text }] : parsed(twiml);
    if (verbs === null) return problem(400, 12100);
    const body = channel === "sms" ? text : null;
    return accept(messages.accept({ to, channel, body, verbs, callbackUrl }));
  }

  async function sendPlain(req: Request): Promise<Response> {
    if (req.headers.get("authorization") !== `Bearer ${KEY}`) {
      return Response.json({ error: "unauthenticated" }, { status: 401 });
    }
    const { to, channel, text } = await req.json();
    return await send({
      to,
      channel,
      text,
      reject: ({ status, error }) => Response.json({ error }, { status }),
      accept: ({ id, status }) => Response.json({ id, status }, { status: 202 }),
    });
  }

  function readAccount(req: Request): Response {
    if (!isSignedIn(req)) return problem(401, 20003);
    if (outage) return Response.json({ message: "Outage" }, { status: 503 });
    return Response.json({ sid: SID, status: "active" });
  }

  async function sendTwilio(req: Request, channel: "sms" | "voice"): Promise<Response> {
    if (!isSignedIn(req)) return problem(401, 20003);
    const form = new URLSearchParams(await req.text());
    const twiml = form.get("Twiml") ?? "";
    if (twiml.length > MAX_TWIML) return problem(400, 21605);
    return await send({
      to: form.get("To") ?? "",
      channel,
      text: form.get("Body") ?? "",
      twiml: channel === "voice" ? twiml : undefined,
      callbackUrl: form.get("StatusCallback") ?? undefined,
      reject: (behaviour) => problem(behaviour.status, behaviour[channel] ?? 0),
      accept: ({ id, status }) => Response.json({ sid: id, status }, { status: 201 }),
    });
  }

  const view = (): InboxView => ({
    entries: messages.list(),
    outage,
    numbers: PHONE_NUMBERS.map(({ number, text }) => ({ number, behaviour: text })),
  });

  /** Handles what `/dev/phone` requests. */
  async function inbox(method: string, [what, id, action]: string[]): Promise<Response> {
    if (method === "GET" && what === undefined) return Response.json(view());
    if (method === "POST" && what === "outage") {
      outage = id === "on";
      return new Response(null, { status: 204 });
    }
    const answered = method === "POST" && what === "calls" &&
      (action === "press" || action === "ignore") && await messages.answer(id, action);
    return new Response(null, { status: answered ? 204 : 409 });
  }

  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (req) => {
    const { pathname } = new URL(req.url);
    const [, area, ...rest] = pathname.split("/");
    if (area === "inbox") return await inbox(req.method, rest);
    if (pathname === `${ACCOUNT}.json` && req.method === "GET") return readAccount(req);
    if (req.method !== "POST") return problem(405, 20004);
    if (pathname === "/send") return await sendPlain(req);
    if (pathname === `${ACCOUNT}/Messages.json`) return await sendTwilio(req, "sms");
    if (pathname === `${ACCOUNT}/Calls.json`) return await sendTwilio(req, "voice");
    return problem(404, 20404);
  });
  const apiBase = `http://127.0.0.1:${server.addr.port}`;
  const stop = async () => {
    stopping.abort();
    await messages.settled();
    await server.shutdown();
  };
  return {
    account: { apiBase, accountSid: SID, authToken: TOKEN, from: "+15005550006" },
    http: { url: `${apiBase}/send`, key: KEY },
    get entries() {
      return messages.list();
    },
    get outage() {
      return outage;
    },
    set outage(on) {
      outage = on;
    },
    answer: messages.answer,
    settled: messages.settled,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** A message in either shape, and the responses of that shape. */
interface PhoneRequest {
  to: string;
  channel: "sms" | "voice";
  text: string;
  twiml?: string;
  callbackUrl?: string;
  reject(behaviour: Rejection): Response;
  accept(entry: InboxEntry): Response;
}

/** Returns an error of Twilio's API. */
const problem = (status: number, code: number): Response =>
  Response.json({ code, message: `Error ${code}`, status }, { status });
