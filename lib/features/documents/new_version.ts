/**
 * The files of a new version: the upload and, for a PDF, its issued copy, stored before the commit.
 *
 * @module
 */
import { createQueue, type UnitOfWork } from "../../platform/kv/mod.ts";
import { fail, type Failure } from "../../base/result.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { FILE_LIMIT, unreadable, UnreadableError } from "./files/bytes.ts";
import { PDF, safeFileName } from "./files/file_types.ts";
import { formatDocumentId } from "./ids.ts";
import type { PartyDomain } from "./issued_by.ts";
import { type LeftOut, leftOutQuestion, PROBLEMS } from "../../../packages/pdf/light.ts";
import type {
  DocumentMatch,
  DocumentRow,
  DocumentVersion,
  IssuedFile,
  StoredFile,
} from "./store.ts";
import type { NewContent, StagedFiles } from "./files/staged_files.ts";
import type { NewFile, ReceivedFile, Uploads } from "./files/uploads.ts";

/** The largest file that may be uploaded. */
export const UPLOAD_LIMIT = 10 * 1024 * 1024;

/** A smaller file could be guessed from its hash. */
const GUESSABLE_SIZE = 2048;

/** The name of an uploaded file, and the administrator who uploaded it. */
export interface NewVersion {
  /** The name as the browser sent it. The stored name is sanitised. */
  file_name: string;
  /** The administrator's email address. */
  by: string;
  /**
   * True if the document's hashes may not be confirmed to everyone. Default: true if the content could
   * be guessed from its hash, which is so unless it is a PDF of 2 KB or more.
   */
  guessable?: boolean;
  /**
   * True to fail with `already_registered` if the organisation has a document with these bytes. The
   * failure's `details.staged` then refers to the file, which is kept for a while.
   */
  onlyNew?: boolean;
  /**
   * The field that asks who may confirm the hashes. The version is then refused with `hidden_hash` if
   * everybody sees the title, but only people with access could check the file, and nobody has chosen that.
   * The file is kept as for `onlyNew`.
   */
  askHash?: "publish_hash" | "file_hash";
  /**
   * True to fail with `left_out` if the issued copy would leave out something worth a question. The file is
   * kept as for `onlyNew`.
   */
  askLeftOut?: boolean;
}

/** The organisation that issues a document, as the legal block names it. */
export interface Issuer {
  name: string;
  /** Details such as a registration number and an address. */
  registration?: string;
  /** Its domain, if it is verified. */
  domain?: PartyDomain;
}

/** The details of a document that its issued copy shows. */
export interface IssueDetails {
  /** The address of the document's lock screen. That of a page adds a slash and the page's number. */
  address: string;
  /** The hash of the original. */
  sha256: string;
  issuer: Issuer;
  /** The organisation whose fonts the copy has. */
  organisation: OrganisationKey;
  /** The organisation that registers the document, if another one issues it. */
  registrar?: Issuer;
  /** ISO 8601 in UTC. */
  issuedAt: string;
  title: string;
  checkUrl: string;
  /** True if the document is a test, which its copy says on every page. */
  test?: boolean;
}

/** Makes the issued copy of a PDF. `unchanged`: a signature forbids changes. */
export type IssuePdf = (original: Uint8Array, details: IssueDetails) => Promise<
  | {
    ok: true;
    unchanged?: undefined;
    bytes: Uint8Array;
    pages: number;
    /** The parts that the copy leaves out on purpose. Default: none. */
    leftOut?: LeftOut[];
    /** The pages whose texts and drawings were compared with the original. */
    compared?: number;
  }
  | { ok: true; unchanged: true; pages: number }
  | Failure
>;

/**
 * A version whose files are stored, but that belongs to no document yet. Its end deletes the files, unless a unit that
 * keeps them was committed.
 */
export interface VersionDraft extends AsyncDisposable {
  version: Omit<DocumentVersion, "number" | "state">;
  /** As the administrator has chosen it, see {@link NewVersion}. */
  guessable?: boolean;
  /** Adds the files to the unit that stores the version. */
  keepFiles(unit: UnitOfWork): void;
}

/** The details of a document that its issued copy shows. */
type IssuedDocument = Pick<DocumentRow, "id" | "title" | "organisation" | "issuer" | "test">;

export interface DraftOptions {
  clock: () => number;
  uploads: Uploads;
  staged: StagedFiles;
  read: (file: StoredFile) => ReadableStream<Uint8Array>;
  /** Returns documents of the same organisation with a file of this hash. */
  find: (document: IssuedDocument, sha256: string) => Promise<DocumentMatch[]>;
  /** Returns what makes the issued copy of a document. Undefined if PDFs are not issued. */
  issue?: (
    about: IssuedDocument & { sha256: string; at: string },
  ) => Promise<(original: Uint8Array) => ReturnType<IssuePdf>>;
}

/** Stores the file of a version and, if it is a PDF, its issued copy. */
export type DraftVersion = (
  document: IssuedDocument & Pick<DocumentRow, "public"> & Partial<Pick<DocumentRow, "guessable">>,
  version: NewVersion,
  content: NewContent,
) => Promise<{ ok: true; draft: VersionDraft } | Failure>;

/** Creates the function that stores the files of versions. */
export function createDraftVersion(
  { clock, uploads, staged, read, find, issue }: DraftOptions,
): DraftVersion {
  // One PDF at a time is held in memory. Other files do not wait for it.
  const enqueue = createQueue();

  async function issueCopy(
    from: NewFile,
    document: IssuedDocument,
    { at, file_name, askLeftOut }: { at: string; file_name: string; askLeftOut?: boolean },
  ): Promise<
    { ok: true; copy: (NewFile & { issued: IssuedFile }) | null; pages: number | null } | Failure
  > {
    const { file: original } = from;
    if (issue === undefined) return { ok: true, copy: null, pages: null };
    if (original.media_type !== PDF) {
      return /\.pdf$/i.test(file_name)
        ? fail("no_header", { message: PROBLEMS.no_header })
        : { ok: true, copy: null, pages: null };
    }
    const { id, title, organisation, issuer, test } = document;
    const about = { id, title, organisation, issuer, test, sha256: original.sha256, at };
    const draw = await issue(about);
    const issued = await enqueue(async () =>
      // If the bucket has not returned the PDF before this one, it would not return this one either.
      uploads.refusal() ??
        draw("bytes" in from ? from.bytes : await readAll(read(original), original.size))
    );
    if (!issued.ok) return issued;
    const { pages } = issued;
    if (issued.unchanged) return { ok: true, copy: null, pages };
    const { leftOut = [], compared } = issued;
    const question = askLeftOut ? leftOutQuestion(leftOut) : undefined;
    if (question !== undefined) return fail("left_out", { issues: { parts: question } });
    const copy = await uploads.take(issued.bytes, FILE_LIMIT, from);
    if (!copy.ok) return copy;
    const file: IssuedFile = {
      ...copy.file,
      pages,
      ...leftOut.length > 0 && { left_out: leftOut },
      ...compared !== undefined && compared < pages && { compared },
    };
    return { ok: true, copy: { ...copy, issued: file }, pages };
  }

  /** Leaves out the current version of the document itself, which it cannot be replaced by. */
  const findSame = async (about: IssuedDocument, { sha256 }: StoredFile) =>
    (await find(about, sha256)).filter(({ document, version, form }) =>
      document.id !== about.id || version.state !== "current" || form !== "original"
    );

  const receive = (content: NewContent): Promise<ReceivedFile<NewFile>> => {
    if (content instanceof Uint8Array) return uploads.take(content, UPLOAD_LIMIT);
    if ("upload" in content) return Promise.resolve({ ok: true, ...content });
    return uploads.receive(content, UPLOAD_LIMIT);
  };

  /** Returns a version with its files. */
  function draftOf(
    version: VersionDraft["version"],
    files: readonly NewFile[],
    guessable?: boolean,
  ): VersionDraft {
    let kept = false;
    return {
      version,
      guessable,
      keepFiles(unit) {
        uploads.keep(unit, files);
        unit.after(() => {
          kept = true;
        });
      },
      [Symbol.asyncDispose]: async () => kept ? undefined : await uploads.discard(files),
    };
  }

  return async (
    document,
    { file_name, by, guessable, onlyNew, askHash, askLeftOut },
    content,
  ) => {
    const original = await receive(content);
    if (!original.ok) return original;
    const at = new Date(clock()).toISOString();
    const name = safeFileName(file_name);
    /** Asks the administrator, and keeps the file for the answer. */
    const ask = async (error: string, issues: Record<string, string>) => {
      if ("bytes" in original) throw new TypeError("Only uploads can be asked about.");
      return fail(error, {
        issues,
        details: { staged: await staged.refer({ ...original, name }, by), file_name: name },
      });
    };
    try {
      const isHidden = guessable === undefined && !document.guessable &&
        isGuessable(original.file);
      if (askHash !== undefined && document.public && isHidden) {
        return await ask("hidden_hash", { [askHash]: HIDDEN });
      }
      const same = onlyNew ? await findSame(document, original.file) : [];
      if (same.length > 0) return await ask("already_registered", { again: describeSame(same) });
      const result = await issueCopy(original, document, { at, file_name: name, askLeftOut });
      if (!result.ok && result.error === "left_out") return await ask("left_out", result.issues!);
      if (!result.ok) {
        await uploads.discard([original]);
        return result;
      }
      const { copy, pages } = result;
      const version = {
        at,
        by,
        original: original.file,
        file_name: name,
        issued: copy?.issued ?? null,
        pages,
      };
      const files = copy === null ? [original] : [original, copy];
      return { ok: true, draft: draftOf(version, files, guessable) };
    } catch (error) {
      await uploads.discard([original]);
      if (error instanceof UnreadableError) return unreadable();
      throw error;
    }
  };
}

/** Returns whether the content of a file could be guessed from its hash. */
export const isGuessable = ({ media_type, size }: StoredFile): boolean =>
  media_type !== PDF || size < GUESSABLE_SIZE;

const HIDDEN =
  "This file is not a PDF of at least 2 KB, so by default only the holder, administrators and people with access " +
  "can confirm it. Everybody else would see the title and the state, but “No published match” when they " +
  "check the file. Choose who may confirm it.";

/** The most documents that a question names. */
const MAX_NAMED = 3;

function describeSame(same: readonly DocumentMatch[]): string {
  const named = same.slice(0, MAX_NAMED).map(({ document, version }) =>
    `“${document.title}”, number ${formatDocumentId(document.id)}, ` +
    `version ${version.number} (${version.state})`
  );
  const more = same.length - named.length;
  return `This file is already registered as ${named.join("; ")}` +
    `${more === 0 ? "" : `, and ${more} more`}. Should it be registered again?`;
}

async function readAll(stream: ReadableStream<Uint8Array>, size: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(size);
  let filled = 0;
  for await (const chunk of stream) {
    bytes.set(chunk, filled);
    filled += chunk.length;
  }
  return bytes;
}
