import { assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { request as httpRequest } from "node:http";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { generatePrivateJwk } from "../../lib/features/chain/mod.ts";
import { openKv } from "../../lib/platform/kv/mod.ts";
import { type ConnectServer, serveConnect } from "../../lib/platform/kv/testing/connect_server.ts";
import { AUTHORITY, CERTIFICATE, CERTIFICATE_KEY } from "../../lib/testing/certificate.ts";
import { freePort } from "../site.ts";

/** The surfaces that the clients use, by host. */
const HOSTS = {
  site: "qualpack.test",
  foundation: "foundation.test",
  "foundation-mcp": "mcp.foundation.test",
  commercial: "commercial.test",
  "commercial-mcp": "mcp.commercial.test",
  api: "api.test",
  trust: "trust.test",
};

export type Host = keyof typeof HOSTS;

/** A message that a provider accepted. */
interface SentMail {
  to: string;
  text: string;
  /** Its `Idempotency-Key`. */
  id: string;
}

interface SentCode {
  to: string;
  text: string;
}

/** Nobody knows whether the request was handled, because its process died. */
export class Unanswered extends Error {}

export interface SendInit {
  method?: string;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  json?: unknown;
  form?: Record<string, string>;
  cookie?: string;
  /** The client's address. */
  from?: string;
  /** The process that gets it. Default: the next one. */
  to?: number;
  signal?: AbortSignal;
}

/** Three processes of the site on one store, behind a front. */
export interface Cluster extends AsyncDisposable {
  store: ConnectServer;
  /** The ports of the processes. */
  ports: readonly number[];
  /** A connection of the test's own to the store. */
  kv: Deno.Kv;
  mails: SentMail[];
  codes: SentCode[];
  /**
   * Sends a request to one process after another, as a load balancer does: a process that refuses
   * the connection is skipped.
   *
   * @throws {Unanswered} if the process died before it responded
   */
  send(host: Host, path: string, init?: SendInit): Promise<Response>;
  /** Resolves to the first mail that matches, within a time; null if there is none. */
  mail(matches: (mail: SentMail) => boolean, withinMs?: number): Promise<SentMail | null>;
  code(to: string): Promise<string | null>;
  /** Ends a process and starts it again. Resolves to how long it took to exit, in milliseconds. */
  restart(index: number, signal: Deno.Signal): Promise<number>;
}

const ROOT = new URL("../../", import.meta.url).pathname;
const COUNT = 3;

export async function startCluster(env: Record<string, string>): Promise<Cluster> {
  const store = serveConnect();
  const folder = await Deno.makeTempDir();
  const authority = `${folder}/authority.pem`;
  await Deno.writeTextFile(authority, AUTHORITY);
  const mails: SentMail[] = [];
  const codes: SentCode[] = [];
  const errors: string[] = [];
  const provider = Deno.serve({
    port: 0,
    hostname: "127.0.0.1",
    cert: CERTIFICATE,
    key: CERTIFICATE_KEY,
    onListen: () => {},
  }, async (request) => {
    const message = await request.json().catch(() => null);
    if (message === null) return new Response(null, { status: 400 }); // its sender was killed
    if (new URL(request.url).pathname === "/mail") {
      mails.push({ ...message, id: request.headers.get("idempotency-key") });
    } else {
      codes.push(message);
    }
    return Response.json({ id: crypto.randomUUID() });
  });
  const providerUrl = `https://localhost:${provider.addr.port}`;
  const shared: Record<string, string> = {
    APP_ENV: "production",
    APP_SECRET: new Uint8Array(32).toBase64({ alphabet: "base64url", omitPadding: true }),
    HOST: "127.0.0.1",
    SURFACE_HOSTS: JSON.stringify(
      Object.fromEntries(Object.entries(HOSTS).map(([name, host]) => [name, [host]])),
    ),
    KV_PATH: store.url,
    DENO_KV_ACCESS_TOKEN: store.token,
    DENO_CERT: authority,
    TRUST_PROXY: "1",
    MAIL_TRANSPORT: "http",
    MAIL_API_URL: `${providerUrl}/mail`,
    MAIL_API_KEY: "key",
    CODE_PROVIDER: "http",
    CODE_HTTP_URL: `${providerUrl}/codes`,
    CODE_HTTP_KEY: "key",
    CHAIN_SIGNING_KEY: JSON.stringify(await generatePrivateJwk()),
    LOG_SIGNING_KEY: JSON.stringify(await generatePrivateJwk()),
    ...Object.fromEntries(
      ["FOUNDATION", "COMMERCIAL"].flatMap((name) => [
        [`${name}_NAME`, `The ${name.toLowerCase()}`],
        [`${name}_CONTACT_EMAIL`, `${name.toLowerCase()}@test.org`],
        [`${name}_CODE_HOST_URL`, `https://code.test/${name.toLowerCase()}`],
      ]),
    ),
    ALLOW_EMPTY_STORE: "1",
    ...env,
  };

  const ports = Array.from({ length: COUNT }, freePort);
  const children: Deno.ChildProcess[] = [];

  async function start(index: number) {
    const child = new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "-A",
        "--quiet",
        "--frozen",
        "--lock=deno.lock",
        "--no-check",
        "dev.ts",
        "serve",
      ],
      cwd: ROOT,
      env: { ...shared, PORT: String(ports[index]) },
      stdout: "null",
      stderr: "piped",
    }).spawn();
    children[index] = child;
    // deno-lint-ignore no-explicit-any -- node's and the web's types of one stream
    const lines = createInterface({ input: Readable.fromWeb(child.stderr as any) });
    lines.on("line", (line) => errors.push(`${index}: ${line}`));
    let exited = false;
    child.status.then(() => exited = true).catch(reportError);
    while (!exited) {
      const ready = await sendTo(ports[index], "", "/readyz", {}).catch(() => null);
      await ready?.body?.cancel();
      if (ready?.status === 200) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`Process ${index} did not start:\n${errors.slice(-20).join("\n")}`);
  }

  let turn = 0;
  const token = Deno.env.get("DENO_KV_ACCESS_TOKEN");
  Deno.env.set("DENO_KV_ACCESS_TOKEN", store.token);
  const kv = await openKv(store.url);
  if (token === undefined) Deno.env.delete("DENO_KV_ACCESS_TOKEN");
  else Deno.env.set("DENO_KV_ACCESS_TOKEN", token);
  await Promise.all(ports.map((_, index) => start(index)));

  async function wait<Value>(find: () => Value | undefined, withinMs: number) {
    for (const until = Date.now() + withinMs; Date.now() < until;) {
      const found = find();
      if (found !== undefined) return found;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return null;
  }

  return {
    store,
    ports,
    kv,
    mails,
    codes,
    async send(host, path, init = {}) {
      const first = init.to ?? turn++;
      for (let i = 0; i < COUNT; i++) {
        try {
          return await sendTo(ports[(first + i) % COUNT], HOSTS[host], path, init);
        } catch (error) {
          if (init.signal?.aborted) throw error;
          if ((error as { code?: string }).code === "ECONNREFUSED" && i < COUNT - 1) continue;
          throw new Unanswered(String(error));
        }
      }
      throw new Unanswered("No process is running.");
    },
    mail: (matches, withinMs = 5_000) => wait(() => mails.find(matches), withinMs),
    async code(to) {
      const sent = await wait(() => codes.find((code) => code.to === to), 5_000);
      return sent && (/#(\d{6})$/.exec(sent.text)?.[1] ?? sent.text.replace(/\D/g, ""));
    },
    async restart(index, signal) {
      const began = performance.now();
      children[index].kill(signal);
      const { code } = await children[index].status;
      const took = performance.now() - began;
      if (signal === "SIGTERM") assertEquals(code, 0);
      await start(index);
      return took;
    },
    async [Symbol.asyncDispose]() {
      for (const child of children) child.kill("SIGKILL");
      await Promise.all(children.map((child) => child.status));
      kv.close();
      await provider.shutdown();
      await store[Symbol.asyncDispose]();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** Sends one request on its own connection, because `fetch` would retry it on a closed one. */
function sendTo(port: number, host: string, path: string, init: SendInit): Promise<Response> {
  const { json, form, cookie, from = "203.0.113.7", headers, signal } = init;
  const body = json !== undefined
    ? JSON.stringify(json)
    : form && new URLSearchParams(form).toString();
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const outgoing = httpRequest({
    host: "127.0.0.1",
    port,
    path,
    method: init.method ?? (body === undefined ? "GET" : "POST"),
    agent: false,
    signal,
    headers: {
      host,
      "x-forwarded-for": from,
      ...body === undefined ? {} : {
        origin: `https://${host}`,
        "content-length": String(new TextEncoder().encode(body).length),
        "content-type": json === undefined
          ? "application/x-www-form-urlencoded"
          : "application/json",
      },
      ...cookie === undefined ? {} : { cookie },
      ...headers,
    },
  });
  outgoing.on("error", reject);
  outgoing.on("response", (incoming) => {
    const headers = new Headers();
    for (let i = 0; i < incoming.rawHeaders.length; i += 2) {
      headers.append(incoming.rawHeaders[i], incoming.rawHeaders[i + 1]);
    }
    const stream = headers.get("content-type") === "text/event-stream";
    if (stream) {
      resolve(new Response(Readable.toWeb(incoming) as ReadableStream<never>, { headers }));
      return;
    }
    const chunks: Uint8Array[] = [];
    incoming.on("data", (chunk) => chunks.push(chunk));
    incoming.on("error", reject);
    incoming.on("close", () => incoming.complete || reject(new Error("The response was cut off.")));
    incoming.on("end", () => {
      const status = incoming.statusCode!;
      const empty = [204, 304].includes(status);
      resolve(new Response(empty ? null : Buffer.concat(chunks), { status, headers }));
    });
  });
  outgoing.end(body);
  return promise;
}

/** Returns the cookies that a response sets, for the `Cookie` header. */
export const cookiesOf = (response: Response): string =>
  response.headers.getSetCookie().map((cookie) => cookie.split(";")[0]).join("; ");
