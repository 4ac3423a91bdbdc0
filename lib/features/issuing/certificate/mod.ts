/**
 * The built-in template: a certificate as a PDF, made from fields.
 *
 * @module
 */
import { fail } from "../../../base/result.ts";
import { createThread } from "../../../platform/thread.ts";
import { openFace } from "../../../platform/pdf/wide/faces.ts";
import type { WideFace } from "../../../platform/pdf/wide/face.ts";
import { type CertificateFields, type CertificateIssuer, issuesOf } from "./fields.ts";
import type { CertificateInput, CertificateResult } from "./make.ts";

export { CERTIFICATE_LIMITS, type CertificateFields, type CertificateIssuer } from "./fields.ts";
export type { CertificateInput, CertificateResult } from "./make.ts";

export interface Certificates {
  /**
   * Returns what is wrong with the fields of a certificate, by field; nothing if it can be made. It takes
   * a fraction of the time that making one takes.
   */
  check(fields: CertificateFields, issuer: CertificateIssuer): Record<string, string>;
  /**
   * Makes a certificate: one page in A4, with tags for screen readers. Equal input gives equal bytes. Fails
   * with the issues of `check`, or with one for `logo` if it cannot be read.
   */
  make(input: CertificateInput): Promise<CertificateResult>;
  /** Ends the thread in which they are made. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** A certificate takes 3 ms, and a large logo a second. */
const LIMITS = { timeoutMs: 15_000, heapMb: 128 };

/**
 * Creates the maker of certificates.
 *
 * @example
 * ```ts
 * const made = await certificates.make({ fields: { name, title, date }, issuer, logo, at });
 * if (made.ok) await documents.add(about, made.bytes);
 * ```
 */
export function createCertificates(): Certificates {
  let faces: WideFace[] | undefined;
  const script = new URL("./worker.ts", import.meta.url);
  const thread = createThread<CertificateInput, CertificateResult>(script, LIMITS);
  return {
    check(fields, issuer) {
      faces ??= [openFace("SourceSerif-Regular"), openFace("SourceSans-Regular")];
      return issuesOf(fields, issuer, faces);
    },
    async make(input) {
      const outcome = await thread.run(input);
      if (outcome.ok) return outcome.result;
      if (outcome.exceeded === "time") return fail("unavailable", { retryAfterSeconds: 30 });
      // The texts have limits, so only the logo can take this much.
      return fail("invalid_request", { issues: { logo: "The logo is too complex." } });
    },
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  };
}
