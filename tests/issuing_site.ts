/** A site with an issuer, for tests of how documents are issued and accepted. */
import type { Services } from "../lib/app/services.ts";
import type { IssuingCaller, MailTime, NewIssuedDocument } from "../lib/features/issuing/mod.ts";
import type { IssuerRow } from "../lib/features/issuers/mod.ts";
import { type RecordFixture, recordFixture } from "./record_site.ts";
import type { SiteOverrides } from "./site.ts";

export const RECIPIENT = { name: "Grace Student", email: "grace@example.org" };

/** A site with an issuer. */
export interface IssuingFixture extends RecordFixture {
  issuer: IssuerRow;
  /** Issues a text file, and returns the document with its recipient. */
  issue(
    changes?: Partial<NewIssuedDocument> & { text?: string },
    by?: Partial<IssuingCaller>,
    settings?: { mail: MailTime },
  ): ReturnType<Services["issuing"]["issue"]>;
  /** Returns the path and fields of the newest link that a recipient was mailed. */
  acceptLink(): Promise<{ path: string; fields: { of: string; token: string } }>;
  addIssuer(name: string): Promise<IssuerRow>;
}

/** Creates a site for testing how issuers issue documents. PDFs have no issued copies. */
export async function issuingFixture(
  env: Record<string, string> = {},
  overrides: SiteOverrides = {},
): Promise<IssuingFixture> {
  const fixture = await recordFixture(env, { issuePdf: null, ...overrides });
  const { issuing, issuers } = fixture.site.services;
  async function addIssuer(name: string): Promise<IssuerRow> {
    const added = await issuers.add({ organisation: "commercial", name, by: "admin@example.org" });
    if (!added.ok) throw new Error(added.error);
    return added.issuer;
  }
  const issuer = await addIssuer("Harbour College");
  let number = 0;
  return {
    ...fixture,
    issuer,
    addIssuer,
    issue(changes = {}, by = {}, settings = { mail: "now" }) {
      const { text = `Document ${++number}`, ...rest } = changes;
      return issuing.issue(
        { issuer, test: false, key: { id: "k1" }, ...by },
        {
          recipient: RECIPIENT,
          title: "Certificate III",
          type: "Certificate",
          file_name: "certificate.txt",
          ...rest,
        },
        new Response(text).body!,
        settings,
      );
    },
    async acceptLink() {
      const mails = await fixture.mails();
      const { link } = mails.find(({ link }) => link?.includes("/accept?"))!;
      const { pathname, search, searchParams } = new URL(link!);
      const fields = { of: searchParams.get("of")!, token: searchParams.get("token")! };
      return { path: pathname + search, fields };
    },
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}
