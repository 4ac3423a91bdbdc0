import { readAhead, readSlot, transact, unchecked } from "../../platform/kv/mod.ts";
import type { QueuedMail } from "../../platform/mail/mod.ts";
import { addAccess, type Reader, readExisting } from "../records/mod.ts";
import { fail, type Failure } from "../../base/result.ts";
import { HOUR_MS } from "../../base/time.ts";
import { addLink, findLink, type FoundLink, useLink } from "./access_links.ts";
import { createAccessMails } from "./access_mails.ts";
import { type NamedRequest, readNamed, requests, saveRequest, stateOf } from "./access_requests.ts";
import { addGrant, findGrant } from "./grants.ts";
import { type AccessOptions, describe } from "./request_access.ts";
import { documents, endOf } from "./store.ts";

/**
 * The state of a grant link in the browser that opened it. `here`: this browser has the grant.
 * `withdrawn` and `expired`: the document can no longer be read, which its public page says too.
 */
export type LinkView =
  | {
    ok: true;
    state: "open" | "here" | "elsewhere" | "withdrawn" | "expired";
    document: string;
    endsAt: string;
  }
  | Failure<"not_found">;

/** The rows that the URL of a link names. Anybody may have written them. */
export interface NamedByLink {
  request: string | undefined;
  document: string | null;
}

/** The mailed links that open a document for a person whose request was approved. */
export interface GrantLinks {
  /**
   * Reads a grant link, without using it.
   *
   * @param named the request and the document that the link's URL names
   */
  readLink(token: string, request: Request, named?: NamedByLink): Promise<LinkView>;
  /** Uses a grant link: binds the grant to the browser that sent the request. */
  useLink(
    token: string,
    request: Request,
    reader: Reader,
  ): Promise<{ ok: true; document: string; cookie: string } | Failure<"not_found" | "used">>;
  /** Mails a new link to the address of the request, if it still gives access. */
  renewLink(token: string): Promise<void>;
}

/** The most new links for one request in an hour. */
export const NEW_LINKS_PER_HOUR = 3;

export function createGrantLinks(options: AccessOptions): GrantLinks {
  const { kv, clock, mailer } = options;
  const mails = createAccessMails(options);

  /** Returns a grant link whose request still gives access. */
  async function openLink(token: string, named?: NamedRequest): Promise<FoundLink | null> {
    const now = clock();
    const link = await findLink(kv, token, "open", now, named);
    return link !== null && stateOf(link.row, now) === "approved" ? link : null;
  }

  return {
    async readLink(token, request, named) {
      const known = readNamed(kv, named?.request, clock());
      const readFor = (document: string) =>
        readAhead(() =>
          Promise.all([
            findGrant(kv, clock(), request, document, known),
            documents.get(kv, document),
          ])
        );
      const early = named?.document ? readFor(named.document) : undefined;
      const link = await openLink(token, known);
      if (link === null) return fail("not_found");
      const { document, id, ends_at } = link.row;
      const read = early !== undefined && document === named!.document ? early : readFor(document);
      const [grant, { value: row }] = await read();
      const ended = row === null ? "withdrawn" : endOf(row, clock())?.as;
      const state = ended ??
        (grant?.id === id ? "here" : link.state === "open" ? "open" : "elsewhere");
      return { ok: true, state, document, endsAt: ends_at! };
    },

    useLink: (token, request, reader) =>
      transact<Awaited<ReturnType<GrantLinks["useLink"]>>>(async () => {
        const now = clock();
        const link = await openLink(token);
        if (link === null) return { result: fail("not_found") };
        if (link.state === "used") return { result: fail("used") };
        const [entry, record] = await Promise.all([
          requests.get(kv, link.row.id),
          readExisting(kv, link.row.record),
        ]);
        const row = entry.value;
        if (record === null || row === null || stateOf(row, now) !== "approved") {
          return { result: fail("not_found") };
        }
        const commit = kv.atomic().check(entry, record.contact);
        useLink(commit, link, now);
        const { grant, cookie } = addGrant(commit, request, row, now);
        saveRequest(commit, { ...row, grant }, now);
        addAccess(
          commit,
          row.record,
          { what: "access_opened", reader, detail: describe(row) },
          now,
        );
        return { result: { ok: true, document: row.document, cookie }, commit };
      }),

    async renewLink(token) {
      const queued = await transact<QueuedMail[]>(async () => {
        const now = clock();
        const link = await openLink(token);
        if (link === null) return { result: [] };
        const [entry, record, document, slot] = await Promise.all([
          requests.get(kv, link.row.id),
          readExisting(kv, link.row.record),
          documents.get(kv, link.row.document),
          readSlot(kv, {
            key: ["access_limits", "link", link.row.id],
            limit: NEW_LINKS_PER_HOUR,
            windowMs: HOUR_MS,
          }, now),
        ]);
        const before = entry.value;
        if (record === null || before === null || stateOf(before, now) !== "approved") {
          return { result: [] };
        }
        if (slot.waitMs > 0 || endOf(document.value, now) !== null) return { result: [] };
        unchecked("A new link changes its request.", link.entry);
        unchecked("The link reads the document again.", document);
        const commit = kv.atomic().check(entry, record.contact);
        slot.take(commit);
        const { token: renewed, row } = addLink(commit, before, "open", now);
        saveRequest(commit, row, now);
        return { result: [await mails.addGrant(commit, row, renewed)], commit };
      });
      mailer.send(queued);
    },
  };
}
