/** The client that the live feed uses to read a chain's events and to follow new ones. */
import { useRef, useState } from "preact/hooks";
import { anySignal } from "../../lib/base/signals.ts";
import { eventHash } from "../../packages/proof/chain/event_hash.ts";
import type { LinkedEvent } from "../../packages/proof/mod.ts";
import { CONFIG } from "../../lib/features/contact/config.ts";
import { readMessages } from "./event_stream.ts";
import { readEvents } from "./responses.ts";

/**
 * Reads one chain from `GET /api/chain/:hash` (spec 4.6). Every event's hash and its link to the
 * events that are already known are checked. The methods reject if a response is invalid, with
 * {@link ChainRewritten} if the server's chain does not contain the known events.
 */
export interface ChainClient {
  /** Returns the newest events, oldest first. */
  newest(): Promise<LinkedEvent[]>;
  /** Returns the events after a known one, oldest first. */
  after(last: LinkedEvent): Promise<LinkedEvent[]>;
  /** Returns the events before a known one, oldest first. */
  before(first: LinkedEvent): Promise<LinkedEvent[]>;
  /** Receives the events after a known one until the stream ends, and returns how it ended. */
  stream(last: LinkedEvent, listener: StreamListener): Promise<StreamEnd>;
}

export interface StreamListener {
  onOpen: () => void;
  onEvents: (events: LinkedEvent[]) => void;
  /** Closes the stream. */
  signal: AbortSignal;
}

/** `off`: this server has no streams, so do not try again. */
export type StreamEnd = "ended" | "refused" | "off";

/** The server's chain contradicts the events that are known. */
export class ChainRewritten extends Error {}

/**
 * Creates a client for a chain.
 *
 * @param chainUrl the full URL of `GET /api/chain/:hash`
 */
export function createChainClient(
  chainUrl: string,
  { fetch, signal }: { fetch: typeof globalThis.fetch; signal: AbortSignal },
): ChainClient {
  const recordHash = chainUrl.slice(-64);
  const request = async (
    query: Record<string, number | string>,
    stop: AbortSignal,
    accept: string,
  ): Promise<Response> => {
    const url = new URL(chainUrl);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, `${value}`);
    const response = await fetch(url, {
      credentials: "omit",
      headers: { accept },
      signal: anySignal([signal, stop]),
    });
    if (response.status === 409) throw new ChainRewritten();
    return response;
  };
  const get = async (query: Record<string, number | string>): Promise<LinkedEvent[]> => {
    const timeout = AbortSignal.timeout(CONFIG.REQUEST_TIMEOUT);
    const response = await request(query, timeout, "application/json");
    return await checked(response.ok ? (await response.json()).events : null);
  };
  /** Returns events whose hashes and links are right. Only event 0 has a known predecessor. */
  const checked = async (value: unknown): Promise<LinkedEvent[]> => {
    const events = readEvents(value);
    if (events === null) throw new Error("The response contains no events.");
    let prev = events[0]?.seq === 0 ? recordHash : events[0]?.prev;
    for (const event of events) {
      if (event.prev !== prev || event.hash !== await eventHash(prev, event)) {
        throw new Error(`Event ${event.seq} has a wrong hash.`);
      }
      prev = event.hash;
    }
    return events;
  };
  const limit = CONFIG.HISTORY_COUNT;
  const after = async (last: LinkedEvent) => {
    const events = await get({ after: last.seq, tip: last.hash, limit });
    if (events.length > 0) follow(last, events[0]);
    return events;
  };
  return {
    newest: () => get({ limit: CONFIG.CHAIN_PREVIEW_COUNT }),
    after,
    async before(first) {
      const events = await get({ before: first.seq, limit });
      const last = events.at(-1);
      if (last === undefined) throw new Error("There is a gap.");
      follow(last, first);
      return events;
    },
    async stream(last, { onOpen, onEvents, signal: stop }) {
      const silence = new AbortController();
      let timer: ReturnType<typeof setTimeout> | undefined;
      const listen = () => {
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), CONFIG.STREAM_SILENCE);
      };
      listen();
      try {
        const query = { after: last.seq, tip: last.hash };
        const signals = anySignal([stop, silence.signal]);
        const response = await request(query, signals, "text/event-stream");
        const type = response.headers.get("content-type") ?? "";
        if (response.status !== 200 || !type.startsWith("text/event-stream")) {
          await response.body?.cancel();
          return response.status === 204 ? "off" : "refused";
        }
        onOpen();
        for await (const { event, data } of readMessages(response.body!, listen)) {
          if (event === "chain_rewritten") throw new ChainRewritten();
          const [next] = await checked([data]);
          if (next.seq <= last.seq) continue;
          const missed = next.seq > last.seq + 1 ? await after(last) : [next];
          follow(last, missed[0] ?? next);
          last = missed.at(-1)!;
          onEvents(missed);
        }
        return "ended";
      } finally {
        clearTimeout(timer);
        silence.abort();
      }
    },
  };
}

/** Throws if an event does not follow directly after another one. */
function follow(last: LinkedEvent, next: LinkedEvent): void {
  if (next.seq !== last.seq + 1) throw new Error("There is a gap.");
  if (next.prev !== last.hash) throw new ChainRewritten();
}

/** The events before the feed's first ones. */
interface History {
  pages: LinkedEvent[][];
  state: "more" | "failed" | "complete";
  /** Loads one more page, unless one is being loaded or there are no more. */
  pull: () => void;
}

/** @param first the oldest event in the feed */
export function useHistory(chain: ChainClient, first: LinkedEvent): History {
  const [pages, setPages] = useState<LinkedEvent[][]>([]);
  const [failed, setFailed] = useState(false);
  const busy = useRef(false);
  const oldest = pages[0]?.[0] ?? first;

  const pull = async () => {
    if (busy.current || oldest.seq === 0) return;
    busy.current = true;
    try {
      const page = await chain.before(oldest);
      setPages((pages) => [page, ...pages]);
      setFailed(false);
    } catch {
      setFailed(true);
    }
    busy.current = false;
  };
  return { pages, state: oldest.seq === 0 ? "complete" : failed ? "failed" : "more", pull };
}
