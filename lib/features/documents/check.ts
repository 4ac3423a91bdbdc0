import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { timingSafeEqual } from "@std/crypto/timing-safe-equal";
import { decodeHex } from "../../base/encoding.ts";
import type { Log, LogProofs } from "../log/mod.ts";
import { addressKey } from "../../platform/http/client_address.ts";
import { createRateLimiter } from "../../platform/http/rate_limit.ts";
import {
  type HolderSession,
  isReading,
  type NonceScope,
  type ReaderAction,
  readerOf,
  type Records,
  type Visit,
} from "../records/mod.ts";
import { fail, type Failure, type RateLimited } from "../../base/result.ts";
import { HOUR_MS, MINUTE_MS } from "../../base/time.ts";
import {
  type CheckReport,
  createReport,
  type MatchReport,
  type PublishedText,
  reportMatch,
  reportText,
  sortMatches,
} from "./check_report.ts";
import { unreadable, UnreadableError } from "./bytes.ts";
import type { CheckViewer, ViewerOf } from "./check_viewer.ts";
import { formatDocumentId } from "./ids.ts";
import type { PartiesReader } from "./parties.ts";
import type { Permission } from "./permission.ts";
import { READINGS_PER_HOUR } from "./reading.ts";
import { readProvenLog } from "./statements.ts";
import { type DocumentMatch, type DocumentRow, latestVersion, type StoredFile } from "./store.ts";

export interface CheckQuestion {
  /** 64 lowercase hexadecimal digits. */
  sha256: string;
  clientAddress: string;
  viewerOf: ViewerOf;
  /** True if one of our pages asks, whose browser has the file and can prove it. */
  fromPage?: boolean;
  /** The document whose number a page of the file prints. */
  document?: string;
}

/**
 * Why the check of a match is not recorded:
 *
 * - `own`: the document's holder is signed in
 * - `waiting`: its recipient has not accepted the document yet, so it has no holder
 * - `unaccepted`: nobody accepted it in time, so it has no holder
 * - `test`: it was made with a key for tests, and has no holder
 */
export type Unrecorded = "own" | "waiting" | "unaccepted" | "test";

export interface CheckAnswer {
  ok: true;
  report: CheckReport;
  /**
   * For each match, a nonce for a page to prove once that its browser has the file. Null for programs,
   * and if the check is not recorded.
   */
  nonces: (string | null)[];
  /** For each match, why a page gets no nonce. Null if it gets one, for programs and for our own pages. */
  unrecorded: (Unrecorded | null)[];
  /**
   * True if nothing matches and the hashes of the document in question may be confirmed to the reader.
   * Whatever the file is, it is false for all other documents. Undefined if there is no document in
   * question.
   */
  differs?: boolean;
}

/** A browser's proof that it has a file. */
interface Proof {
  nonce: string;
  sha256: string;
  /** SHA-256 of the nonce, as UTF-8 text, followed by the file. */
  proof: string;
}

export interface Checks {
  /**
   * Looks up the documents with a file of this hash. A document whose hashes may not be confirmed to
   * the reader is not reported, as if there were none. The number of look-ups per client is limited.
   */
  lookUp(question: CheckQuestion): Promise<CheckAnswer | RateLimited>;
  /** Appends `document_verified` to the chain of the document's record, if the proof is right. */
  prove(
    proof: Proof,
    from: {
      request: Request;
      clientAddress: string;
      holder: HolderSession | null;
      viewerOf: ViewerOf;
    },
  ): Promise<{ ok: true; visit: Visit } | Failure>;
}

/** Look-ups per minute and client. */
export const CHECKS_PER_MINUTE = 60;

/**
 * Every answer takes at least this long, because it takes longer to read a document that must not be
 * reported than none.
 */
export const ANSWER_MS = 20;

/** Proofs per minute and client. Each one reads a whole file. */
export const PROOFS_PER_MINUTE = 20;

/** Files that are read at the same time. */
const CONCURRENT_PROOFS = 4;

/** A placeholder for a document that the reader must not see. No stored document has this id. */
const NO_MATCH: DocumentMatch = {
  document: {
    id: "0000000000000000",
    record: "",
    organisation: "commercial",
    issuer: { id: "", name: "" },
    title: "",
    kind: "",
    public: false,
    guessable: true,
    expires_at: null,
    created_at: "",
    versions: [],
  },
  version: {
    number: 1,
    at: "",
    by: "",
    state: "current",
    original: { blob: "", store: "kv", sha256: "", size: 0, media_type: "" },
    file_name: "",
    issued: null,
    pages: null,
  },
  form: "original",
};

/** The part of `Documents` that a check needs. */
interface StoredDocuments {
  findByHash(sha256: string): Promise<DocumentMatch[]>;
  read(id: string): Promise<DocumentRow | null>;
  open(file: StoredFile): ReadableStream<Uint8Array>;
}

interface ChecksOptions {
  clock: () => number;
  /** Returns the monotonic time in milliseconds, for limits in memory. */
  monotonic?: () => number;
  documents: StoredDocuments;
  records: Pick<Records, "read" | "readers">;
  publicLog: Pick<Log, "indexesOf">;
  logProofs: Pick<LogProofs, "ofEntries">;
  documentParties: Pick<PartiesReader, "of">;
  trustUrl: (path: string) => string;
  /** Returns one of our own pages that was published with this SHA-256. */
  findPage: (sha256: string) => Promise<PublishedText | null>;
  /** Default: a timer. */
  pause?: (ms: number) => Promise<void>;
}

/** Creates the service that checks whether a file is a registered document. */
export function createChecks(options: ChecksOptions): Checks {
  const { clock, monotonic, documents, records, pause = sleep } = options;
  const { readers } = records;
  const perMinute = (limit: number) =>
    createRateLimiter({ limit, windowMs: MINUTE_MS, monotonic, maxClients: 10_000 });
  const lookUps = perMinute(CHECKS_PER_MINUTE);
  const proofs = perMinute(PROOFS_PER_MINUTE);
  // Grants are never suppressed, so each of these proofs is an event.
  const grantProofs = createRateLimiter({
    limit: READINGS_PER_HOUR,
    windowMs: HOUR_MS,
    monotonic,
    maxClients: 10_000,
  });
  let reading = 0;

  /**
   * Returns the reader of a document whose hashes may be confirmed to them; null if they may not. Both
   * take the same reads.
   */
  async function confirmable(
    match: Pick<DocumentMatch, "document" | "version">,
    viewerOf: ViewerOf,
  ): Promise<CheckViewer | null> {
    const { document } = match;
    const viewer = await viewerOf(match);
    const record = await records.read(document.record ?? "");
    if (document.guessable && viewer.permission === "public") return null;
    if (document.record === null) return viewer; // it waits for its recipient
    return record === null || record.row.deletion_at ? null : viewer;
  }

  /** Returns what the reader may know about a match; null for nothing. */
  async function describe(
    match: DocumentMatch,
    { viewerOf, fromPage }: CheckQuestion,
  ): Promise<Described | null> {
    const { document } = match;
    const [viewer, partiesOf] = await Promise.all([
      confirmable(match, viewerOf),
      options.documentParties.of([document]),
    ]);
    if (viewer === null) return null;
    const { permission } = viewer;
    const full = permission !== "public";
    const { version } = match;
    // Whoever knows the hash of a document that may be confirmed also learns what the log says about it.
    const log = await readProvenLog(options, document, version);
    return {
      report: reportMatch(match, {
        ...options,
        parties: partiesOf(document),
        now: clock(),
        full,
        log,
      }),
      ...fromPage ? recordingOf(document, permission) : NOT_FROM_PAGE,
    };
  }

  /** Returns whether a file that matches nothing differs from a document, as far as the reader may know. */
  async function differsFrom(id: string, viewerOf: ViewerOf): Promise<boolean> {
    const document = await documents.read(id);
    if (document === null) return false;
    return await confirmable({ document, version: latestVersion(document) }, viewerOf) !== null;
  }

  async function proofOf(nonce: string, file: StoredFile): Promise<Uint8Array> {
    const hash = createHash("sha256").update(nonce);
    for await (const bytes of documents.open(file)) hash.update(bytes);
    return hash.digest();
  }

  async function answer(question: CheckQuestion): Promise<CheckAnswer> {
    const { sha256 } = question;
    const found = await documents.findByHash(sha256);
    if (found.length === 0) {
      // An unknown hash costs as many reads as one whose document must not be reported.
      await documents.read(NO_MATCH.document.id);
      found.push(NO_MATCH);
    }
    const text = await options.findPage(sha256);
    const described = await Promise.all(found.map((match) => describe(match, question)));
    const matches = sortMatches([
      ...text === null ? [] : [{ report: reportText(text), ...NOT_FROM_PAGE }],
      ...described.filter((each) => each !== null),
    ]);
    return {
      ok: true,
      report: createReport(sha256, matches.map(({ report }) => report)),
      nonces: await Promise.all(matches.map(({ scope }) => scope && readers.createNonce(scope))),
      unrecorded: matches.map(({ unrecorded }) => unrecorded),
      ...question.document === undefined ? {} : {
        differs: matches.length === 0 &&
          await differsFrom(question.document, question.viewerOf),
      },
    };
  }

  return {
    async lookUp(question) {
      const allowed = lookUps.take(addressKey(question.clientAddress));
      if (!allowed.ok) return { ...allowed, message: TOO_MANY };
      const [, answered] = await Promise.all([pause(ANSWER_MS), answer(question)]);
      return answered;
    },
    async prove({ nonce, sha256, proof }, { request, clientAddress, holder, viewerOf }) {
      const allowed = proofs.take(addressKey(clientAddress));
      if (!allowed.ok) return { ...allowed, message: TOO_MANY };
      const scope = await readers.readNonce(nonce);
      if (scope?.kind !== "document_verified") return invalidNonce();
      if (!isReading(request, holder, scope.hash)) {
        return { ok: true, visit: { event: null, suppressed: "own" } };
      }
      const document = await documents.read(scope.object);
      if (document?.record !== scope.hash) return wrongProof();
      const match = matchOf(document, sha256);
      // The hashes may have been hidden since the nonce was created. Then no guess is confirmed.
      const version = match?.version ?? latestVersion(document);
      const viewer = await confirmable({ document, version }, viewerOf);
      if (match === undefined || viewer === null) return wrongProof();
      if (reading >= CONCURRENT_PROOFS) {
        return fail("unavailable", {
          message: "Too many files are being compared. Try again in a few seconds.",
          retryAfterSeconds: 5,
        });
      }
      reading++;
      try {
        const expected = await proofOf(nonce, match.file);
        if (!timingSafeEqual(expected, decodeHex(proof))) return wrongProof();
      } catch (error) {
        if (!(error instanceof UnreadableError)) throw error;
        return unreadable();
      } finally {
        reading--;
      }
      if (viewer.grant !== null) {
        const allowed = grantProofs.take(viewer.grant);
        if (!allowed.ok) return { ...allowed, message: TOO_OFTEN };
      }
      const result = await readers.addOnce(nonce, {
        kind: "document_verified",
        reader: readerOf(request, clientAddress),
        as: ROLES[viewer.permission],
        detail: detailOf(match, viewer),
      });
      if (!result.ok) return result;
      const { ok, ...visit } = result;
      return { ok, visit };
    },
  };
}

/** How the check of a match is recorded: what a nonce is for, or why there is none. */
interface Recording {
  scope: NonceScope | null;
  unrecorded: Unrecorded | null;
}

type Described = { report: MatchReport } & Recording;

const NOT_FROM_PAGE: Recording = { scope: null, unrecorded: null };

function recordingOf(
  { id, record, test, erased_at }: DocumentRow,
  permission: Permission,
): Recording {
  if (test) return { scope: null, unrecorded: "test" };
  if (record === null) {
    return { scope: null, unrecorded: erased_at === undefined ? "waiting" : "unaccepted" };
  }
  return permission === "holder"
    ? { scope: null, unrecorded: "own" }
    : { scope: { hash: record, kind: "document_verified", object: id }, unrecorded: null };
}

const ROLES: Record<Permission, ReaderAction["as"]> = {
  public: "anonymous",
  holder: "anonymous",
  grant: "grant",
  operator: "administrator",
};

/** A match with the file that has the hash. */
type FileMatch = DocumentMatch & { file: StoredFile };

function matchOf(document: DocumentRow, sha256: string): FileMatch | undefined {
  for (const version of document.versions) {
    const { original, issued } = version;
    if (original.sha256 === sha256) return { document, version, form: "original", file: original };
    if (issued?.sha256 === sha256) return { document, version, form: "issued", file: issued };
  }
}

const detailOf = ({ document, version, form }: FileMatch, { permission, grant }: CheckViewer) =>
  [
    `${formatDocumentId(document.id)} version ${version.number}`,
    ...form === "original" ? ["the original"] : [],
    ...permission === "operator" ? ["by an administrator"] : [],
    ...grant === null ? [] : [`with the grant ${formatDocumentId(grant)}`],
  ].join(", ");

const TOO_MANY = "Too many files were checked from your network. Wait a minute and try again.";

const TOO_OFTEN = "You have checked this document too often. Try again in an hour.";

const invalidNonce = () => fail("invalid_nonce", { message: "Check the file again." });

const wrongProof = () =>
  fail("wrong_proof", { message: "The proof does not match the registered file." });
