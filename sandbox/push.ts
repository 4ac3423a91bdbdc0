import type { PushConfig } from "../lib/features/push/variables.ts";
import type { PushInboxView, StandInPhone, StandInPush } from "../lib/features/push/stand_in.ts";
import { createStandInApns } from "./push_apns.ts";
import { behaviourOf, newPhones, type PushBehaviour, wait } from "./push_behaviours.ts";
import { createStandInFcm, tokenOf } from "./push_fcm.ts";
import type { StandInReply } from "./push_request.ts";
import { PUSH_AUTHORITY, PUSH_CERTIFICATE, PUSH_CERTIFICATE_KEY } from "./push_tls.ts";
import { createStandInWebPush, type StandInSubscription } from "./push_web.ts";

export interface PushSandboxOptions {
  /** Returns the time in milliseconds since 1970. */
  clock?: () => number;
}

/** A running stand-in for the push services. */
export interface PushSandbox extends AsyncDisposable {
  config: Required<PushConfig>;
  /** The latest requests, the newest first, at most 200. */
  readonly pushes: readonly StandInPush[];
  /** A phone for each platform and behaviour. */
  readonly phones: readonly StandInPhone[];
  /** True if every request gets 503. */
  outage: boolean;
  /** Subscribes a browser to Web Push, by default with the current key. */
  subscribe(behaviour?: PushBehaviour, vapid?: string): StandInSubscription;
  /** Withdraws the access tokens for FCM. */
  withdrawTokens(): void;
  /** Resolves when the service is back after GOAWAY. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

const MAX_PUSHES = 200;

/**
 * Starts the stand-in for APNs, FCM and Web Push: one HTTPS server on the loopback address, which
 * validates tokens, headers and sizes as the services do, and an inbox. For development and tests only.
 *
 * @example
 * ```ts
 * await using push = startPushSandbox();
 * push.pushes[0].text; // the latest notification
 * ```
 */
export function startPushSandbox({ clock = Date.now }: PushSandboxOptions = {}): PushSandbox {
  const [apns, fcm, web] = [
    createStandInApns(clock),
    createStandInFcm(clock),
    createStandInWebPush(clock),
  ];
  const stopping = new AbortController();
  const phones = newPhones();
  const pushes: (StandInPush & { collapse?: string })[] = [];
  let outage = false;
  let restarting: Promise<void> | undefined;

  function note(service: StandInPush["service"], device: string, reply: StandInReply): void {
    const { status, reason, shown } = reply;
    if (shown !== undefined) {
      const same = pushes.find((push) =>
        push.device === device && push.collapse === shown.collapse && push.text !== null
      );
      if (same !== undefined) same.replaced = true;
    }
    pushes.unshift({
      at: new Date(clock()).toISOString(),
      service,
      device,
      text: shown?.text ?? null,
      seq: shown?.seq ?? null,
      response: reason === undefined ? String(status) : `${status} ${reason}`,
      replaced: false,
      collapse: shown?.collapse,
    });
    pushes.splice(MAX_PUSHES);
  }

  async function respond(
    service: StandInPush["service"],
    device: string,
    send: () => StandInReply | Promise<StandInReply>,
  ): Promise<Response> {
    const behaviour = behaviourOf(device);
    if (!await wait(behaviour, stopping.signal)) return new Response(null, { status: 503 });
    const reply = outage ? { status: 503, reason: "Outage" } : await send();
    note(service, device, reply);
    if (behaviour === "goaway" && reply.status < 300) restarting = restart();
    const { status, headers, body } = reply;
    return body === undefined
      ? new Response(null, { status, headers })
      : Response.json(body, { status, headers });
  }

  async function handle(req: Request): Promise<Response> {
    const { pathname } = new URL(req.url);
    const [, area, ...rest] = pathname.split("/");
    if (req.method !== "POST") return new Response(null, { status: 405 });
    const request = { headers: req.headers, body: new Uint8Array(await req.arrayBuffer()) };
    if (area === "3" && rest[0] === "device") {
      return await respond("APNs", rest[1], () => apns.send(rest[1], request));
    }
    if (area === "token" && !outage) {
      const { status, body } = await fcm.token(request);
      return Response.json(body, { status });
    }
    if (area === "v1" && rest[0] === "projects" && rest[2] === "messages:send") {
      return await respond("FCM", tokenOf(request.body), () => fcm.send(rest[1], request));
    }
    if (area === "push") {
      return await respond("Web Push", rest[0], () => web.send(rest[0], request));
    }
    return new Response(null, { status: outage ? 503 : 404 });
  }

  const listen = (port: number) =>
    Deno.serve({
      hostname: "127.0.0.1",
      port,
      cert: PUSH_CERTIFICATE,
      key: PUSH_CERTIFICATE_KEY,
      onListen: () => {},
    }, handle);
  let server = listen(0);
  const { port } = server.addr;

  /** Ends all HTTP/2 connections with GOAWAY. */
  async function restart(): Promise<void> {
    await server.shutdown();
    if (!stopping.signal.aborted) server = listen(port);
  }

  const view = (): PushInboxView => ({ pushes, outage, phones });
  const inbox = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (req) => {
    const { pathname } = new URL(req.url);
    if (req.method === "GET" && pathname === "/") return Response.json(view());
    const change = /^\/outage\/(on|off)$/.exec(pathname);
    if (req.method !== "POST" || change === null) return new Response(null, { status: 404 });
    outage = change[1] === "on";
    return new Response(null, { status: 204 });
  });

  const url = `https://127.0.0.1:${port}`;
  const stop = async () => {
    stopping.abort();
    await restarting;
    await Promise.all([server.shutdown(), inbox.shutdown()]);
  };
  return {
    config: {
      apns: apns.config(url),
      fcm: fcm.config(url),
      web: web.config(url),
      standIn: {
        url,
        certificate: PUSH_AUTHORITY,
        inbox: `http://127.0.0.1:${inbox.addr.port}`,
      },
    },
    pushes,
    phones,
    get outage() {
      return outage;
    },
    set outage(on) {
      outage = on;
    },
    subscribe: web.subscribe,
    withdrawTokens: fcm.withdraw,
    settled: async () => await restarting,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
