import { type Bytes, concatBytes } from "../../base/encoding.ts";
import { SECOND_MS } from "../../base/time.ts";
import { isGlobalAddress } from "./global_address.ts";

/** The access to the network, which tests replace. */
export interface Network {
  /** Returns all addresses of a host name. */
  resolve(host: string): Promise<string[]>;
  connect(address: string, port: number): Promise<Deno.TcpConn>;
  /** Certificates of further authorities to trust. */
  caCerts: string[];
  /** Creates the signal that ends a fetch. */
  deadline(): AbortSignal;
}

export const internet: Network = {
  async resolve(host) {
    const answers = await Promise.allSettled([
      Deno.resolveDns(host, "A"),
      Deno.resolveDns(host, "AAAA"),
    ]);
    return answers.flatMap((answer) => answer.status === "fulfilled" ? answer.value : []);
  },
  connect: (hostname, port) => Deno.connect({ hostname, port }),
  caCerts: [],
  deadline: () => AbortSignal.timeout(5 * SECOND_MS),
};

export interface Got {
  status: number;
  headers: Headers;
  body: string;
}

const MAX_HEAD = 16 * 1024;
/** The maximum size of a body, in bytes. */
const MAX_BODY = 5 * 1024;

/**
 * Fetches a small document from a URL that a stranger chose. It connects to an address that it has
 * checked, so that the name cannot resolve to another one in between (`fetch` would resolve it again),
 * and follows no redirects.
 *
 * @param url an https URL
 * @param signal ends the fetch before its deadline
 * @throws {Error} if an address is not globally routable, the body is longer than 5 KiB, the deadline
 * has passed, or the server cannot be reached
 */
export async function pinnedGet(
  url: URL,
  network: Network,
  signal?: AbortSignal,
): Promise<Got> {
  const deadline = AbortSignal.any([network.deadline(), ...signal === undefined ? [] : [signal]]);
  const addresses = await until(deadline, network.resolve(url.hostname));
  if (addresses.length === 0 || !addresses.every(isGlobalAddress)) {
    throw new Error("The host has no address, or one that is not globally routable.");
  }
  const connecting = network.connect(addresses[0], Number(url.port || 443));
  const tcp = await until(deadline, connecting).catch((error) => {
    connecting.then((late) => late.close(), () => {});
    throw error;
  });
  tcp.setNoDelay(true);
  let connection: Deno.Conn = tcp;
  const close = () => {
    try {
      connection.close();
    } catch {
      // It was already closed.
    }
  };
  deadline.addEventListener("abort", close);
  try {
    connection = await until(
      deadline,
      Deno.startTls(tcp, {
        hostname: url.hostname,
        caCerts: network.caCerts,
        alpnProtocols: ["http/1.1"],
      }),
    );
    return await until(deadline, exchange(connection, url));
  } finally {
    deadline.removeEventListener("abort", close);
    close();
  }
}

/** Rejects as soon as the deadline has passed. */
function until<Value>(deadline: AbortSignal, promise: Promise<Value>): Promise<Value> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(deadline.reason);
  if (deadline.aborted) abort();
  deadline.addEventListener("abort", abort);
  return Promise.race([promise, aborted])
    .finally(() => deadline.removeEventListener("abort", abort));
}

async function exchange(connection: Deno.Conn, { host, pathname, search }: URL): Promise<Got> {
  const request = `GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\n` +
    "Accept: application/json\r\nUser-Agent: Gatehouse\r\nConnection: close\r\n\r\n";
  const writer = connection.writable.getWriter();
  await writer.write(new TextEncoder().encode(request));
  writer.releaseLock();
  const source = connection.readable[Symbol.asyncIterator]();
  let bytes: Bytes = new Uint8Array();
  const more = async () => {
    const { done, value } = await source.next();
    if (!done) bytes = concatBytes([bytes, value]);
    return !done;
  };
  for (;;) {
    const head = await readHead(() => bytes, more);
    bytes = bytes.slice(head.length);
    if (head.status < 200) continue; // an interim response precedes the final one
    const { status, headers } = head;
    const body = await readBody(headers, () => bytes, more);
    return { status, headers, body: new TextDecoder("utf-8", { fatal: true }).decode(body) };
  }
}

type Read = () => Bytes;
type More = () => Promise<boolean>;

async function readHead(read: Read, more: More) {
  for (;;) {
    // Latin-1 has one character per byte.
    const text = new TextDecoder("latin1").decode(read().subarray(0, MAX_HEAD));
    const end = text.indexOf("\r\n\r\n");
    if (end >= 0) {
      const [first, ...lines] = text.slice(0, end).split("\r\n");
      const status = Number(/^HTTP\/1\.[01] ([1-5]\d\d)( |$)/.exec(first)?.[1]);
      if (Number.isNaN(status)) throw new Error("The response is not HTTP.");
      const headers = new Headers();
      for (const line of lines) {
        const colon = line.indexOf(":");
        headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
      }
      return { status, headers, length: end + 4 };
    }
    if (read().length >= MAX_HEAD || !await more()) throw new Error("The head is incomplete.");
  }
}

async function readBody(headers: Headers, read: Read, more: More): Promise<Bytes> {
  const chunked = /\bchunked\b/i.test(headers.get("transfer-encoding") ?? "");
  const declared = chunked ? null : headers.get("content-length");
  const length = declared === null ? Infinity : Number(declared);
  if (declared !== null && !(length <= MAX_BODY)) throw new Error("The body is too long.");
  for (;;) {
    const body = chunked ? dechunk(read()) : read().length >= length ? read() : null;
    if (body !== null) return body.slice(0, Math.min(length, MAX_BODY));
    // Chunks of a few bytes each take more space than their content.
    if (read().length > 2 * MAX_BODY) throw new Error("The body is too long.");
    if (await more()) continue;
    if (chunked || declared !== null) throw new Error("The body is incomplete.");
    if (read().length > MAX_BODY) throw new Error("The body is too long.");
    return read();
  }
}

/** Returns the content of a chunked body (RFC 9112, section 7.1); null if it is incomplete. */
function dechunk(bytes: Bytes): Bytes | null {
  const text = new TextDecoder("latin1").decode(bytes);
  const parts: Bytes[] = [];
  let size = 0;
  for (let at = 0;;) {
    const end = text.indexOf("\r\n", at);
    if (end < 0) return null;
    const length = /^[\da-f]{1,6}(?=\s*(;|$))/i.exec(text.slice(at, end))?.[0];
    if (length === undefined) throw new Error("A chunk is malformed.");
    const start = end + 2;
    const stop = start + parseInt(length, 16);
    if (stop === start) return concatBytes(parts);
    size += stop - start;
    if (size > MAX_BODY) throw new Error("The body is too long.");
    if (bytes.length < stop + 2) return null;
    parts.push(bytes.slice(start, stop));
    at = stop + 2;
  }
}
