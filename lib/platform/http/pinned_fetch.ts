/** Safe requests to URLs that strangers choose (protection against SSRF). */
import { Buffer } from "node:buffer";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { request } from "node:https";
import { connect, type TLSSocket } from "node:tls";
import { utf8 } from "../../base/encoding.ts";
import { SECOND_MS } from "../../base/time.ts";
import { isGlobalAddress } from "./global_address.ts";

/** The access to the network, which tests replace. */
export interface Network {
  /** Returns all addresses of a host name. */
  resolve(host: string, signal: AbortSignal): Promise<string[]>;
  /** Connects to an address that was checked. The server's certificate must be for the host name. */
  connect(address: string, host: string): TLSSocket;
  /** Creates the signal that ends a fetch after a time. */
  deadline(ms: number): AbortSignal;
}

export const internet: Network = {
  async resolve(host, signal) {
    const answers = await Promise.allSettled([
      Deno.resolveDns(host, "A", { signal }),
      Deno.resolveDns(host, "AAAA", { signal }),
    ]);
    return answers.flatMap((answer) => answer.status === "fulfilled" ? answer.value : []);
  },
  connect: (address, host) => connect({ host: address, port: 443, servername: host }),
  deadline: (ms) => AbortSignal.timeout(ms),
};

/** Why nothing was received from a stranger's server. */
type FetchProblem =
  /** The name has no address. */
  | "no_address"
  /** One of the addresses is not globally routable. */
  | "private_address"
  /** The deadline has passed. */
  | "timeout"
  /** The server could not be reached, its certificate is not valid, or it does not speak HTTP. */
  | "connection_failed"
  /** The response is longer than the limits. */
  | "too_long";

export class PinnedFetchError extends Error {
  override readonly name = "PinnedFetchError";

  constructor(readonly code: FetchProblem, message: string) {
    super(message);
  }
}

export interface PinnedRequest {
  method?: "GET" | "POST";
  /** Further headers. */
  headers?: Readonly<Record<string, string>>;
  /** The body of a POST. */
  body?: string;
  /** The time for everything together. Default: 5 seconds. */
  deadlineMs?: number;
  /** The maximum size of the response's body, in bytes. Default: 5 KiB. */
  maxBody?: number;
  /** True if only status and headers matter. The body is then read and forgotten, within its limits. */
  ignoreBody?: boolean;
  /** Ends the fetch before its deadline. */
  signal?: AbortSignal;
}

export interface Got {
  status: number;
  headers: IncomingHttpHeaders;
  /** Empty with `ignoreBody`. */
  body: string;
}

const DEADLINE_MS = 5 * SECOND_MS;
const MAX_BODY = 5 * 1024;
/** The maximum size of everything but the body: interim responses, headers and the framing of chunks. */
const MAX_HEAD = 27 * 1024;

/**
 * Returns whether strangers may choose this URL for {@link pinnedFetch}: https on the default port, a host
 * name, no user information and no fragment. Other ports are refused, because the site would tell
 * strangers which ports of a server are open, and reach services that are not for the web.
 */
export function isPinnable(url: URL): boolean {
  const { protocol, hostname, port, username, password, hash } = url;
  return protocol === "https:" && port === "" && username === "" && password === "" &&
    hash === "" &&
    !/^[\d.]+$|^\[/.test(hostname);
}

/**
 * Returns an address of a host name, if all of its addresses are globally routable.
 *
 * @throws {PinnedFetchError} otherwise
 */
export async function checkedAddress(
  hostname: string,
  network: Network,
  signal: AbortSignal = network.deadline(DEADLINE_MS),
): Promise<string> {
  const addresses = await network.resolve(hostname, signal);
  if (addresses.length === 0) {
    const code = signal.aborted ? "timeout" : "no_address";
    throw new PinnedFetchError(code, "The host has no address.");
  }
  if (!addresses.every(isGlobalAddress)) {
    throw new PinnedFetchError("private_address", "An address is not globally routable.");
  }
  return addresses[0];
}

/**
 * Sends a small request to a URL that a stranger chose. It connects to an address that it has checked,
 * so that the name cannot resolve to another one in between (`fetch` would resolve it again), and follows
 * no redirects.
 *
 * @param url a URL that {@link isPinnable} accepts
 * @throws {PinnedFetchError} if no response was received within the limits
 */
export async function pinnedFetch(
  url: URL,
  network: Network,
  options: PinnedRequest = {},
): Promise<Got> {
  const { signal, deadlineMs = DEADLINE_MS } = options;
  const timeout = network.deadline(deadlineMs);
  const deadline = AbortSignal.any([timeout, ...signal === undefined ? [] : [signal]]);
  try {
    return await send(url, network, options, deadline);
  } catch (error) {
    if (timeout.aborted) throw new PinnedFetchError("timeout", "The deadline has passed.");
    if (error instanceof PinnedFetchError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    const isLong = code === "HPE_HEADER_OVERFLOW"; // Node's own limit for headers is 16 KiB
    throw new PinnedFetchError(isLong ? "too_long" : "connection_failed", String(message));
  }
}

async function send(
  { host, hostname, pathname, search }: URL,
  network: Network,
  { method = "GET", headers, body, maxBody = MAX_BODY, ignoreBody = false }: PinnedRequest,
  deadline: AbortSignal,
): Promise<Got> {
  const address = await checkedAddress(hostname, network, deadline);
  const bytes = body === undefined ? undefined : utf8(body);
  const { promise: response, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const sent = request({
    method,
    path: pathname + search,
    headers: {
      accept: "application/json",
      "user-agent": "Gatehouse",
      ...headers,
      host,
      ...bytes === undefined ? {} : { "content-length": String(bytes.length) },
    },
    createConnection: () => limited(network.connect(address, hostname), maxBody + MAX_HEAD),
    signal: deadline,
  }, resolve);
  sent.on("error", reject);
  // A response that switches protocols closes the request without any other event.
  sent.on("close", () => reject(new Error("The connection was closed.")));
  sent.end(bytes);
  try {
    const { statusCode, headers } = await response;
    const reading = readBody(await response, maxBody);
    const text = await (ignoreBody ? reading.then(() => "", () => "") : reading);
    return { status: statusCode!, headers, body: text };
  } finally {
    sent.destroy();
  }
}

const tooLong = () => new PinnedFetchError("too_long", "The response is too long.");

/** Ends a connection that receives more than a number of bytes. */
function limited(socket: TLSSocket, max: number): TLSSocket {
  let received = 0;
  return socket.on("data", ({ length }) => {
    received += length;
    if (received > max) socket.destroy(tooLong());
  });
}

async function readBody(response: IncomingMessage, max: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response) {
    size += chunk.length;
    if (size > max) throw tooLong();
    chunks.push(chunk);
  }
  return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
}
