/** Responses of the protected stand-in site that test a relay: ranges, large, slow and broken bodies. */
import { sleep } from "../lib/base/sleep.ts";

const encoder = new TextEncoder();
const REGISTER = encoder.encode(
  Array.from({ length: 200 }, (_, i) => `${String(i + 1).padStart(3, "0")}  entry\n`).join(""),
);
const TAG = '"register-1"';
const MODIFIED = "Mon, 12 Jan 2026 08:00:00 GMT";

/** Returns a small file; supports conditional and range requests (RFC 9110, sections 13 and 14). */
export function file(request: Request): Response {
  const header = (name: string) => request.headers.get(name);
  const headers = new Headers({
    "content-type": "text/plain; charset=utf-8",
    "accept-ranges": "bytes",
    etag: TAG,
    "last-modified": MODIFIED,
  });
  const tags = header("if-none-match");
  const unchanged = tags === null
    ? header("if-modified-since") === MODIFIED
    : tags.split(",").some((tag) => tag.trim().replace(/^W\//, "") === TAG);
  if (unchanged) return new Response(null, { status: 304, headers });

  const condition = header("if-range");
  const applies = condition === null || condition === TAG || condition === MODIFIED;
  const range = applies ? /^bytes=(\d+)-(\d*)$/.exec(header("range") ?? "") : null;
  if (range === null) return new Response(REGISTER, { headers });
  const start = Number(range[1]);
  if (start >= REGISTER.length) {
    headers.set("content-range", `bytes */${REGISTER.length}`);
    return new Response(null, { status: 416, headers });
  }
  const last = range[2] === "" ? REGISTER.length - 1 : Number(range[2]);
  const end = Math.min(last, REGISTER.length - 1);
  headers.set("content-range", `bytes ${start}-${end}/${REGISTER.length}`);
  return new Response(REGISTER.slice(start, end + 1), { status: 206, headers });
}

/** Returns `length` bytes, generated as they are read. */
export function bytes(length: number): Response {
  const chunk = new Uint8Array(64 << 10).fill(0x2e);
  let left = length;
  const body = new ReadableStream({
    pull(controller) {
      if (left <= 0) return controller.close();
      controller.enqueue(chunk.slice(0, left));
      left -= chunk.length;
    },
  });
  const type = "application/octet-stream";
  return new Response(body, { headers: { "content-type": type, "content-length": `${length}` } });
}

/** Returns ten lines with a pause before each. */
export function drip(ms: number, stopping: AbortSignal): Response {
  let line = 0;
  const body = new ReadableStream({
    async pull(controller) {
      await sleep(ms, stopping);
      if (stopping.aborted || line === 10) return controller.close();
      controller.enqueue(encoder.encode(`line ${++line}\n`));
    },
  });
  return new Response(body, { headers: { "content-type": "text/plain; charset=utf-8" } });
}

/** An error that interrupts a body intentionally. */
export class Interruption extends Error {}

/** Returns a response that declares 100,000 bytes and is cut off after 1,000. */
export function interrupted(): Response {
  let begun = false;
  const body = new ReadableStream({
    pull(controller) {
      if (begun) return controller.error(new Interruption());
      begun = true;
      controller.enqueue(new Uint8Array(1_000).fill(0x2e));
    },
  });
  const type = "text/plain; charset=utf-8";
  return new Response(body, { headers: { "content-type": type, "content-length": "100000" } });
}
