/**
 * The feed of a record as an app shows it: pages, gap repair after pushes, and verification of what
 * is stored, without a network. It uses only `fetch` and WebCrypto, so that it can be ported line by
 * line. `docs/app.md` explains it; `tests/app_client_test.ts` runs it against the site.
 *
 * @module
 */

export interface ChainEvent {
  seq: number;
  /** Usually one that the app knows; see {@link labelOf}. */
  kind: string;
  at: string;
  status: string;
  prev: string;
  hash: string;
}

export interface Head {
  origin: string;
  size: number;
  tip: string;
  at: string;
  kid: string;
  signature: string;
}

export interface PublicKey {
  kty: string;
  crv: string;
  x: string;
}

/** The app's data for a record, as JSON. The events have no gaps and end with the newest. */
export interface StoredFeed {
  events: ChainEvent[];
  head: Head | null;
  /** The entity tag of the last request for new events, which is valid for its URL only. */
  tag: { url: string; etag: string } | null;
  /** The heads of chains that the server has replaced: evidence of what it once signed. */
  replaced: Head[];
}

/** The contents of a notification. Its text is not part of the feed. */
export interface PushPayload {
  seq: number;
  event: string;
}

export interface FeedOptions {
  /** The `chain_url` of the registration. */
  chainUrl: string;
  /** The record's hash, from the registration or a QR code, never from the feed itself. */
  hash: string;
  /** The host of the trust surface. */
  publisher: string;
  /** The publisher's keys, stored when the record was registered. */
  keys: PublicKey[];
  stored?: StoredFeed;
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  wait?: (ms: number) => Promise<void>;
  /** New rows for the bottom of the feed, in order. `typed` says whether to type them in. */
  onRows(events: ChainEvent[], typed: boolean): void;
  /** Older rows for the top, in order. */
  onOlder(events: ChainEvent[]): void;
  /** The server's chain does not contain what the app has. All rows are gone; tell the person. */
  onRestart(): void;
}

export class FeedError extends Error {
  /** @param code the server's stable code, or `not_verified` */
  constructor(readonly code: string, message: string) {
    super(message);
  }
}

const PAGE = 50;
const ATTEMPTS = 3;

export class Feed {
  readonly stored: StoredFeed;
  #options: FeedOptions;
  #running: Promise<void> | null = null;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.stored = options.stored ?? { events: [], head: null, tag: null, replaced: [] };
  }

  get last(): ChainEvent | undefined {
    return this.stored.events.at(-1);
  }

  /** Shows what is stored, then what is new. Call it when the app comes to the foreground. */
  async open(): Promise<void> {
    if (this.stored.events.length > 0) this.#options.onRows(this.stored.events, false);
    await this.catchUp(false);
  }

  /** Handles a push: at most one request, unless more than a page is missing. */
  async received({ seq, event }: PushPayload): Promise<void> {
    await this.#running; // a request on its way may already bring this event
    const known = this.stored.events.find((each) => each.seq === seq);
    if (known?.hash === event) return; // a repeated push, or one that a later push overtook
    if (known !== undefined) return await this.#restart();
    await this.catchUp(true);
  }

  /** Fetches what follows the last event. Concurrent calls share one request. */
  catchUp(typed: boolean): Promise<void> {
    return this.#running ??= this.#catchUp(typed).finally(() => this.#running = null);
  }

  async #catchUp(typed: boolean): Promise<void> {
    for (let more = true; more;) {
      const { last } = this;
      const query = last === undefined
        ? `?limit=${PAGE}`
        : `?after=${last.seq}&tip=${last.hash}&limit=${PAGE}`;
      const page = await this.#get(query, true);
      if (page === "unchanged") return;
      if (page === "rewritten") return await this.#restart();
      await this.#verify(page.events, page.head, last);
      this.stored.events.push(...page.events);
      this.stored.head = page.head;
      if (page.events.length > 0) this.#options.onRows(page.events, typed);
      more = last !== undefined && page.has_more;
    }
  }

  /** Fetches the page before the first event, while the person scrolls up. */
  async older(): Promise<void> {
    const [first] = this.stored.events;
    if (first === undefined || first.seq === 0) return;
    const page = await this.#get(`?before=${first.seq}&limit=${PAGE}`, false);
    if (page === "unchanged") return;
    if (page === "rewritten") return await this.#restart();
    await verifyEvents(this.#options.hash, page.events);
    if (page.events.at(-1)?.hash !== first.prev) throw notVerified("The pages do not meet.");
    this.stored.events.unshift(...page.events);
    this.#options.onOlder(page.events);
  }

  /** Verifies everything that is stored, without a network. */
  async verifyStored(): Promise<void> {
    const { events, head } = this.stored;
    if (head === null) return;
    await this.#verify(events, head, undefined);
    if (head.size > events.at(-1)!.seq + 1) throw notVerified("Events are missing at the end.");
  }

  /** @param last the event before `events`, which was verified earlier */
  async #verify(events: ChainEvent[], head: Head, last: ChainEvent | undefined): Promise<void> {
    const { hash, publisher, keys } = this.#options;
    await verifyEvents(hash, events, last);
    await verifyHead(head, `${publisher}/${hash}`, keys);
    const end = events.at(-1) ?? last;
    if (end === undefined || head.size <= end.seq) throw notVerified("The head is too short.");
    if (head.size === end.seq + 1 && head.tip !== end.hash) {
      throw notVerified("The head covers other events.");
    }
  }

  async #restart(): Promise<void> {
    if (this.stored.head !== null) this.stored.replaced.push(this.stored.head);
    Object.assign(this.stored, { events: [], head: null, tag: null });
    this.#options.onRestart();
    await this.#catchUp(false);
  }

  async #get(query: string, conditional: boolean): Promise<Page | "unchanged" | "rewritten"> {
    const { chainUrl, fetch = globalThis.fetch, wait = sleep } = this.#options;
    const url = chainUrl + query;
    const headers: Record<string, string> = { accept: "application/json" };
    if (conditional && this.stored.tag?.url === url) {
      headers["if-none-match"] = this.stored.tag.etag;
    }
    for (let attempt = 1;; attempt++) {
      const response = await fetch(url, { headers });
      if (response.status === 304) return "unchanged";
      const body = await response.json();
      if (response.ok) {
        const etag = response.headers.get("etag");
        if (conditional && etag !== null) this.stored.tag = { url, etag };
        return body;
      }
      if (body.error === "chain_rewritten") return "rewritten";
      const seconds = Number(response.headers.get("retry-after"));
      if (seconds === 0 || attempt === ATTEMPTS) throw new FeedError(body.error, body.message);
      await wait(1000 * seconds);
    }
  }
}

interface Page {
  head: Head;
  events: ChainEvent[];
  has_more: boolean;
}

const LABELS: Record<string, string> = {
  hash_generated: "Record registered",
  email_confirmed: "Email confirmed",
  sms_confirmed: "Number confirmed",
  k2_delivered: "Key delivered",
  record_verified: "Record verified",
  document_viewed: "Document viewed",
  document_downloaded: "Document downloaded",
  document_printed: "Document printed",
  document_verified: "Document verified",
  access_requested: "Access requested",
};

/** Returns the text of a kind of event. A kind that a later server adds is shown plainly. */
export const labelOf = (kind: string): string =>
  Object.hasOwn(LABELS, kind) ? LABELS[kind] : kind.replaceAll("_", " ");

/**
 * Verifies that events follow each other, and that each hash is the one of its event.
 *
 * @param last the event before the first one, if it is known
 * @throws {FeedError} `not_verified`
 */
export async function verifyEvents(
  recordHash: string,
  events: ChainEvent[],
  last?: ChainEvent,
): Promise<void> {
  let previous = last;
  for (const event of events) {
    const prev = event.seq === 0 ? recordHash : previous?.hash ?? event.prev;
    const seq = previous === undefined ? event.seq : previous.seq + 1;
    if (event.seq !== seq || event.prev !== prev || event.hash !== await hashOf(event)) {
      throw notVerified(`Event ${seq} was altered.`);
    }
    previous = event;
  }
}

/** SHA-256 of the domain, the previous hash as 32 bytes, and the event as canonical JSON. */
async function hashOf({ at, kind, prev, seq, status }: ChainEvent): Promise<string> {
  // Members in alphabetical order make this canonical (RFC 8785).
  const json = JSON.stringify({ at, kind, seq, status });
  return await sha256Hex(concat(utf8("verifiable-records/1/event\0"), bytesOf(prev), utf8(json)));
}

/** @throws {FeedError} `not_verified` */
async function verifyHead(head: Head, origin: string, keys: PublicKey[]): Promise<void> {
  if (head.origin !== origin) throw notVerified("The head belongs to another chain.");
  const { at, kid, size, tip } = head;
  const statement = utf8(JSON.stringify({ at, kid, origin, size, tip }));
  const message = concat(utf8("verifiable-records/1/head\0"), statement);
  for (const { kty, crv, x } of keys) {
    if (await thumbprint({ kty, crv, x }) !== kid) continue;
    const key = await crypto.subtle.importKey("jwk", { kty, crv, x }, "Ed25519", false, ["verify"]);
    const signature = fromBase64Url(head.signature);
    if (await crypto.subtle.verify("Ed25519", key, signature, message)) return;
  }
  throw notVerified("The head is not signed by the publisher.");
}

/** The id of a key (RFC 7638). Never trust the `kid` next to a key. */
async function thumbprint({ kty, crv, x }: PublicKey): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", utf8(JSON.stringify({ crv, kty, x })));
  return btoa(String.fromCharCode(...new Uint8Array(digest)))
    .replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

type Bytes = Uint8Array<ArrayBuffer>;

const notVerified = (message: string) => new FeedError("not_verified", message);
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const utf8 = (text: string): Bytes => new TextEncoder().encode(text);
const bytesOf = (hex: string): Bytes =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const fromBase64Url = (text: string): Bytes =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));

function concat(...parts: Bytes[]): Bytes {
  const all = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    all.set(part, offset);
    offset += part.length;
  }
  return all;
}

async function sha256Hex(bytes: Bytes): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
