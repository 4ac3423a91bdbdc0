/** Compression of responses: negotiates Brotli or gzip with the client, and applies it. */
import zlib from "node:zlib";
import { readHeader } from "./header.ts";

/** The content codings of responses, the smallest first. */
export const CODINGS = ["br", "gzip"] as const;
export type Coding = (typeof CODINGS)[number];

/** Smaller bodies fit into one packet anyway. */
export const MIN_COMPRESSED_BYTES = 1_024;

/**
 * Returns the coding that a client prefers (RFC 9110, section 12.5.3), or null for none.
 *
 * @param choices the first of those with the same weight is chosen. Default: Brotli
 *
 * @example
 * ```ts
 * codingFor(new Request(url, { headers: { "accept-encoding": "gzip, br;q=0.5" } })); // "gzip"
 * ```
 */
export function codingFor(req: Request, choices: readonly Coding[] = CODINGS): Coding | null {
  const header = readHeader(req, "accept-encoding");
  if (header === null) return null;
  const weights = new Map(header.toLowerCase().split(",").map(weightOf));
  const others = weights.get("*") ?? 0;
  // Without its own weight, an uncompressed body is acceptable but the last choice.
  let best: { coding: Coding | null; weight: number } = {
    coding: null,
    weight: weights.get("identity") ?? 0,
  };
  for (const coding of choices.toReversed()) {
    const weight = weights.get(coding) ?? others;
    if (weight > 0 && weight >= best.weight) best = { coding, weight };
  }
  return best.coding;
}

/** Reads an element such as `gzip;q=0.5`. A malformed weight counts as 0. */
function weightOf(element: string): [coding: string, weight: number] {
  const [coding, ...parameters] = element.split(";").map((part) => part.trim());
  const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
  return [coding, /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 0];
}

/**
 * How hard to compress. `once` is for bodies that are sent once: they get an eighth larger than with `fast`, in a third of
 * the time. `best` takes dozens of times as long, for files that are compressed once.
 */
type Effort = "once" | "fast" | "best";

const GZIP_LEVELS: Record<Effort, number> = { once: 5, fast: 6, best: 9 };
const BROTLI_QUALITIES: Record<Effort, number> = { once: 3, fast: 5, best: 11 };
/** With a larger one, preparing the encoder takes longer than compressing most pages. */
const WINDOW_OF_PAGES = 18;

/** Compresses a body. */
export function compress(
  bytes: Uint8Array,
  coding: Coding,
  effort: Effort,
): Uint8Array<ArrayBuffer> {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT } = zlib.constants;
  const compressed = coding === "gzip"
    ? zlib.gzipSync(bytes, { level: GZIP_LEVELS[effort] })
    : zlib.brotliCompressSync(bytes, {
      params: {
        [BROTLI_PARAM_QUALITY]: BROTLI_QUALITIES[effort],
        [BROTLI_PARAM_SIZE_HINT]: bytes.length,
        ...effort === "once" && { [BROTLI_PARAM_LGWIN]: WINDOW_OF_PAGES },
      },
    });
  return new Uint8Array(compressed);
}
