/** A local HTTPS server with stand-ins for all push services, for tests and development. */
import type { PushConfig } from "../../variables.ts";
import type { StandInPhone } from "../../stand_in.ts";
import { createStandInApns } from "./apns.ts";
import { behaviourOf, newPhones, type PushBehaviour, wait } from "./behaviours.ts";
import { createStandInFcm, tokenOf } from "./fcm.ts";
import type { StandInReply } from "./request.ts";
import { AUTHORITY, CERTIFICATE, CERTIFICATE_KEY } from "../../../../testing/certificate.ts";
import { createStandInWebPush, type StandInSubscription } from "./web.ts";

interface ReceivedPush {
  service: "APNs" | "FCM" | "Web Push";
  /** The device's token or subscription. */
  device: string;
  /** The text of the notification; null if the request was rejected before it was read. */
  text: string | null;
  seq: number | null;
  /** Such as `201`, or `410 Unregistered`. */
  response: string;
  /** True if a later notification with the same collapse key has replaced it. */
  replaced: boolean;
}

interface PushServers extends AsyncDisposable {
  config: Required<Omit<PushConfig, "standIn">>;
  /** The certificate of the services, which only {@linkcode PushServers.fetch} trusts. */
  certificate: string;
  fetch: typeof fetch;
  /** The requests, the newest first. */
  readonly pushes: readonly ReceivedPush[];
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

/**
 * Starts APNs, FCM and Web Push as one HTTPS server on the loopback address, which validates tokens,
 * headers and sizes as the services do.
 *
 * @example
 * ```ts
 * await using push = startPushServers();
 * push.pushes[0].text; // the latest notification
 * ```
 */
export function startPushServers(clock: () => number = Date.now): PushServers {
  const [apns, fcm, web] = [
    createStandInApns(clock),
    createStandInFcm(clock),
    createStandInWebPush(clock),
  ];
  const stopping = new AbortController();
  const phones = newPhones();
  const pushes: (ReceivedPush & { collapse?: string })[] = [];
  const trusting = Deno.createHttpClient({ caCerts: [AUTHORITY] });
  let outage = false;
  let restarting: Promise<void> | undefined;

  function note(service: ReceivedPush["service"], device: string, reply: StandInReply): void {
    const { status, reason, shown } = reply;
    if (shown !== undefined) {
      const same = pushes.find((push) =>
        push.device === device && push.collapse === shown.collapse && push.text !== null
      );
      if (same !== undefined) same.replaced = true;
    }
    pushes.unshift({
      service,
      device,
      text: shown?.text ?? null,
      seq: shown?.seq ?? null,
      response: reason === undefined ? String(status) : `${status} ${reason}`,
      replaced: false,
      collapse: shown?.collapse,
    });
  }

  async function respond(
    service: ReceivedPush["service"],
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
      cert: CERTIFICATE,
      key: CERTIFICATE_KEY,
      onListen: () => {},
    }, handle);
  let server = listen(0);
  const { port } = server.addr;

  /** Ends all HTTP/2 connections with GOAWAY. */
  async function restart(): Promise<void> {
    await server.shutdown();
    if (!stopping.signal.aborted) server = listen(port);
  }

  const url = `https://127.0.0.1:${port}`;
  const stop = async () => {
    stopping.abort();
    await restarting;
    await server.shutdown();
    trusting.close();
  };
  return {
    config: { apns: apns.config(url), fcm: fcm.config(url), web: web.config(url) },
    certificate: AUTHORITY,
    fetch: (input, init) => {
      const trusted: RequestInit & { client: Deno.HttpClient } = { ...init, client: trusting };
      return fetch(input, trusted);
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
