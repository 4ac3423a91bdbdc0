import { encodeHex } from "../../base/encoding.ts";

/** The contact module for other pages, as one script. */
export interface ContactModule {
  code: Uint8Array<ArrayBuffer>;
  gzip: Uint8Array<ArrayBuffer>;
  /** The first 20 hexadecimal digits of its SHA-256. */
  fingerprint: string;
}

export const MODULE_FILE = "contact-form.js";

export const versionPath = ({ fingerprint }: ContactModule): string =>
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
 * Reads the script from a build folder.
 *
 * @throws {Deno.errors.NotFound} (rejects) if there is no build
 */
export async function readContactModule(folder: string): Promise<ContactModule> {
  return await contactModuleOf(await Deno.readFile(`${folder}/${MODULE_FILE}`));
}
