import { latin1 } from "../../../lib/base/encoding.ts";

/** PDF readers accept a header that is completely within these first bytes (ISO 32000-1, annex H.3). */
const HEADER_WITHIN = 1024;

/** Returns the offset of a PDF's header; -1 if readers would find none. */
export const findPdfHeader = (bytes: Uint8Array): number =>
  latin1(bytes.subarray(0, HEADER_WITHIN)).search(/%PDF-/);
