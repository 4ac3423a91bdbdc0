/**
 * The reading of documents in requests: who reads, what they get, and the bytes with their parts.
 *
 * @module
 */
import { isFromOwnPage, isLinkPreview, isPrefetch } from "../../../platform/http/audience.ts";
import { clientOf } from "../../../platform/http/client_address.ts";
import { RequestError, unwrap } from "../../../platform/http/errors.ts";
import { readHeader } from "../../../platform/http/header.ts";
import type { Actor } from "../../../platform/kv/mod.ts";
import {
  type BeginFile,
  coverResponse,
  FILE_POLICY,
  fileResponse,
  isImage,
  noSuchPart,
  rangeOf,
} from "../files/http.ts";
import { PDF } from "../files/file_types.ts";
import { parseDocumentId } from "../ids.ts";
import type { Visitor } from "./permission.ts";
import type { Grant } from "./cookie.ts";
import { fileOf, type OpenDocument, type Reading, type Readings } from "./readings.ts";
import type { PdfJs } from "../files/pdfjs.ts";
import { type Display, readDisplay } from "./display.ts";
import type { DocumentRow, DocumentVersion } from "../store.ts";

/** The parts of a request's context that reading a document depends on. */
interface ReadContext {
  req: Request;
  url: URL;
  info: Deno.ServeHandlerInfo;
  state: {
    services: {
      config: { trustProxy: number };
      documents: {
        read(id: string): Promise<DocumentRow | null>;
        begin: BeginFile;
        coverSheet(
          document: DocumentRow,
          version: DocumentVersion,
        ): Promise<Uint8Array<ArrayBuffer>>;
      };
      pdfJs: PdfJs;
      readings: Readings;
      shares: { readingOf(request: Request, document: string): Promise<Grant | null> };
    };
    surface: { baseUrl: string };
    holder: Visitor["holder"];
    actor: Actor;
    /** Reads `holder` again. */
    readHolder: () => Promise<void>;
    policy: ((policy: string) => string) | null;
  };
}

/** The content of a document's page, and the ticket with which it loads the file. */
export interface View {
  shown: Display;
  ticket: string;
}

/** Returns who reads a document on the trust surface. */
export async function visitorOf({ req, state }: ReadContext, document: string): Promise<Visitor> {
  const grant = await state.services.shares.readingOf(req, document);
  return { holder: state.holder, grant, operator: false };
}

/** The reader of a document that waits for them. */
export const RECIPIENT: Visitor = { holder: null, grant: null, operator: false };

/** The administrator who reads a document in a console. */
export const OPERATOR: Visitor = { holder: null, grant: null, operator: true };

/** Returns the number of the version that an address names; undefined if it names none. */
export function versionNumber({ searchParams }: URL): number | undefined {
  const text = searchParams.get("version");
  if (text === null) return undefined;
  return /^\d{1,3}$/.test(text) ? Number(text) : 0; // there is no version 0
}

/** Reads a document for people who may read it; null for everyone else, and for unknown ids. */
export async function openFor(
  ctx: ReadContext,
  text: string,
): Promise<{ opened: OpenDocument; visitor: Visitor } | null> {
  const { documents, readings } = ctx.state.services;
  const id = parseDocumentId(text);
  const document = id === null ? null : await documents.read(id);
  if (document === null) return null;
  const visitor = await visitorOf(ctx, document.id);
  const opened = readings.open(document, visitor, versionNumber(ctx.url));
  return opened === null || opened.permission === "public" ? null : { opened, visitor };
}

/**
 * Reads what the page of a document shows, and counts the view, which is a request for that page. What
 * the page loads afterwards is part of the view.
 */
export async function openView(
  ctx: ReadContext,
  opened: OpenDocument,
  visitor: Visitor,
): Promise<View> {
  requirePerson(ctx, opened);
  const { readings } = ctx.state.services;
  const { shown } = unwrap(await readDisplay(ctx.state.services, opened.version));
  await count(ctx, "document_viewed", opened, visitor);
  return { shown, ticket: await readings.createTicket({ ...opened, visitor }) };
}

/** Counts a print that the page's own button started. */
export function countPrint(ctx: ReadContext, opened: OpenDocument, visitor: Visitor) {
  requirePage(ctx);
  return count(ctx, "document_printed", opened, visitor);
}

/**
 * Returns the bytes of a document, and counts the download unless one of our pages shows them. Nothing
 * is counted if the bytes cannot be read. If that happens after some were sent, the response ends in
 * an error, and the download stays counted, because the reader has some of the document.
 *
 * A part is sent only if `If-Range` has the tag of a download that was counted, which nobody else was
 * sent. So nobody reads a file in parts without having been counted.
 *
 * @param reopen returns whether the reader may still read it. Default: as a visitor of its page
 */
export async function sendFile(
  ctx: ReadContext,
  opened: OpenDocument,
  visitor: Visitor,
  reopen = async () => await openFor(ctx, opened.document.id) !== null,
): Promise<Response> {
  const { req, url: { searchParams }, state } = ctx;
  const { documents, readings } = state.services;
  const { file, form } = fileOf(
    opened.version,
    searchParams.get("form") === "original" ? "original" : "issued",
  );
  requirePerson(ctx, opened);
  demandReading(ctx, opened, visitor, reopen);
  const isHead = req.method === "HEAD";
  const view = { ...opened, visitor, ticket: searchParams.get("show") ?? "" };
  const shown = (isImage(file) || file.media_type === PDF) && isForPage(ctx) &&
    await readings.hasTicket(view) && (isHead || await readings.takeLoad(view, file));
  const respond = (response: Response) => {
    state.policy = () => FILE_POLICY;
    return response;
  };
  const about = { version: opened.version, file, form, shown };
  if (isHead) return respond(fileResponse(about, { body: null }));
  if (shown) return respond(fileResponse(about, unwrap(await documents.begin(file))));

  const reading = readingOf(ctx, "document_downloaded", opened, visitor);
  const range = rangeOf(req, file.size);
  const tag = readHeader(req, "if-range");
  const resumed = range !== undefined && tag !== null &&
    await readings.canResume(reading, file, tag);
  if (resumed && range === null) return respond(noSuchPart(about, tag));
  const part = resumed ? range : null;
  const { body } = unwrap(await documents.begin(file, part ?? undefined));
  try {
    const download = { file, form, resumed: part && { tag: tag!, part } };
    const counted = unwrap(await readings.countDownload(reading, download));
    return respond(fileResponse(about, { body, part, tag: counted.tag }));
  } catch (error) {
    await body.cancel();
    throw error;
  }
}

/**
 * Demands that the document remains open to its reader, for as long as its bytes are sent. Consoles have
 * demanded a session of their operators.
 */
function demandReading(
  ctx: ReadContext,
  { permission }: OpenDocument,
  visitor: Visitor,
  reopen: () => Promise<boolean>,
) {
  if (visitor.operator) return;
  let isOpen = permission !== "public";
  ctx.state.actor.demand({
    ask() {
      if (!isOpen) throw new RequestError(401, "You can no longer read this document.");
      return { rows: [], until: Infinity };
    },
    async read() {
      await ctx.state.readHolder();
      isOpen = await reopen();
    },
  });
}

/**
 * Returns the cover sheet of a version that has no issued copy. This is not counted as a reading.
 *
 * @throws {RequestError} (rejects) 404 if the version has an issued copy
 */
export async function sendCover(
  { state }: ReadContext,
  { document, version }: OpenDocument,
): Promise<Response> {
  if (version.issued !== null) throw new RequestError(404);
  state.policy = () => FILE_POLICY;
  return coverResponse(version, await state.services.documents.coverSheet(document, version));
}

const readingOf = (
  ctx: ReadContext,
  action: Reading["action"],
  opened: OpenDocument,
  visitor: Visitor,
): Reading => ({ ...opened, action, visitor, request: ctx.req, clientAddress: clientOf(ctx) });

async function count(
  ctx: ReadContext,
  action: Reading["action"],
  opened: OpenDocument,
  visitor: Visitor,
) {
  requirePerson(ctx, opened);
  const reading = readingOf(ctx, action, opened, visitor);
  const counted = await ctx.state.services.readings.count(reading);
  if (counted !== null) unwrap(counted);
}

/**
 * Sends a document only to those whose reading counts. Otherwise a reader could claim to be a link
 * preview, and read it without a trace. A browser that prefetches a page asks again when it is opened.
 */
function requirePerson({ req }: ReadContext, { permission }: OpenDocument): void {
  if (permission === "holder" || !isPrefetch(req) && !isLinkPreview(req)) return;
  throw new RequestError(403, "This document is sent only to people who open it.");
}

/** Returns whether one of our pages loads a file to show it, rather than a person opening it. */
const isForPage = (ctx: ReadContext) =>
  isFromOwnPage(ctx) && ["empty", "image"].includes(readHeader(ctx.req, "sec-fetch-dest") ?? "");

function requirePage(ctx: ReadContext): void {
  if (!isFromOwnPage(ctx)) throw new RequestError(403);
}
