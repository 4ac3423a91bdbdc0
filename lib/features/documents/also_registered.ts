/**
 * The notices to organisations that have registered the same file, and the job that delivers them.
 *
 * @module
 */
import { z } from "zod";
import { addAlert } from "../alerts/mod.ts";
import { type Issuers, publicIssuer } from "../issuers/mod.ts";
import { type JobContext, sweepRows } from "../../platform/jobs/mod.ts";
import { apart, defineTable, inUnit, unchecked, untilUsed } from "../../platform/kv/mod.ts";
import { addToMail, type Pair } from "./also_registered_mails.ts";
import { type AddDocumentEvent, createEmit } from "./events.ts";
import { documents, latestVersion, matchOf } from "./store.ts";

/** The alert that one organisation has registered a file of another. */
export const ALSO_REGISTERED = "also_registered";

const noticeRow = z.strictObject({
  id: z.string(),
  sha256: z.string(),
  /** The id of the document whose issuer is notified. */
  document: z.string(),
  /** The id of the document that another organisation has registered with the same bytes. */
  other: z.string(),
  /** True if the organisation that is notified was first. */
  first: z.boolean(),
});

type Notice = z.infer<typeof noticeRow>;

/** The organisations that must still learn that another one has registered the same file. */
export const alsoRegistered = defineTable({
  prefix: "also_registered",
  value: noticeRow,
  key: ["id"],
  owner: "nobody",
  lifetime: untilUsed("until the issuer is notified, normally a minute", "also-registered"),
  per: "file that another organisation registers, too",
  privacy: { section: "record", label: "Files that others register" },
});

/** Adds to the commit of a registration that organisations learn of each other. A job notifies them. */
export function addNotices(
  commit: Deno.AtomicOperation,
  notices: readonly Omit<Notice, "id">[],
): void {
  for (const notice of notices) {
    alsoRegistered.set(commit, { id: crypto.randomUUID(), ...notice });
  }
}

interface AlsoRegisteredOptions {
  kv: Deno.Kv;
  clock: () => number;
  issuers: Pick<Issuers, "read">;
  onEvent?: () => readonly AddDocumentEvent[];
}

/**
 * Notifies the organisations that have registered the same files: each file is an event for their servers, and counted in their
 * next mail. An alert names both organisations, once for each pair and mail of the first one. All of it is in the commit that
 * deletes the notice. It is the work of a job, so that the time of a registration does not show whether
 * somebody has a hidden document with these bytes.
 *
 * @returns how many files were notified
 */
export function notifyFirst(options: AlsoRegisteredOptions, context: JobContext): Promise<number> {
  const { kv, clock } = options;
  const emit = createEmit(options);
  return sweepRows<Notice>(kv, alsoRegistered.prefix, context, async (_, id) => {
    const done = await inUnit({ kv, clock }, async (unit) => {
      const notice = await alsoRegistered.get(kv, id);
      if (notice.value === null) return { notified: false };
      const { commit, now } = unit;
      alsoRegistered.delete(commit.check(notice), notice.value);
      const pair = await readPair(options, commit, notice.value);
      if (pair === null) return { notified: false };
      const { notified, other } = pair;
      const isNew = await addToMail(kv, commit, pair, now);
      if (isNew && notice.value.first) await addAlerts(options, commit, pair, now);
      const about = { ...other, at: other.registeredAt };
      emit(unit, "document.also_registered", notified.document, about);
      return { notified: true };
    });
    return "notified" in done && done.notified;
  });
}

/** Returns both organisations; null if one of the documents was erased, or the other one was hidden since. */
async function readPair(
  { kv, clock, issuers }: AlsoRegisteredOptions,
  commit: Deno.AtomicOperation,
  { sha256, document, other }: Notice,
): Promise<Pair | null> {
  const rows = await documents.getMany(kv, [[document], [other]]);
  commit.check(...rows);
  const erased = [document, other].filter((id) => !rows.some(({ value }) => value.id === id));
  unchecked(
    "A document that is erased does not come back.",
    ...erased.map((id) => ({ key: documents.key(id) })),
  );
  if (rows.length < 2 || rows[1].value.guessable) return null;
  const [notified, second] = await Promise.all(rows.map(async ({ value: document }) => {
    const { issuer, organisation } = document;
    const row = await apart(
      "The notice names an issuer as it was when the notice was made.",
      () => issuers.read(organisation, issuer.id),
    );
    const { at } = matchOf(document, sha256)?.version ?? latestVersion(document);
    return { document, name: issuer.name, ...publicIssuer(row, clock()), registeredAt: at };
  }));
  return { notified, other: second };
}

/** Adds an alert in the console of each organisation that registered one of the documents. */
async function addAlerts(
  { kv }: AlsoRegisteredOptions,
  commit: Deno.AtomicOperation,
  { notified: first, other }: Pair,
  now: number,
): Promise<void> {
  const problem = `${first.document.issuer.id}/${other.document.issuer.id}`;
  const details = {
    first: first.name,
    other: other.name,
    ...first.domain?.verifiedOn && { first_domain: first.domain.name },
    ...other.domain?.verifiedOn && { domain: other.domain.name },
  };
  const both = Object.entries({ first, other }).map(([role, { document }]) => ({ role, document }));
  const consoles = Map.groupBy(both, ({ document }) => document.organisation);
  for (const [organisation, issuers] of consoles) {
    // A console has the pages of its own issuers only.
    const ids = issuers.map(({ role, document }) => [`${role}_issuer`, document.issuer.id]);
    const alert = {
      ...{ organisation, kind: ALSO_REGISTERED, problem },
      links: { issuer: issuers.at(-1)!.document.issuer.id },
      details: { ...details, ...Object.fromEntries(ids) },
    };
    await addAlert(kv, commit, alert, now);
  }
}
