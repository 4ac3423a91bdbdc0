/**
 * A client for HTTP/1.1 on loopback that spends less time on a request than the servers that it
 * measures, because it parses as little as possible of the responses.
 *
 * @module
 */
import { concat } from "@std/bytes/concat";

export interface BenchRequest {
  path: string;
  /** The `Host` header. */
  host: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** The status of the response. Default: 200. */
  status?: number;
}

/** Returns the bytes of a request, which `fetch` might change. */
export function requestBytes({ path, host, method = "GET", headers, body }: BenchRequest) {
  const content = body instanceof Uint8Array ? body : new TextEncoder().encode(body);
  const all = { host, ...body !== undefined && { "content-length": content.length }, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = new TextEncoder().encode(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
  const bytes = new Uint8Array(head.length + content.length);
  bytes.set(head);
  bytes.set(content, head.length);
  return bytes;
}

/** The longest response that can be read. */
const MAX_BYTES = 4 * 1024 * 1024;

/** A keep-alive connection. */
export class Client implements Disposable {
  #connection: Deno.TcpConn;
  #buffer = new Uint8Array(MAX_BYTES);
  #last: { request?: Uint8Array; length: number } = { length: 0 };

  private constructor(connection: Deno.TcpConn) {
    this.#connection = connection;
  }

  static async connect(port: number, hostname = "127.0.0.1"): Promise<Client> {
    return new Client(await open(port, hostname));
  }

  /**
   * Sends a request and returns its response, which the next call overwrites. If the same request is sent
   * again, a response of the same length is taken as complete: parsing every head would take longer than
   * the fastest server.
   *
   * @throws {Error} if the status is not the expected one
   */
  async send(request: Uint8Array, status = 200): Promise<Uint8Array> {
    let sent = await this.#connection.write(request);
    while (sent < request.length) sent += await this.#connection.write(request.subarray(sent));
    const expected = request === this.#last.request ? this.#last.length : 0;
    for (let filled = 0;;) {
      const count = await this.#connection.read(this.#buffer.subarray(filled));
      if (!count) throw new Error("The response was cut off.");
      filled += count;
      const response = this.#buffer.subarray(0, filled);
      if (filled !== expected) {
        const parsed = parse(response);
        if (parsed === undefined || filled < parsed.length) continue;
        this.#last = { request, length: filled };
        if (parsed.closes) await this.#reconnect();
      }
      if (statusOf(response) === status) return response;
      throw new Error(`Not ${status}: ${new TextDecoder().decode(response.subarray(0, 400))}`);
    }
  }

  async #reconnect() {
    const { port, hostname } = this.#connection.remoteAddr;
    this.#connection.close();
    this.#last = { length: 0 };
    this.#connection = await open(port, hostname);
  }

  /** Sends a request and returns the response's headers and a copy of its body. */
  async read(request: Uint8Array) {
    const response = await this.send(request);
    const text = new TextDecoder("latin1").decode(response);
    const [head] = text.split("\r\n\r\n", 1);
    const headers: Record<string, string> = {};
    for (const [, name, value] of head.matchAll(/^(content-(?:type|encoding)): *(.*)$/gim)) {
      headers[name.toLowerCase()] = value;
    }
    const body = response.slice(head.length + 4);
    return { headers, body: CHUNKED.test(head) ? joinChunks(body) : body };
  }

  [Symbol.dispose]() {
    this.#connection.close();
  }
}

/** Returns the status of a response from the digits after `HTTP/1.1`. */
export const statusOf = (response: Uint8Array): number =>
  (response[9] - 0x30) * 100 + (response[10] - 0x30) * 10 + response[11] - 0x30;

async function open(port: number, hostname: string): Promise<Deno.TcpConn> {
  const connection = await Deno.connect({ hostname, port });
  connection.setNoDelay();
  return connection;
}

const CHUNKED = /^transfer-encoding: *chunked$/im;

/** Returns what the chunks of a whole body contain. */
function joinChunks(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const chunks: Uint8Array[] = [];
  for (let at = 0, size = -1; size !== 0;) {
    const line = bytes.indexOf(0x0d, at);
    size = parseInt(new TextDecoder().decode(bytes.subarray(at, line)), 16);
    chunks.push(bytes.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
  return concat(chunks);
}

/** Returns the length of a response and whether the server closes the connection after it. */
function parse(bytes: Uint8Array): { length: number; closes: boolean } | undefined {
  const text = new TextDecoder("latin1").decode(bytes);
  const end = text.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const head = text.slice(0, end);
  const closes = /^connection: close$/im.test(head);
  const length = /^content-length: *(\d+)$/im.exec(head);
  if (length !== null) return { length: end + 4 + Number(length[1]), closes };
  const isChunked = CHUNKED.test(head);
  if (isChunked && !text.endsWith("\r\n0\r\n\r\n")) return undefined;
  return { length: isChunked ? text.length : end + 4, closes };
}
