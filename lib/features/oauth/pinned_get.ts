import { Buffer } from "node:buffer";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { get } from "node:https";
import { connect, type TLSSocket } from "node:tls";
import { SECOND_MS } from "../../base/time.ts";
import { isGlobalAddress } from "./global_address.ts";

/** The access to the network, which tests replace. */
export interface Network {
  /** Returns all addresses of a host name. */
  resolve(host: string, signal: AbortSignal): Promise<string[]>;
  /** Connects to an address that was checked. The server's certificate must be for the host name. */
  connect(address: string, host: string): TLSSocket;
  /** Creates the signal that ends a fetch. */
  deadline(): AbortSignal;
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
  deadline: () => AbortSignal.timeout(5 * SECOND_MS),
};

export interface Got {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** The maximum size of a body, in bytes. */
const MAX_BODY = 5 * 1024;
/** The maximum size of everything that a server sends: interim responses, headers and chunks. */
const MAX_RECEIVED = 32 * 1024;

/**
 * Fetches a small document from a URL that a stranger chose. It connects to an address that it has
 * checked, so that the name cannot resolve to another one in between (`fetch` would resolve it again),
 * and follows no redirects.
 *
 * @param url an https URL on the default port
 * @param signal ends the fetch before its deadline
 * @throws {Error} if an address is not globally routable, the body is longer than 5 KiB, the deadline
 * has passed, or the server cannot be reached
 */
export async function pinnedGet(
  { host, hostname, pathname, search }: URL,
  network: Network,
  signal?: AbortSignal,
): Promise<Got> {
  const deadline = AbortSignal.any([network.deadline(), ...signal === undefined ? [] : [signal]]);
  const addresses = await network.resolve(hostname, deadline);
  if (addresses.length === 0 || !addresses.every(isGlobalAddress)) {
    throw new Error("The host has no address, or one that is not globally routable.");
  }
  const { promise: response, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = get({
    path: pathname + search,
    headers: { host, accept: "application/json", "user-agent": "Gatehouse" },
    createConnection: () => limited(network.connect(addresses[0], hostname)),
    signal: deadline,
  }, resolve);
  request.on("error", reject);
  // A response that switches protocols closes the request without any other event.
  request.on("close", () => reject(new Error("The connection was closed.")));
  try {
    const { statusCode, headers } = await response;
    return { status: statusCode!, headers, body: await readBody(await response) };
  } finally {
    request.destroy();
  }
}

/** Ends a connection that receives more than {@link MAX_RECEIVED}. */
function limited(socket: TLSSocket): TLSSocket {
  let received = 0;
  return socket.on("data", ({ length }) => {
    received += length;
    if (received > MAX_RECEIVED) socket.destroy(new Error("The response is too long."));
  });
}

async function readBody(response: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response) {
    size += chunk.length;
    if (size > MAX_BODY) throw new Error("The body is too long.");
    chunks.push(chunk);
  }
  return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
}
