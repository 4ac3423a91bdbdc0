/**
 * The built-in template: a certificate as a PDF, made from fields.
 *
 * @module
 */
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
}

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
  let maker: Promise<(input: CertificateInput) => Promise<CertificateResult>> | undefined;
  return {
    check(fields, issuer) {
      faces ??= [openFace("SourceSerif-Display"), openFace("SourceSerif-Regular")];
      return issuesOf(fields, issuer, faces);
    },
    async make(input) {
      maker ??= import("./make.ts").then(({ createMaker }) => createMaker()); // a large library
      return await (await maker)(input);
    },
  };
}
