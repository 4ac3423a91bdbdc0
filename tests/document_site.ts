/** A site with documents for tests of how they are read. */
import {
  type AccessRequestRow,
  saveRequest,
  timesOf,
} from "../lib/features/documents/access/requests.ts";
import { addPersonalLink } from "../lib/features/documents/access/personal_links.ts";
import type { DocumentRow, NewDocument } from "../lib/features/documents/mod.ts";
import { type AccessEntry, type AccessKind, readAccessLog } from "../lib/features/records/mod.ts";
import type { SiteOverrides } from "./site.ts";
import { type RecordFixture, recordFixture } from "./record_site.ts";

/** A site with a record whose documents are read. */
export interface DocumentFixture extends RecordFixture {
  /** The record, and its holder's `Cookie` header. */
  hash: string;
  cookie: string;
  add(body: Uint8Array<ArrayBuffer> | string, details?: Partial<NewDocument>): Promise<DocumentRow>;
  addVersion(id: string, body: Uint8Array<ArrayBuffer> | string): Promise<void>;
  /** Returns the `Cookie` header of a browser with a grant for a document. */
  grant(document: string): Promise<string>;
  /** Returns the kinds of the chain's events that readers caused. */
  events(): Promise<string[]>;
  /** Returns the entries of the access log that readers caused, oldest first. */
  log(): Promise<AccessEntry[]>;
  /** Sends a request of an administrator to the console. */
  asAdministrator(path: string, init?: RequestInit): Promise<Response>;
}

/** Actions of readers. */
const KINDS: AccessKind[] = ["document_viewed", "document_downloaded", "document_printed"];

export const BY = "admin@example.org";

/** Files that only begin like a PDF and an image. */
export const PDF = "%PDF-1.7\n".padEnd(5000, "%");
export const PNG = new Uint8Array([
  ...[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  ...Array(3000).fill(1),
]);

export async function documentFixture(
  env: Record<string, string> = {},
  overrides: SiteOverrides = {},
): Promise<DocumentFixture> {
  // The tests of the viewer use originals, some of which are not real PDFs.
  const fixture = await recordFixture(env, { issuePdf: null, ...overrides });
  const { site, clock } = fixture;
  const { kv, documents, chains, auth } = site.services;
  const holder = await fixture.holder();
  const { hash } = holder;
  const streamOf = (body: Uint8Array<ArrayBuffer> | string) => new Blob([body]).stream();
  let session: string | undefined;
  return {
    ...fixture,
    ...holder,
    async add(body, details) {
      const document: NewDocument = {
        record: hash,
        organisation: "commercial",
        title: "Certificate of Ada",
        kind: "Certificate",
        public: false,
        file_name: "certificate.pdf",
        by: BY,
        ...details,
      };
      const result = await documents.add(document, streamOf(body));
      if (!result.ok) throw new Error(result.message ?? result.error);
      return result.document;
    },
    async addVersion(id, body) {
      const result = await documents.addVersion(id, { file_name: "b.pdf", by: BY }, streamOf(body));
      if (!result.ok) throw new Error(result.message ?? result.error);
    },
    async grant(document) {
      const now = clock.now;
      const row: AccessRequestRow = {
        id: crypto.randomUUID(),
        document,
        record: hash,
        organisation: "commercial",
        person: { name: "Rita Reader", email: "rita@example.net", reason: "To read it" },
        mac: crypto.randomUUID(),
        state: "approved",
        requested_at: new Date(now).toISOString(),
        confirmed_at: null,
        decided_at: null,
        decided_by: "holder",
        decision_reason: null,
        ...timesOf("approved", now),
        links: [],
        share: null,
      };
      const commit = kv.atomic();
      const { token: code, row: approved } = await addPersonalLink(kv, commit, row, now);
      saveRequest(commit, approved, now);
      await commit.commit();
      const opened = await fixture.fetch("/s", { form: { act: "open", code } });
      await opened.body?.cancel();
      return opened.headers.get("set-cookie")!.split(";")[0];
    },
    events: async () =>
      (await chains.page(hash))!.events.map(({ kind }) => kind).filter((kind) =>
        kind.startsWith("document_")
      ),
    async log() {
      const { entries } = await readAccessLog(kv, hash, clock.now, { limit: 200 });
      // Entries of the same time have no order of their own.
      return entries.filter(({ what }) => KINDS.includes(what)).sort((a, b) => a.seq! - b.seq!);
    },
    async asAdministrator(path, init) {
      if (session === undefined) {
        const { token } = await auth.issueLink({ email: BY, surface: "commercial-console" });
        session = (await auth.verify(token, "commercial-console"))!.sessionId;
      }
      return await site.request("commercial-console", path, {
        ...init,
        headers: { cookie: `app_session=${session}`, accept: "text/html", ...init?.headers },
      });
    },
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}
