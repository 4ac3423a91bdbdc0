import { encodeHex } from "../encoding.ts";
import { readHeader } from "../http/header.ts";

/** The contact module as other pages load it: one script. */
export interface ContactModule {
  code: Uint8Array<ArrayBuffer>;
  /** The same, compressed. */
  gzip: Uint8Array<ArrayBuffer>;
  /** The beginning of its SHA-256, in hexadecimal digits: another script has another one. */
  fingerprint: string;
}

/** Where a build puts the script, in its folder. */
export const MODULE_FILE = "contact-form.js";

const versionPath = ({ fingerprint }: ContactModule): string =>
  `/components/contact-form/${fingerprint}.js`;

export async function contactModuleOf(code: Uint8Array<ArrayBuffer>): Promise<ContactModule> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", code));
  const compressed = new Blob([code]).stream().pipeThrough(new CompressionStream("gzip"));
  return {
    code,
    gzip: new Uint8Array(await new Response(compressed).arrayBuffer()),
    fingerprint: encodeHex(digest.subarray(0, 10)),
  };
}

/**
 * Reads the script that a build has made.
 *
 * @param folder the build's
 * @throws {Deno.errors.NotFound} (rejects) where there is no build
 */
export async function readContactModule(folder: string): Promise<ContactModule> {
  return await contactModuleOf(await Deno.readFile(`${folder}/${MODULE_FILE}`));
}

/** A page of any origin may load it, also with `crossorigin` and `integrity`. */
const OPEN = {
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin",
};

/**
 * The answer at the address that never changes, `/components/contact-form.js`: kept for five
 * minutes, so that pages get a new version.
 */
export function leadToVersion(module: ContactModule): Response {
  return new Response(null, {
    status: 302,
    headers: { ...OPEN, "location": versionPath(module), "cache-control": "public, max-age=300" },
  });
}

/**
 * The script itself. One of another version is asked for by who was led there a few minutes ago, or
 * by another process while a new version is rolled out: it gets this one, which the same endpoint
 * answers, and which nobody keeps under that address. A page with an `integrity` refuses it, as it
 * wants to.
 *
 * @param name what stands at the end of the address
 * @returns null where that is no version's name
 */
export function serveVersion(module: ContactModule, name: string, req: Request): Response | null {
  if (!/^[0-9a-f]{20}\.js$/.test(name)) return null;
  const current = name === `${module.fingerprint}.js`;
  const zipped = GZIP.test(readHeader(req, "accept-encoding") ?? "");
  return new Response(zipped ? module.gzip : module.code, {
    headers: {
      ...OPEN,
      ...zipped && { "content-encoding": "gzip" },
      "vary": "Accept-Encoding",
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": current ? "public, max-age=31536000, immutable" : "no-store",
    },
  });
}

/** In an `Accept-Encoding`, unless with a weight of nothing. */
const GZIP = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i;
