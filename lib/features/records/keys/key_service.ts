/** The service that the QR code on a card leads to. */
import { z } from "zod";
import { hashSchema, KEYS_PATH, type LinkedEvent } from "../../../../packages/proof/mod.ts";
import { addressKey } from "../../../platform/http/client_address.ts";
import { createRateLimiter } from "../../../platform/http/rate_limit.ts";
import type { Failure, RateLimited } from "../../../base/result.ts";
import type { Surface } from "../../../platform/surfaces/mod.ts";
import { MINUTE_MS } from "../../../base/time.ts";
import { readerOf } from "../access_log/access_log.ts";
import { findKey, MAX_KEY_INPUT } from "./key_code.ts";
import type { RecordKeys } from "./keys.ts";
import type { Level } from "../record/levels.ts";
import type { RecordsOptions } from "../record/options.ts";
import {
  isOwnReading,
  isReading,
  type ReaderEvents,
  type Suppression,
} from "../readers/reader_events.ts";
import type { HolderSession } from "../sessions/table.ts";
import { readRecord } from "../record/store.ts";

/** The message for text that is not a key. */
export const NOT_A_KEY = "A key has 26 letters and digits.";

/** The body of `POST /k`. */
export const keySchema = z.object({ key: z.string(NOT_A_KEY).max(MAX_KEY_INPUT, NOT_A_KEY) });

const currentKeySchema = z.object({
  state: z.literal("current"),
  hash: hashSchema,
  card_hash: hashSchema.optional().describe(
    "The hash on the card, if the record was corrected after the card was printed.",
  ),
  level: z.literal([1, 2, 3, 4] satisfies Level[]).describe(
    "The trust level, which is a statement by the publisher.",
  ),
  stated_by: z.string().describe("The name of the organisation that states the level."),
  publisher: z.string().describe("The publisher of the chain: a host, as in the head."),
  chain_url: z.url(),
  keys_url: z.url(),
  verify_url: z.url(),
  levels_url: z.url(),
}).meta({ id: "CurrentKey" });

/**
 * The key service's report on a key: everything that a program needs to verify the record's chain
 * itself. The level is a statement by the publisher.
 */
export type CurrentKeyReport = z.infer<typeof currentKeySchema>;

/** A replaced or revoked key leads to no record. */
const endedKeySchema = z.object({
  state: z.enum(["replaced", "revoked"]),
  at: z.iso.datetime(),
}).meta({ id: "EndedKey" });

/** The response of `POST /k` to programs. */
export const keyReportSchema = z.discriminatedUnion("state", [currentKeySchema, endedKeySchema]);

export type KeyReport =
  | z.infer<typeof keyReportSchema>
  | { state: "unknown" }
  /** The text is not a key. */
  | { state: "malformed" };

export interface KeyQuestion {
  /** The key, in any form that `findKey` accepts. */
  key: string;
  clientAddress: string;
  /** The surface that received the request. */
  surface: Surface;
  holder: HolderSession | null;
  /** True if one of our pages asks, whose browser will verify the chain. */
  fromPage: boolean;
}

/** The answer to somebody who has entered or scanned a key. */
export interface KeyAnswer {
  ok: true;
  report: KeyReport;
  /** Lets a page report a verified chain once. Null for programs and for the holder's own visit. */
  nonce: string | null;
  /** True if the record's holder asks. */
  own: boolean;
}

/** The result of a reader's visit: the event in the record's chain, or why there is none. */
export type Visit =
  | { event: LinkedEvent }
  /** `own`: the visitor is the record's holder. */
  | { event: null; suppressed: Suppression | "own" };

export type KeyService = ReturnType<typeof createKeyService>;

/** Look-ups per minute and client. */
export const LOOK_UPS_PER_MINUTE = 60;

interface KeyServiceOptions
  extends Pick<RecordsOptions, "kv" | "monotonic" | "chains" | "surfaces" | "organisations"> {
  keys: RecordKeys;
  readers: ReaderEvents;
}

/** Creates the key service, which reports on the record of a key. */
export function createKeyService(options: KeyServiceOptions) {
  const { kv, chains, keys, readers, surfaces, organisations } = options;
  const limiter = createRateLimiter({
    limit: LOOK_UPS_PER_MINUTE,
    windowMs: MINUTE_MS,
    monotonic: options.monotonic,
    maxClients: 10_000,
  });

  async function report(key: string, surface: Surface): Promise<KeyReport> {
    if (findKey(key) === null) return { state: "malformed" };
    const state = await keys.state(key);
    if (state.state !== "current") return state;
    const { hash } = state;
    const record = await readRecord(kv, hash);
    if (record === null || record.row.deletion_at) return { state: "unknown" };
    return {
      ...state,
      level: record.row.level,
      stated_by: organisations[surface.organisation].name,
      publisher: chains.publisher,
      chain_url: `${surfaces.baseFrom(surface, "api") ?? surface.baseUrl}/api/chain/${hash}`,
      keys_url: surface.baseUrl + KEYS_PATH,
      verify_url: `${surfaces.url("trust") ?? surface.baseUrl}/verify?hash=${hash}`,
      levels_url: `${surface.baseUrl}/levels`,
    };
  }

  return {
    /** Looks up a key. The number of look-ups is limited, so that nobody can try many keys. */
    async lookUp(
      { key, clientAddress, surface, holder, fromPage }: KeyQuestion,
    ): Promise<KeyAnswer | RateLimited> {
      const allowed = limiter.take(addressKey(clientAddress));
      if (!allowed.ok) return { ...allowed, message: TOO_MANY };
      const found = await report(key, surface);
      if (found.state !== "current") return { ok: true, report: found, nonce: null, own: false };
      const { hash } = found;
      const own = isOwnReading(holder, hash);
      const nonce = fromPage && !own
        ? await readers.createNonce({ hash, kind: "record_verified", object: hash })
        : null;
      return { ok: true, report: found, nonce, own };
    },
    /**
     * Appends `record_verified` to the chain that the browser of our page verified.
     *
     * @param from.request comes from our page
     */
    async reportVerified(
      nonce: string,
      { request, clientAddress, holder }: {
        request: Request;
        clientAddress: string;
        holder: HolderSession | null;
      },
    ): Promise<{ ok: true; visit: Visit } | Failure<"not_found" | "invalid_nonce">> {
      const scope = await readers.readNonce(nonce);
      if (scope !== null && !isReading(request, holder, scope.hash)) {
        return { ok: true, visit: { event: null, suppressed: "own" } };
      }
      const reader = readerOf(request, clientAddress);
      const action = { kind: "record_verified", reader, as: "anonymous" } as const;
      const result = await readers.addOnce(nonce, action);
      if (!result.ok) return result;
      const { ok, ...visit } = result;
      return { ok, visit };
    },
  };
}

const TOO_MANY = "Too many keys were checked from your network. Wait a minute and try again.";
