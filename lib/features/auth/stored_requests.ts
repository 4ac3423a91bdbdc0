/** Stores accepted requests for mailed links, encrypted, until their mail is in the outbox. */
import { z } from "zod";
import { utf8 } from "../../base/encoding.ts";
import { defineTable, expires, EXPIRING, isLive, isoAfter } from "../../platform/kv/mod.ts";
import type { Secrets } from "../../base/secrets.ts";
import { DAY_MS, SECOND_MS } from "../../base/time.ts";
import { TOKEN_LIFETIME, TOKEN_LIFETIME_MS } from "./link_terms.ts";

/** The kind of person who asks for a link: a user with an account on a surface, or the holder of a record. */
type RequestKind = "user" | "holder";

/**
 * A request for a mailed link that was accepted and whose mail is not in the outbox yet. It is stored
 * before the response, so that it survives the process, whether or not the address is known.
 */
const linkRequest = z.strictObject({
  /** The request as JSON, encrypted with a key derived from `APP_SECRET`. */
  sealed: z.instanceof(Uint8Array<ArrayBuffer>),
  /**
   * HMAC of the address of a user, to erase the request along with the user. Rows of older builds have
   * a SHA-256 instead, which is never found, and expire after {@link REQUEST_STORED_MS}.
   */
  about: z.string().optional(),
  /** HMAC of the address and where it signs in, which repeated requests have in common. */
  alike: z.string(),
  asked_at: z.iso.datetime(),
  /** When another process may prepare it, because the first one has died. ISO 8601 in UTC. */
  due_at: z.iso.datetime(),
  ...EXPIRING,
});

type LinkRequest = z.infer<typeof linkRequest>;

export const linkRequests = defineTable({
  prefix: "link_requests",
  value: linkRequest,
  key: ["kind", "id"],
  owner: "user",
  lifetime: expires(
    `until its email is queued, at most ${TOKEN_LIFETIME}, and a day more if none was`,
  ),
  per: "request for a sign-in link",
  privacy: [{
    section: "sign_in",
    label: "Requests for a sign-in link",
    text:
      "Your email address, the page you were going to and the cookie that marks your browser, " +
      "encrypted, with a keyed fingerprint of the address, until the email is ready: usually less than a " +
      `second, at most ${TOKEN_LIFETIME}. If this site had a problem and no email was sent, we keep them a day ` +
      "longer, so that the sign-in page tells you.",
  }, { section: "record", label: "Signing in" }],
});

/** The fate of a request that has not been prepared: it waits, or it came too late. */
export interface AskedRequest {
  /** ISO 8601. */
  at: string;
  state: "waits" | "lapsed";
}

export interface StoredRequest {
  /** The id, by which the browser that asked learns what became of it; null if it is not stored. */
  id: string | null;
  /**
   * Returns whether this request is late and the same person has asked again since, so that only the last request
   * gets a link.
   */
  isSuperseded(): Promise<boolean>;
  /**
   * Removes the request in the commit with its outcome.
   *
   * @returns false if that has happened already; then nothing is added
   */
  take(commit: Deno.AtomicOperation): Promise<boolean>;
  /** Removes a request that has no outcome. */
  remove(): Promise<void>;
}

/** The requests of one kind. `Saved` is JSON. */
export interface StoredRequests<Saved> {
  /**
   * Returns what became of a request; null if it was prepared, or is not late yet. That is the same for every address, known or not, so
   * the page may say it.
   */
  read(id: string): Promise<AskedRequest | null>;
  add(commit: Deno.AtomicOperation, saved: Saved & { email: string }): Promise<StoredRequest>;
  /** Calls `prepare` for each request that a process has left behind. */
  resume(
    prepare: (saved: Saved, stored: StoredRequest) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void>;
}

const ABOUT = "link-request-user";

/** How long a process has to prepare a mail, before another one does. */
const DUE_MS = 10 * SECOND_MS;
/** After this time, a person will have asked again. */
const REQUEST_STORED_MS = TOKEN_LIFETIME_MS;
/** How long a request is kept after that, so that its browser learns that no mail was sent. */
const LAPSED_MS = DAY_MS;

export function createStoredRequests<Saved>(
  { kv, clock, secrets }: { kv: Deno.Kv; clock: () => number; secrets: Secrets },
  kind: RequestKind,
): StoredRequests<Saved> {
  const stored = (
    key: Deno.KvKey,
    { alike, asked_at, due_at }: Pick<LinkRequest, "alike" | "asked_at" | "due_at">,
  ): StoredRequest => ({
    id: String(key[2]),
    async isSuperseded() {
      if (clock() < Date.parse(due_at)) return false;
      for await (const { value } of linkRequests.list(kv, [kind])) {
        if (value.alike === alike && value.asked_at > asked_at) return true;
      }
      return false;
    },
    async take(commit) {
      const entry = await kv.get(key);
      if (entry.versionstamp === null) return false;
      commit.check(entry).delete(key);
      return true;
    },
    remove: () => kv.delete(key),
  });

  return {
    async read(id) {
      const { value } = await linkRequests.get(kv, kind, id);
      // Until it is due, nothing is late, and how long it takes must not tell whether the address is known.
      if (value === null || clock() < Date.parse(value.due_at)) return null;
      return { at: value.asked_at, state: isLive(value, clock()) ? "waits" : "lapsed" };
    },
    async add(commit, saved) {
      const now = clock();
      const id = crypto.randomUUID();
      const { email, surface = "" } = saved as { email: string; surface?: string };
      const row = {
        sealed: await secrets.seal("link-request", utf8(JSON.stringify(saved)), id),
        ...kind === "user" ? { about: await secrets.sign(ABOUT, saved.email) } : {},
        alike: await secrets.sign(ABOUT, `${kind}\n${surface}\n${email}`),
        asked_at: isoAfter(now, 0),
        due_at: isoAfter(now, DUE_MS),
        expires_at: isoAfter(now, REQUEST_STORED_MS),
      };
      const key = linkRequests.key(kind, id);
      commit.set(key, row, { expireIn: REQUEST_STORED_MS + LAPSED_MS });
      return stored(key, row);
    },
    async resume(prepare, signal) {
      const rows = await Array.fromAsync(linkRequests.list(kv, [kind]));
      // The earlier ones find those that repeat them.
      rows.sort((a, b) => a.value.asked_at < b.value.asked_at ? -1 : 1);
      for (const { key, value } of rows) {
        if (signal.aborted) return;
        const now = clock();
        if (now < Date.parse(value.due_at) || !isLive(value, now)) continue;
        const opened = await secrets.open("link-request", value.sealed, String(key[2]));
        // The secret that sealed it was removed.
        if (opened === null) await stored(key, value).remove();
        else await prepare(JSON.parse(new TextDecoder().decode(opened)), stored(key, value));
      }
    },
  };
}

export async function deleteRequestsOf(
  { kv, secrets }: { kv: Deno.Kv; secrets: Secrets },
  email: string,
): Promise<void> {
  const macs = await secrets.signatures(ABOUT, email);
  for await (const { key, value } of linkRequests.list(kv, ["user"])) {
    if (value.about !== undefined && macs.includes(value.about)) await kv.delete(key);
  }
}
