import { isFromOwnPage, isLinkPreview, isPrefetch } from "../../platform/http/audience.ts";
import { clientOf } from "../../platform/http/client_address.ts";
import { RequestError, unwrap } from "../../platform/http/errors.ts";
import { readHeader } from "../../platform/http/header.ts";
import {
  coverResponse,
  FILE_POLICY,
  fileResponse,
  isImage,
  type OpenFile,
} from "./file_response.ts";
import { PDF } from "./file_types.ts";
import { parseDocumentId } from "./ids.ts";
import type { Grant } from "./grants.ts";
import type { Visitor } from "./permission.ts";
import { fileOf, type OpenDocument, type Reading, type Readings } from "./reading.ts";
import type { DocumentRow, DocumentVersion } from "./store.ts";

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
        open: OpenFile;
        coverSheet(
          document: DocumentRow,
          version: DocumentVersion,
        ): Promise<Uint8Array<ArrayBuffer>>;
      };
      readings: Readings;
      access: { grantOf(request: Request, document: string): Promise<Grant | null> };
    };
    surface: { baseUrl: string };
    holder: Visitor["holder"];
    policy: ((policy: string) => string) | null;
  };
}

/** Returns who reads a document on the trust surface. */
export async function visitorOf({ req, state }: ReadContext, document: string): Promise<Visitor> {
  const grant = await state.services.access.grantOf(req, document);
  return { holder: state.holder, grant, operator: false };
}

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
 * Counts a view, which is a request for the page that shows the document. What the page loads
 * afterwards is part of the view.
 *
 * @returns the ticket with which the page loads the file
 */
export async function countView(
  ctx: ReadContext,
  opened: OpenDocument,
  visitor: Visitor,
): Promise<string> {
  await count(ctx, "document_viewed", opened, visitor);
  return await ctx.state.services.readings.createTicket({ ...opened, visitor });
}

/** Counts a print that the page's own button started. */
export function countPrint(ctx: ReadContext, opened: OpenDocument, visitor: Visitor) {
  requirePage(ctx);
  return count(ctx, "document_printed", opened, visitor);
}

/** Returns the bytes of a document, and counts the download unless one of our pages shows them. */
export async function sendFile(
  ctx: ReadContext,
  opened: OpenDocument,
  visitor: Visitor,
): Promise<Response> {
  const { req, url: { searchParams }, state } = ctx;
  const { file, form } = fileOf(
    opened.version,
    searchParams.get("form") === "original" ? "original" : "issued",
  );
  const ticket = searchParams.get("show");
  const shown = ticket !== null && (isImage(file) || file.media_type === PDF) &&
    isForPage(ctx) && await state.services.readings.hasTicket({ ...opened, visitor, ticket });
  state.policy = () => FILE_POLICY;
  const { version } = opened;
  requirePerson(ctx, opened);
  const response = fileResponse(req, { version, file, form, shown }, state.services.documents.open);
  if (!shown && response.status === 200) {
    await count(ctx, "document_downloaded", opened, visitor, form);
  }
  return response;
}

/** Returns the cover sheet of a version that has no issued copy. This is not counted as a reading. */
export async function sendCover(
  { state }: ReadContext,
  { document, version }: OpenDocument,
): Promise<Response> {
  if (version.issued !== null) throw new RequestError(404);
  state.policy = () => FILE_POLICY;
  return coverResponse(version, await state.services.documents.coverSheet(document, version));
}

async function count(
  ctx: ReadContext,
  action: Reading["action"],
  opened: OpenDocument,
  visitor: Visitor,
  form?: Reading["form"],
) {
  requirePerson(ctx, opened);
  const counted = await ctx.state.services.readings.count({
    ...opened,
    action,
    form,
    visitor,
    request: ctx.req,
    clientAddress: clientOf(ctx),
  });
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
