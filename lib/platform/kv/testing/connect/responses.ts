/** The HTTP responses of the KV Connect server of the tests, also those that break off. */
import { Buffer } from "node:buffer";
import type { Bytes } from "../../../../base/encoding.ts";
import { delayBy } from "../slow_kv.ts";
import { Refused } from "./requests.ts";

export const protobuf = (bytes: Bytes): Response =>
  new Response(bytes, { headers: { "content-type": "application/x-protobuf" } });

/** Returns the response for a request that cannot be served. */
export function refusal(error: unknown): Response {
  const { status, message } = error instanceof Refused
    ? error
    : new Refused(400, `The request is invalid: ${error}`);
  return new Response(message, { status });
}

/** The headers have been sent after this time. */
const HEADERS_MS = 20;

/** Returns a response that ends before its last byte. */
export function cut(bytes: Bytes): Response {
  let parts = 0;
  const body = new ReadableStream({
    async pull(controller) {
      if (parts++ === 0) return controller.enqueue(bytes.subarray(0, 1));
      await delayBy(HEADERS_MS);
      controller.error(new Error("The response breaks off."));
    },
  });
  return new Response(body, {
    headers: { "content-type": "application/x-protobuf", "content-length": String(bytes.length) },
  });
}

/** A response to `watch`: messages with their lengths. */
export class Frames {
  readonly response: Response;
  #controller!: ReadableStreamDefaultController<Uint8Array>;

  /** @param onEnd called when the client or the server ends it */
  constructor(private readonly onEnd: () => void) {
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (controller) => void (this.#controller = controller),
      cancel: onEnd,
    });
    const headers = { "content-type": "application/octet-stream" };
    this.response = new Response(body, { headers });
  }

  /** @param message empty for a ping, which shows that the connection is alive */
  send(message: Uint8Array): void {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(message.length);
    this.#controller.enqueue(Buffer.concat([length, message]));
  }

  /** Breaks off. */
  cut(): void {
    this.onEnd();
    this.#controller.error(new Error("The connection breaks off."));
  }
}
