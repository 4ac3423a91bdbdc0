/** Pages stored with gaps, also compressed, into which each response writes its own CSP nonce. */
import { Buffer } from "node:buffer";
import zlib from "node:zlib";

/** Bytes with places where a nonce is written. */
export interface Template {
  bytes: Uint8Array<ArrayBuffer>;
  /** Where each nonce starts. */
  places: number[];
}

/** A text as long as a nonce. All of its characters differ, so that Brotli does not compress it. */
const PLACEHOLDER = "0aZ9bY8cX7dW6eV5fU4gT3";

/** A second placeholder, which differs from the first one in every character. */
const REVERSED = PLACEHOLDER.split("").reverse().join("");

const NONCE_BYTES = 16;

/** Returns a nonce with 128 random bits. */
export const newNonce = (): string =>
  crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
    .toBase64({ alphabet: "base64url", omitPadding: true });

/** Returns a template with a nonce between every two parts. */
export function templateOf(parts: string[]): Template {
  const bytes = new TextEncoder().encode(parts.join(PLACEHOLDER));
  const places: number[] = [];
  let at = 0;
  for (const part of parts.slice(0, -1)) {
    at += new TextEncoder().encode(part).length;
    places.push(at);
    at += PLACEHOLDER.length;
  }
  return { bytes, places };
}

/**
 * Writes a nonce into a template and returns its bytes, which the next call overwrites: `new Response`
 * copies them.
 */
export function fill({ bytes, places }: Template, nonce: string): Uint8Array<ArrayBuffer> {
  for (const place of places) {
    for (let i = 0; i < nonce.length; i++) bytes[place + i] = nonce.charCodeAt(i);
  }
  return bytes;
}

/**
 * Compresses a template so that nonces can be written into the compressed bytes. The encoder gets
 * each nonce by itself, as text that does not get shorter, and so stores its bytes as they are, or
 * refers to an earlier one. The next characters depend on the two before them, so those are stored
 * with the nonce.
 *
 * @returns null if the encoder did not do so
 */
export async function brotliTemplate(template: Template): Promise<Template | null> {
  const plain = fill(template, PLACEHOLDER).slice();
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (const place of template.places) {
    const end = Math.min(place + PLACEHOLDER.length + 2, plain.length);
    pieces.push(plain.subarray(from, place), plain.subarray(place, end));
    from = end;
  }
  const bytes = await brotli([...pieces, plain.subarray(from)]);
  const stored = { bytes, places: placesIn(bytes) };
  const back = zlib.brotliDecompressSync(fill(stored, REVERSED));
  return back.equals(fill({ ...template, bytes: plain }, REVERSED)) ? stored : null;
}

/** Compresses pieces one after another, so that each begins on a byte boundary. */
async function brotli(pieces: Uint8Array[]): Promise<Uint8Array<ArrayBuffer>> {
  const { BROTLI_OPERATION_FLUSH, BROTLI_PARAM_QUALITY } = zlib.constants;
  const encoder = zlib.createBrotliCompress({ params: { [BROTLI_PARAM_QUALITY]: 5 } });
  const chunks: Uint8Array[] = [];
  encoder.on("data", (chunk: Uint8Array) => chunks.push(chunk));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  encoder.on("end", resolve).on("error", reject);
  for (const piece of pieces) {
    encoder.write(piece);
    encoder.flush(BROTLI_OPERATION_FLUSH);
  }
  encoder.end();
  await promise;
  return new Uint8Array(Buffer.concat(chunks));
}

function placesIn(bytes: Uint8Array): number[] {
  const text = Buffer.from(bytes).toString("latin1");
  const places: number[] = [];
  for (let at = text.indexOf(PLACEHOLDER); at >= 0; at = text.indexOf(PLACEHOLDER, at + 1)) {
    places.push(at);
  }
  return places;
}
