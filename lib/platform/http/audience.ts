/** Distinguishes the senders of requests: people, programs, streams, prefetchers and link previews. */
import { isJsonPost } from "./body.ts";
import { readHeader } from "./header.ts";

/** Returns whether a request accepts JSON, or sends it, and does not accept HTML. */
export function wantsJson(req: Request): boolean {
  if (wantsHtml(req)) return false;
  return (readHeader(req, "accept") ?? "").includes("application/json") || isJsonPost(req);
}

/** Returns whether a request accepts HTML by name. Programs usually accept everything instead. */
export const wantsHtml = (req: Request): boolean =>
  (readHeader(req, "accept") ?? "").includes("text/html");

/**
 * Returns whether a request of a URL that has a page for people and JSON for programs gets the page: it accepts
 * HTML by name, or a chat previews the link.
 */
export const wantsPage = (req: Request): boolean => wantsHtml(req) || isLinkPreview(req);

/** Returns whether a request accepts an event stream rather than JSON or a page. */
export function wantsStream(req: Request): boolean {
  const accept = readHeader(req, "accept") ?? "";
  return /(^|[\s,])text\/event-stream\s*($|[;,])/.test(accept) &&
    !/application\/json|text\/html/.test(accept);
}

/**
 * Returns whether a page of the surface sent a request to it. Programs other than browsers can claim
 * this too.
 */
export function isFromOwnPage(
  { req, url, state }: { req: Request; url: URL; state: { surface: { baseUrl: string } } },
): boolean {
  const site = readHeader(req, "sec-fetch-site");
  const origin = readHeader(req, "origin");
  if (site !== null && site !== "same-origin") return false;
  return origin === null ? site !== null : [url.origin, state.surface.baseUrl].includes(origin);
}

/** `Sec-Purpose` is standard (Fetch); the others are older, non-standard headers. */
const PREFETCH_HEADERS = ["sec-purpose", "purpose", "x-purpose", "x-moz"];

/**
 * Returns whether a browser or a mail scanner loads a page in advance, before a person opens it.
 */
export const isPrefetch = (req: Request): boolean =>
  PREFETCH_HEADERS.some((name) => /prefetch|preview/i.test(readHeader(req, name) ?? ""));

/** Names of crawlers and of link previews in chats. Cubot is a brand of phones, not a bot. */
const PREVIEWERS = /(?<!cu)bot\b|crawler|spider|preview|facebookexternalhit|^whatsapp\//i;

/** Returns whether a crawler or a link preview sent a request. */
export const isLinkPreview = (req: Request): boolean =>
  PREVIEWERS.test(readHeader(req, "user-agent") ?? "");
