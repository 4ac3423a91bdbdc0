/** OAuth clients whose id is the URL of a metadata document: fetches, checks and caches these documents. */
import { parseJson } from "../../base/parse_json.ts";
import { z } from "zod";
import {
  type Got,
  isPinnable,
  type Network,
  pinnedFetch,
} from "../../platform/http/pinned_fetch.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../base/time.ts";
import { clientName, nameList, redirectUris, usesRefresh } from "./clients.ts";
import type { OAuthClient } from "./rows.ts";

/** How many documents are fetched at the same time; bounds the sockets and the memory. */
const MAX_FETCHES = 100;
const MIN_FRESH_MS = 5 * MINUTE_MS;
const MAX_FRESH_MS = DAY_MS;
const DEFAULT_FRESH_MS = HOUR_MS;
/** How long a failure is remembered, so that a broken origin is not asked for each request. */
const RETRY_MS = MINUTE_MS;
/** How long a copy is used while its origin fails. */
const STALE_MS = 7 * DAY_MS;
const MAX_URL = 2_000;

interface Fetch {
  requester: string;
  /** Null if the fetch was ended to make room for another one. */
  result: Promise<Cached | null>;
  giveWay: AbortController;
}

interface Cached {
  client: OAuthClient | null;
  /** The problem of a document that is not valid, for the developer of the app. */
  problem?: string;
  freshUntil: number;
  usableUntil: number;
}

/**
 * Returns whether a client's id is the URL of a document: https on the default port, a host name, a
 * path, in normal form, without user information, fragment and dot segments.
 */
export function isDocumentUrl(id: string): boolean {
  if (id.length > MAX_URL || !id.startsWith("https://") || /[#\\]/.test(id)) return false;
  const url = URL.parse(id);
  return url !== null && url.href === id && url.pathname !== "/" && isPinnable(url);
}

interface ClientDocumentsOptions {
  clock: () => number;
  network: Network;
  /** How many documents are kept in memory. Default: 500. */
  maxDocuments?: number;
}

/**
 * Creates the documents that describe clients whose id is a URL (client ID metadata documents), cached in
 * the memory of this process.
 */
export function createClientDocuments(
  { clock, network, maxDocuments = 500 }: ClientDocumentsOptions,
) {
  /** The documents in memory, ordered by their last use. */
  const cache = new Map<string, Cached>();
  /** The fetches in progress, oldest first. */
  const fetching = new Map<string, Fetch>();

  function keep(id: string, cached: Cached) {
    cache.delete(id);
    cache.set(id, cached);
    if (cache.size > maxDocuments) cache.delete(cache.keys().next().value!);
  }

  async function load(
    id: string,
    known: Cached | undefined,
    signal: AbortSignal,
  ): Promise<Cached | null> {
    const read = await fetchDocument(id, network, signal);
    if (signal.aborted) return null;
    const now = clock();
    if (read.ok) {
      return {
        client: read.client,
        freshUntil: now + read.freshMs,
        usableUntil: now + STALE_MS,
      };
    }
    const usable = read.outage && known !== undefined && now < known.usableUntil;
    return {
      client: usable ? known.client : null,
      problem: read.problem,
      freshUntil: now + RETRY_MS,
      usableUntil: usable ? known.usableUntil : now,
    };
  }

  /** Ends the oldest fetch of the requester with the most of them, if there are too many. */
  function makeRoom() {
    if (fetching.size < MAX_FETCHES) return;
    const counts = new Map<string, number>();
    for (const { requester } of fetching.values()) {
      counts.set(requester, (counts.get(requester) ?? 0) + 1);
    }
    const most = Math.max(...counts.values());
    for (const [id, { requester, giveWay }] of fetching) {
      if (counts.get(requester) !== most) continue;
      fetching.delete(id);
      giveWay.abort();
      return;
    }
  }

  function startFetch(id: string, known: Cached | undefined, requester: string): Fetch {
    makeRoom();
    const giveWay = new AbortController();
    const result = load(id, known, giveWay.signal).finally(() => {
      if (fetching.get(id) === started) fetching.delete(id);
    });
    const started = { requester, result, giveWay };
    fetching.set(id, started);
    return started;
  }

  return {
    /**
     * Returns the client that a document describes. Null if there is none, or it is not valid.
     *
     * @param requester the address of the client that asks. Many slow documents of one requester do not
     * make those of others fail.
     */
    async find(id: string, requester: string): Promise<OAuthClient | null> {
      if (!isDocumentUrl(id)) return null;
      const known = cache.get(id);
      if (known !== undefined && clock() < known.freshUntil) {
        keep(id, known);
        return known.client;
      }
      const { result } = fetching.get(id) ?? startFetch(id, known, requester);
      const loaded = await result;
      if (loaded !== null) keep(id, loaded);
      return (loaded ?? known)?.client ?? null;
    },
    /** Returns what is wrong with a document that was just found not to be valid. */
    problemOf: (id: string): string | undefined => cache.get(id)?.problem,
  };
}

/** The members of a document that matter here. It must not rely on a shared secret. */
const documentSchema = z.object({
  client_id: z.string(),
  client_name: clientName.refine((name) => name !== ""),
  redirect_uris: redirectUris,
  grant_types: nameList.optional(),
  client_secret: z.never().optional(),
  token_endpoint_auth_method: z.literal("none").optional(),
});

/** Says which member of a document is wrong. */
function problemOf({ issues: [{ path: [member] }] }: z.ZodError): string {
  return member === "token_endpoint_auth_method" || member === "client_secret"
    ? `The document about the app says that it authenticates itself (${member}). Only public clients, ` +
      'which use PKCE, are accepted here: set token_endpoint_auth_method to "none".'
    : member === undefined
    ? "The document about the app is not a JSON object."
    : `In the document about the app, ${String(member)} is missing or not allowed.`;
}

/**
 * Fetches and checks a document.
 *
 * @returns `outage` if the origin failed, so that an earlier copy may be used
 */
async function fetchDocument(
  id: string,
  network: Network,
  signal: AbortSignal,
): Promise<
  | { ok: true; client: OAuthClient; freshMs: number }
  | { ok: false; outage: boolean; problem?: string }
> {
  let got: Got;
  try {
    got = await pinnedFetch(new URL(id), network, { signal });
  } catch {
    return { ok: false, outage: true };
  }
  const { status, headers, body } = got;
  if (status !== 200) return { ok: false, outage: status >= 500 || status === 429 };
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(headers["content-type"] ?? "")) {
    return { ok: false, outage: false };
  }
  const parsed = documentSchema.safeParse(parseJson(body));
  if (!parsed.success) return { ok: false, outage: false, problem: problemOf(parsed.error) };
  if (parsed.data.client_id !== id) {
    const problem = "In the document about the app, client_id is not the address of the document.";
    return { ok: false, outage: false, problem };
  }
  const { client_name: name, redirect_uris, grant_types } = parsed.data;
  const refreshes = usesRefresh(grant_types);
  const client: OAuthClient = { id, kind: "document", name, redirect_uris, refreshes };
  return { ok: true, client, freshMs: freshMs(headers["cache-control"] ?? "") };
}

function freshMs(cacheControl: string): number {
  if (/\bno-(store|cache)\b/i.test(cacheControl)) return MIN_FRESH_MS;
  const seconds = /\bmax-age=(\d{1,9})\b/i.exec(cacheControl)?.[1];
  if (seconds === undefined) return DEFAULT_FRESH_MS;
  return Math.min(MAX_FRESH_MS, Math.max(MIN_FRESH_MS, Number(seconds) * SECOND_MS));
}
