/** The open event streams of a process: reading new events, keeping connections alive, and limits. */
import { HttpError } from "fresh";
import { createKeyWatch } from "../kv/key_watch.ts";
import { fail, type Failure } from "../../base/result.ts";
import type { Schedule } from "../../base/schedule.ts";
import { createSlots } from "../../base/slots.ts";
import { MINUTE_MS, SECOND_MS } from "../../base/time.ts";

/** A message of an event stream (HTML standard, "Server-sent events"). */
interface ServerEvent {
  /** The position after this event, from which a client resumes. */
  id?: string;
  /** Absent for what the feed consists of, so that it reaches the `onmessage` of an `EventSource`. */
  event?: string;
  /** The value that is sent as JSON. */
  data: unknown;
}

/** The events that follow a position of a feed. */
export interface FeedPart<Position> {
  events: ServerEvent[];
  /** The position after these events. */
  position: Position;
  /** True if more events follow. */
  more: boolean;
  /** True if the stream ends after these events. */
  ends?: boolean;
}

/** A list in the store that only grows, and that streams follow. */
export interface FeedSource<Position> {
  /** A key whose value changes with every new event. */
  key: Deno.KvKey;
  /** Returns the `id` of the last event at a position; empty at the beginning. */
  idOf(position: Position): string;
  /** Reads the events after a position. Streams at the same position share the result briefly. */
  read(position: Position): Promise<FeedPart<Position>>;
}

export interface FeedStreams {
  /** The number of open streams. */
  readonly size: number;
  /** The number of keys that are read every second; 0 while nothing is watched. */
  readonly watched: number;
  /** True if this deployment has streams at all. Without them, clients poll. */
  readonly enabled: boolean;
  /**
   * Opens a stream of the events that follow a position.
   *
   * @param client identifies the client whose streams are counted together
   * @param ask asks whether the reader may still see the feed, and throws if not. Default: everybody may
   * @returns the body of a `text/event-stream` response
   */
  open<Position>(
    source: FeedSource<Position>,
    options: { from: Position; client: string; ask?: () => Promise<void> },
  ):
    | { ok: true; body: ReadableStream<Uint8Array> }
    | Failure<"rate_limited" | "unavailable">;
  /** Reports a change that this process has just made to a feed, so that streams need not wait. */
  changed(key: Deno.KvKey): void;
  /** Ends all streams at once. Resolves when the store is no longer read. */
  close(): Promise<void>;
}

interface FeedStreamsOptions {
  kv: Deno.Kv;
  /** Returns the monotonic time in milliseconds. */
  clock: () => number;
  schedule: Schedule;
  /** Open streams per client; 0 for no streams. */
  clientLimit: number;
  /** Open streams of all clients. Default: {@link MAX_STREAMS}. */
  limit?: number;
  log: (entry: Record<string, unknown>) => void;
}

/** When a client should reconnect after a stream has ended, in milliseconds. */
const RETRY_MS = 3_000;
/**
 * The time after which a comment is sent, because proxies and clients close silent connections. It is
 * checked once per second, so at most 15 seconds pass.
 */
const COMMENT_AFTER_MS = 14 * SECOND_MS;
/** Streams end after this time and up to {@link JITTER_MS} more, so that they do not reconnect at once. */
const LIFETIME_MS = 5 * MINUTE_MS;
const JITTER_MS = 30 * SECOND_MS;
/** A client that has not taken what was sent for this long is disconnected. */
const STALLED_MS = 45 * SECOND_MS;
/** How often a stream asks whether its reader may still see the feed. */
const ASK_MS = 2 * SECOND_MS;
/** The open streams of one process, which limits its memory. */
const MAX_STREAMS = 10_000;
/** The parts that are read at the same time. Each takes a connection to a store over a network. */
const CONCURRENT_READS = 20;

const encoder = new TextEncoder();
const COMMENT = encoder.encode(":\n\n");

/** Events with their text in the format of event streams. */
type EncodedPart<Position> = FeedPart<Position> & { bytes: Uint8Array };

/** The streams of one feed. They share reads until the feed changes or is polled again. */
interface Topic {
  streams: Set<OpenStream>;
  parts: Map<string, Promise<EncodedPart<unknown>>>;
  unwatch: () => void;
}

interface OpenStream {
  /** Makes the stream read the feed again. */
  wake(): void;
  /** Sends a comment or ends the stream, if it is time to. */
  sweep(now: number): void;
  end(): void;
}

/**
 * Creates the streams of a process. Nothing is read while no stream is open.
 *
 * Nothing is queued: a stream reads the next events only when its client has taken the previous ones,
 * so a slow client costs no memory. It is disconnected after a while.
 */
export function createFeedStreams(
  { kv, clock, schedule, clientLimit, limit = MAX_STREAMS, log }: FeedStreamsOptions,
): FeedStreams {
  const topics = new Map<string, Topic>();
  const streams = new Set<OpenStream>();
  const clients = new Map<string, number>();
  const reading = createSlots(CONCURRENT_READS);
  let closed = false;

  const watch = createKeyWatch({
    kv,
    schedule,
    onPoll() {
      const now = clock();
      for (const stream of streams) stream.sweep(now);
      for (const { parts } of topics.values()) parts.clear();
    },
    onError: (error) => logFailure(error),
  });

  const logFailure = (error: unknown) =>
    log({ level: "error", event: "feed_read_failed", reason: String(error) });

  function join(key: Deno.KvKey, stream: OpenStream): { topic: Topic; leave: () => void } {
    const id = JSON.stringify(key);
    const topic: Topic = topics.get(id) ?? {
      streams: new Set(),
      parts: new Map(),
      unwatch: watch.watch(key, () => {
        topic.parts.clear();
        for (const one of topic.streams) one.wake();
      }),
    };
    topics.set(id, topic);
    topic.streams.add(stream);
    return {
      topic,
      leave() {
        topic.streams.delete(stream);
        if (topic.streams.size > 0 || topics.get(id) !== topic) return;
        topics.delete(id);
        topic.unwatch();
      },
    };
  }

  /** Counts a stream of a client. Returns a function that ends it, or null above the limit. */
  function count(client: string): (() => void) | null {
    const open = clients.get(client) ?? 0;
    if (open >= clientLimit) return null;
    clients.set(client, open + 1);
    return () => {
      const left = clients.get(client)! - 1;
      if (left === 0) clients.delete(client);
      else clients.set(client, left);
    };
  }

  function start<Position>(
    source: FeedSource<Position>,
    from: Position,
    ask: (() => Promise<void>) | undefined,
    release: () => void,
  ): ReadableStream<Uint8Array> {
    const stream = createStream({
      source,
      from,
      clock,
      read: (position) => share(topic, position, () => reading.run(() => source.read(position))),
      ask: ask && (() => reading.run(ask)),
      onEnd() {
        streams.delete(stream);
        leave();
        release();
      },
      onError(error) {
        if (!closed) logFailure(error);
      },
    });
    const { topic, leave } = join(source.key, stream);
    streams.add(stream);
    return stream.body;
  }

  return {
    get size() {
      return streams.size;
    },
    get watched() {
      return watch.size;
    },
    enabled: clientLimit > 0,
    open(source, { from, client, ask }) {
      if (closed || streams.size >= limit) {
        return fail("unavailable", {
          message: "No more streams can be opened now. Poll instead.",
          retryAfterSeconds: RETRY_MS / SECOND_MS,
        });
      }
      const release = count(client);
      if (release === null) {
        return fail("rate_limited", {
          message: `A client can have ${clientLimit} streams open at the same time. Poll instead.`,
          retryAfterSeconds: MINUTE_MS / SECOND_MS,
        });
      }
      return { ok: true, body: start(source, from, ask, release) };
    },
    changed: watch.changed,
    async close() {
      closed = true;
      for (const stream of [...streams]) stream.end();
      await watch.close();
    },
  };
}

interface StreamOptions<Position> {
  source: FeedSource<Position>;
  from: Position;
  clock: () => number;
  read: (position: Position) => Promise<EncodedPart<Position>>;
  /** Undefined if everybody may see the feed. */
  ask: (() => Promise<void>) | undefined;
  /** Called once, when the stream has ended for any reason. */
  onEnd: () => void;
  /** Called if the feed cannot be read. The stream then ends, and the client reconnects. */
  onError: (error: unknown) => void;
}

/** Creates the stream of one client. It reads nothing before its body is read. */
function createStream<Position>(
  { source, from, clock, read, ask, onEnd, onError }: StreamOptions<Position>,
): OpenStream & { body: ReadableStream<Uint8Array> } {
  const openedAt = clock();
  const endsAt = openedAt + LIFETIME_MS + Math.random() * JITTER_MS;
  let position = from;
  let changed = true; // events may have been added since the client's position
  let begun = false;
  let commentDue = false;
  let ending = false;
  let ended = false;
  let sentAt = openedAt;
  let askedAt = openedAt;
  /** When the client last took everything that was sent; null while it waits for more. */
  let takenAt: number | null = openedAt;
  let woken = Promise.withResolvers<void>();
  let controller!: ReadableStreamDefaultController<Uint8Array>;

  function wake(): void {
    changed = true;
    woken.resolve();
  }

  function sweep(now: number): void {
    if (ask !== undefined && now - askedAt >= ASK_MS) isAllowed(ask).catch(fail);
    if (now >= endsAt || (takenAt !== null && now - takenAt >= STALLED_MS)) end();
    else if (now - sentAt >= COMMENT_AFTER_MS && takenAt === null) {
      commentDue = true;
      woken.resolve();
    }
  }

  /** Asks whether the reader may still see the feed, and ends the stream if not. */
  async function isAllowed(ask: () => Promise<void>): Promise<boolean> {
    askedAt = clock();
    try {
      await ask();
      return true;
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      end();
      return false;
    }
  }

  function fail(error: unknown): void {
    onError(error);
    end();
  }

  function end(): void {
    if (!dispose()) return;
    controller.close();
    woken.resolve();
  }

  function dispose(): boolean {
    if (ended) return false;
    ended = true;
    onEnd();
    return true;
  }

  /** Returns the data to send now, or null if there is none. */
  async function next(): Promise<Uint8Array | null> {
    if (!begun) {
      begun = true;
      // A block without data only sets the position from which a client resumes.
      const id = source.idOf(position);
      return encoder.encode(`retry: ${RETRY_MS}\n${id === "" ? "" : `id: ${id}\n`}\n`);
    }
    if (changed) {
      changed = false;
      const part = await read(position);
      if (ask !== undefined && !await isAllowed(ask)) return null;
      position = part.position;
      if (part.more) changed = true;
      if (part.events.length > 0) {
        ending = part.ends === true;
        commentDue = false;
        return part.bytes;
      }
    }
    if (!commentDue) return null;
    commentDue = false;
    return COMMENT;
  }

  async function pull(): Promise<void> {
    takenAt = null;
    try {
      while (!ended) {
        const bytes = await next();
        if (ended) return;
        if (bytes !== null) {
          sentAt = clock();
          controller.enqueue(bytes);
          if (ending) end();
          return;
        }
        if (!changed && !commentDue) await woken.promise;
        woken = Promise.withResolvers();
      }
    } catch (error) {
      fail(error);
    } finally {
      takenAt = clock();
    }
  }

  const body = new ReadableStream<Uint8Array>({
    start: (given) => void (controller = given),
    pull,
    cancel: () => void dispose(),
  }, { highWaterMark: 0 });
  return { wake, sweep, end, body };
}

/** The most parts of one feed that are kept at the same time. */
const MAX_SHARED = 16;

/** Reads the events after a position, once for all streams at that position. */
function share<Position>(
  { parts }: Topic,
  position: Position,
  read: () => Promise<FeedPart<Position>>,
): Promise<EncodedPart<Position>> {
  const id = JSON.stringify(position);
  const known = parts.get(id);
  if (known !== undefined) return known as Promise<EncodedPart<Position>>;
  const part = read().then((part) => ({
    ...part,
    bytes: encoder.encode(part.events.map(textOf).join("")),
  }));
  if (parts.size >= MAX_SHARED) parts.clear();
  parts.set(id, part);
  return part;
}

function textOf({ id, event, data }: ServerEvent): string {
  const line = id === undefined ? "" : `id: ${id}\n`;
  const name = event === undefined ? "" : `event: ${event}\n`;
  return `${line}${name}data: ${JSON.stringify(data)}\n\n`;
}
