/**
 * The certificates of documents, from the fields that issuers send.
 *
 * @module
 */
import { encodeHex } from "../../base/encoding.ts";
import { fail, type Failure } from "../../base/result.ts";
import { inOneLine } from "../../../packages/pdf/light.ts";
import type { IssuerRow, PictureKind } from "../issuers/mod.ts";
import type { CertificateFields, CertificateIssuer, Certificates } from "./certificate/mod.ts";
import { INVALID } from "./problems.ts";

/** The fields of a certificate as an issuer sends them. Those that are absent come from the document. */
export type TemplateFields = { [Name in keyof CertificateFields]?: CertificateFields[Name] };

/** The values that a certificate takes from its document. */
export interface CertificateAbout {
  recipient: { name: string; language?: string };
  title: string;
  date?: string;
}

/** The members of a request that a field of the certificate has by default. */
const SOURCES: Readonly<Record<string, string>> = {
  name: "recipient.name",
  language: "recipient.language",
  title: "title",
  date: "date",
};

/** Makes the certificates of documents: the built-in template. */
export interface CertificateContents {
  /** Returns what is wrong with the fields of each certificate, by field. */
  issuesOf(
    issuer: IssuerRow,
    all: readonly CertificateFields[],
  ): ReturnType<Certificates["check"]>;
  /** Returns the fields of a certificate, or what is wrong with them, by the names in the request. */
  check(
    issuer: IssuerRow,
    about: CertificateAbout,
    given: TemplateFields,
  ): Promise<{ ok: true; fields: CertificateFields } | Failure>;
  /**
   * Makes the file. It has a random part, so that nobody finds the fields by comparing hashes.
   *
   * @param test whether it says that it is a test
   */
  make(issuer: IssuerRow, fields: CertificateFields, test: boolean): Promise<
    { ok: true; bytes: Uint8Array<ArrayBuffer> } | Failure
  >;
}

export interface CertificateContentsOptions {
  clock: () => number;
  certificates: Certificates;
  /** Returns the file of a picture; undefined if the issuer has none. */
  pictureOf: (issuer: IssuerRow, kind: PictureKind) => Promise<Uint8Array | undefined>;
  /** Returns the domain of an issuer, if it has shown that it is its own. */
  domainOf: (issuer: IssuerRow) => string | undefined;
}

/** Creates what turns the fields of requests into certificates. */
export function createCertificateContents(
  { clock, certificates, pictureOf, domainOf }: CertificateContentsOptions,
): CertificateContents {
  const issuerOf = (issuer: IssuerRow): CertificateIssuer => {
    const domain = domainOf(issuer);
    return { name: issuer.name, ...domain !== undefined && { domain } };
  };
  const issuesOf = (issuer: IssuerRow, all: readonly CertificateFields[]) => {
    const by = issuerOf(issuer);
    return certificates.check(all.map((fields) => ({ fields, issuer: by })));
  };
  return {
    issuesOf,
    async check(issuer, { recipient: { name, language }, title, date = "" }, given) {
      const present = Object.entries(given).filter(([, text]) => text !== undefined);
      const fields = { name, language, title, date, ...Object.fromEntries(present) };
      const checked = await issuesOf(issuer, [fields]);
      if (!checked.ok) return checked;
      const issues = Object.entries(checked.issues[0]).map(
        ([name, issue]) => [
          given[name as keyof TemplateFields] === undefined
            ? SOURCES[name] ?? name
            : `template.fields.${name}`,
          issue,
        ],
      );
      if (issues.length === 0) return { ok: true, fields };
      return fail("invalid_request", { message: INVALID, issues: Object.fromEntries(issues) });
    },
    make: async (issuer, fields, test) =>
      await certificates.make({
        fields,
        issuer: issuerOf(issuer),
        logo: await pictureOf(issuer, "logo"),
        ...isSigned(issuer, fields) && { signature: await pictureOf(issuer, "signature") },
        at: new Date(clock()).toISOString(),
        ...test && { test },
        random: encodeHex(crypto.getRandomValues(new Uint8Array(16))),
      }),
  };
}

/** Returns whether a certificate names the person whose signature its issuer has, because no other one may have it. */
const isSigned = ({ signature }: IssuerRow, { signatory = "" }: CertificateFields): boolean =>
  signature !== null && inOneLine(signatory) === inOneLine(signature.signatory);
