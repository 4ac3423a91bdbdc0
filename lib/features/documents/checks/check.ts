/**
 * The check of a file by its hash: which registrations the reader may learn of.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { timingSafeEqual } from "@std/crypto/timing-safe-equal";
import { decodeHex } from "../../../base/encoding.ts";
import type { Log, LogProofs } from "../../log/mod.ts";
import { addressKey } from "../../../platform/http/client_address.ts";
import { createRateLimiter } from "../../../platform/http/rate_limit.ts";
import {
  type HolderSession,
  isReading,
  type NonceScope,
  type ReaderAction,
  readerOf,
  type Records,
  type Visit,
} from "../../records/mod.ts";
import { fail, type Failure, type RateLimited } from "../../../base/result.ts";
import { HOUR_MS, MINUTE_MS } from "../../../base/time.ts";
import {
  type CheckReport,
  createReport,
  type MatchReport,
  type PublishedText,
  reportMatch,
  reportText,
} from "./report.ts";
import { unreadable, UnreadableError } from "../files/bytes.ts";
import type { Checker, CheckViewer } from "./viewer.ts";
import { formatDocumentId } from "../ids.ts";
import type { PartiesReader } from "../parties.ts";
import type { Permission } from "../access/permission.ts";
import { READINGS_PER_HOUR } from "../access/readings.ts";
import { readProvenLog } from "../statements.ts";
import { type FoundRegistrants, MAX_REGISTRANTS, type Registrant } from "../registrants.ts";
import {
  type DocumentMatch,
  type DocumentMode,
  type DocumentRow,
  type HashScope,
  latestVersion,
  matchesIn,
  matchOf,
  type OfIssuer,
  scopeOf,
  SCOPES,
  type StoredFile,
} from "../store.ts";

export interface CheckQuestion {
  /** 64 lowercase hexadecimal digits. */
  sha256: string;
  clientAddress: string;
  checker: Checker;
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
   * A nonce for a page to prove once that its browser has the file, for the record of the first match. The
   * other organisations may be strangers with a copy, who must not learn when somebody checks the document.
   * Null for programs, and if the check is not recorded.
   */
  nonce: string | null;
  /** Why a page gets no nonce. Null if it gets one, for programs, for our own pages and without a match. */
  unrecorded: Unrecorded | null;
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
   * Looks up who has registered a file of this hash. A document whose hashes may not be confirmed to
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
      checker: Checker;
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

/**
 * The most documents that a check reads of an organisation whose newest one may not be reported, for example
 * because its record is being deleted. Together with the newest ones, a check reads at most 20 documents.
 */
const SPARE = 20 - MAX_REGISTRANTS;

/** Files that are read at the same time. */
const CONCURRENT_PROOFS = 4;

const NO_FILE: StoredFile = { blob: "", store: "kv", sha256: "", size: 0, media_type: "" };

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
    original: NO_FILE,
    file_name: "",
    issued: null,
    pages: null,
  },
  form: "original",
  file: NO_FILE,
};

/** The part of `Documents` that a check needs. */
interface StoredDocuments {
  findByHash(sha256: string, scope: HashScope): Promise<FoundRegistrants>;
  findByIssuer(of: OfIssuer, limit: number): Promise<DocumentMatch[]>;
  findHidden(sha256: string, record: string): Promise<Registrant[]>;
  read(id: string): Promise<DocumentRow | null>;
  readMany(ids: readonly string[]): Promise<DocumentRow[]>;
  open(file: StoredFile): ReadableStream<Uint8Array>;
}

/** The registrations of one organisation, as a report and the page need them. */
interface Entry extends Recording {
  /** The id of the issuer. */
  issuer: string;
  /** When it registered the file first. */
  first: string;
  report: MatchReport;
}

/** Returns the newest registration of several of one organisation. */
function newestOf(entries: readonly Entry[]): Entry {
  const [newest] = entries.toSorted((a, b) =>
    compare(b.report.registered_at, a.report.registered_at)
  );
  return { ...newest, first: entries.map(({ first }) => first).toSorted()[0] };
}

const byFirst = (a: Entry, b: Entry): number =>
  compare(a.first, b.first) || compare(a.issuer, b.issuer);

const compare = (a: string, b: string): number => Number(a > b) - Number(a < b);

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
    checker: Checker,
  ): Promise<CheckViewer | null> {
    const { document } = match;
    const viewer = await checker.viewerOf(match);
    const record = await records.read(document.record ?? "");
    if (document.guessable && viewer.permission === "public") return null;
    if (document.record === null) return viewer; // it waits for its recipient
    return record === null || record.row.deletion_at ? null : viewer;
  }

  /** Returns what the reader may know about a match; null for nothing. */
  async function describe(
    match: DocumentMatch,
    first: string,
    { checker, fromPage }: CheckQuestion,
  ): Promise<Entry | null> {
    const { document } = match;
    const [viewer, partiesOf] = await Promise.all([
      confirmable(match, checker),
      options.documentParties.of([document]),
    ]);
    if (viewer === null) return null;
    const { permission } = viewer;
    const full = permission !== "public";
    const { version } = match;
    // Whoever knows the hash of a document that may be confirmed also learns what the log says about it.
    const log = await readProvenLog(options, document, version);
    return {
      issuer: document.issuer.id,
      first,
      report: reportMatch(match, {
        ...options,
        parties: partiesOf(document),
        now: clock(),
        full,
        log,
        first,
      }),
      ...fromPage ? recordingOf(document, permission) : NOT_FROM_PAGE,
    };
  }

  /** Returns those of the documents with hidden hashes that the reader may see, in a mode. */
  async function findHidden(
    sha256: string,
    mode: DocumentMode,
    { record, operator, granted }: Checker,
  ): Promise<Registrant[]> {
    const [, scope] = SCOPES[mode];
    if (operator) return (await documents.findByHash(sha256, scope)).registrants;
    if (mode === "test") return []; // tests have no holder
    const [own, opened] = await Promise.all([
      record === null ? [] : documents.findHidden(sha256, record),
      documents.readMany(granted()),
    ]);
    const others = matchesIn(opened.map((value) => ({ value })), sha256)
      .filter(({ document }) => scopeOf(document) === scope);
    return [
      ...own,
      ...others.map((match) => ({
        issuer: match.document.issuer.id,
        first: match.version.at,
        match,
      })),
    ];
  }

  /**
   * Returns an entry for each organisation that has registered a file in a mode, in the order of their first
   * registrations. Of the documents of one organisation that may be reported, the newest registration counts.
   */
  async function findEntries(
    mode: DocumentMode,
    question: CheckQuestion,
  ): Promise<{ entries: Entry[]; more: number }> {
    const { sha256, checker } = question;
    const [scope] = SCOPES[mode];
    const [found, hidden] = await Promise.all([
      documents.findByHash(sha256, scope),
      findHidden(sha256, mode, checker),
    ]);
    const { registrants, more } = found;
    if (registrants.length === 0 && mode === "live") {
      // An unknown hash costs as many reads as one whose document must not be reported.
      await documents.readMany([NO_MATCH.document.id]);
      registrants.push({ issuer: "", first: "", match: NO_MATCH });
    }
    const newest = await Promise.all(
      registrants.map(({ match, first }) => match && describe(match, first, question)),
    );
    let spare = SPARE;
    for (const [i, { issuer, first, match }] of registrants.entries()) {
      if (newest[i] !== null || spare === 0) continue;
      const except = match?.document.id;
      const others = await documents.findByIssuer({ sha256, scope, issuer, except }, spare);
      spare -= others.length;
      const described = others.map((other) => describe(other, first, question));
      newest[i] = (await Promise.all(described)).find((entry) => entry !== null) ?? null;
    }
    const shown = hidden.map(({ match, first }) => match && describe(match, first, question));
    const all = [...newest, ...await Promise.all(shown)].filter((entry) => entry !== null);
    const entries = [...Map.groupBy(all, ({ issuer }) => issuer).values()].map(newestOf);
    return { entries: entries.toSorted(byFirst), more: entries.length === 0 ? 0 : more };
  }

  /** Returns whether a file that matches nothing differs from a document, as far as the reader may know. */
  async function differsFrom(id: string, checker: Checker): Promise<boolean> {
    const document = await documents.read(id);
    if (document === null) return false;
    return await confirmable({ document, version: latestVersion(document) }, checker) !== null;
  }

  async function proofOf(nonce: string, file: StoredFile): Promise<Uint8Array> {
    const hash = createHash("sha256").update(nonce);
    for await (const bytes of documents.open(file)) hash.update(bytes);
    return hash.digest();
  }

  async function answer(question: CheckQuestion): Promise<CheckAnswer> {
    const { sha256 } = question;
    const [{ entries, more }, text] = await Promise.all([
      findEntries("live", question),
      options.findPage(sha256),
    ]);
    const registered = text === null ? entries : [
      { report: reportText(text), ...NOT_FROM_PAGE },
      ...entries.filter(({ issuer }) => !text.organisations.some((own) => own === issuer)),
    ];
    const found = registered.length > 0
      ? { matches: registered, more }
      : await findEntries("test", question).then(({ entries, more }) => ({
        matches: entries,
        more,
      }));
    const { matches } = found;
    const { scope, unrecorded } = matches[0] ?? NOT_FROM_PAGE;
    return {
      ok: true,
      report: createReport(sha256, matches.map(({ report }) => report), found.more),
      nonce: scope === null ? null : await readers.createNonce(scope),
      unrecorded,
      ...question.document === undefined ? {} : {
        differs: matches.length === 0 &&
          await differsFrom(question.document, question.checker),
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
    async prove({ nonce, sha256, proof }, { request, clientAddress, holder, checker }) {
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
      const viewer = await confirmable({ document, version }, checker);
      if (match === null || viewer === null) return wrongProof();
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

const detailOf = (
  { document, version, form }: DocumentMatch,
  { permission, grant }: CheckViewer,
) =>
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
