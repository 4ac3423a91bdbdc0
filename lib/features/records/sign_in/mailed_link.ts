/** The links that sign in to records, as they are stored and found. */
import { z } from "zod";
import { TOKEN_LIFETIME, TOKEN_LIFETIME_MS } from "../../auth/mod.ts";
import { sha256 } from "../../../platform/kv/hash.ts";
import {
  createSingleUseTokens,
  defineTable,
  expires,
  TOKEN,
  type TokenRow,
  unchecked,
} from "../../../platform/kv/mod.ts";
import { fail, type Failure } from "../../../base/result.ts";
import type { Secrets } from "../../../base/secrets.ts";
import { SURFACE_NAMES, type SurfaceName } from "../../../platform/surfaces/mod.ts";
import { DAY_MS, inDays, inMinutes } from "../../../base/time.ts";
import { type Reader, storedReader } from "../access_log/access_log.ts";
import { LINK_CODE_LIFETIME_MS } from "./link_codes.ts";
import { readRecord, type RecordEntry } from "../record/store.ts";

/** How long a link is stored, to report "expired" and "used" instead of "unknown". */
const STORED_MS = DAY_MS;

/** The link of a mail that signs in. */
const storedLink = z.strictObject({
  /** The surface that it signs in to. It is invalid on all others. */
  surface: z.enum(SURFACE_NAMES),
  /** The hashes of the records that it opens. The address is not stored. */
  choices: z.array(z.string()),
  /** SHA-256 of the id of the browser that asked. */
  browser: z.string(),
  /** The request that it signs in for. */
  request: z.strictObject({
    /** Sealed, because only the browser may know it. */
    token: z.custom<Uint8Array<ArrayBuffer>>((value) => value instanceof Uint8Array),
    reader: storedReader,
  }).optional(),
  ...TOKEN,
});

export type LinkData = Omit<z.infer<typeof storedLink>, keyof TokenRow>;

/** The links of mails. A link ends with each of the records that it opens. */
export const storedLinks = defineTable({
  prefix: "record_links",
  value: storedLink,
  key: ["token"],
  indexes: { record_links_by_record: ["choices"] },
  owner: { record: "choices" },
  lifetime: expires(inDays(STORED_MS)),
  per: "link to a record",
  privacy: [{
    section: "record",
    label: "Signing in",
    text: "Keyed fingerprints of your confirmed email address and mobile number, to find your " +
      "record when you sign in. A fingerprint (SHA-256) of each link, the records that it opens " +
      `and a random number of the browser that asked for it, for ${inDays(STORED_MS)}. The link ` +
      `works once, within ${TOKEN_LIFETIME}. Your request for a link, with the address, encrypted, ` +
      `until the email is ready: usually less than a second, at most ${TOKEN_LIFETIME}.`,
  }, {
    section: "record",
    label: "Signing in to connect an app",
    text:
      "With the link: the number of the app's request, encrypted, and the network and browser " +
      "that asked for the link, for the same time. A fingerprint of the browser and the request " +
      "and, if you open the link in another browser, a keyed hash of the code that it shows and " +
      `the records that it opens, for ${inMinutes(LINK_CODE_LIFETIME_MS)}.`,
  }],
});

export const signInLinks = createSingleUseTokens<LinkData>({
  prefix: storedLinks.prefix,
  indexRows: storedLinks.indexRows,
  lifetimeMs: TOKEN_LIFETIME_MS,
  rememberedMs: STORED_MS - TOKEN_LIFETIME_MS,
});

/** The person who opens a link, and the browser and surface. */
export interface LinkUse {
  surface: SurfaceName;
  /** The id of the browser, see `browserIdOf`. */
  browser: string | null;
  reader: Reader;
  /** The id of the session that the browser has had so far. It ends. */
  previous: string | null;
}

/** An app's request that a holder signs in for (docs/oauth.md). */
export interface SignInRequest {
  token: string;
  /** Where the link was requested. */
  reader: Reader;
}

/** A link of either kind that was found in the store. */
export interface FoundLink {
  choices: string[];
  /** SHA-256 of the id of the browser that asked; null for an administrator's link. */
  browser: string | null;
  recovery: boolean;
  request: SignInRequest | null;
  use(commit: Deno.AtomicOperation): void;
}

export type LinkFailure = Failure<"not_found" | "expired" | "used">;

type Found = { ok: true; link: FoundLink } | LinkFailure;

/** Finds a link that can still be used on a surface. */
export type FindLink = (token: string, surface: SurfaceName, now: number) => Promise<Found>;

export interface LinksOptions {
  kv: Deno.Kv;
  secrets: Secrets;
  /** Finds an administrator's link, which opens a record again. */
  findRecovery: FindLink;
}

/** Finds a link of either kind. */
export async function findLink(
  { kv, secrets, findRecovery }: LinksOptions,
  token: string,
  surface: SurfaceName,
  now: number,
): Promise<Found> {
  const found = await signInLinks.find(kv, token, now);
  if (found.state === "unknown") return await findRecovery(token, surface, now);
  const { entry } = found;
  if (entry.value.surface !== surface) return fail("not_found");
  if (found.state !== "open") return fail(found.state);
  const { choices, browser } = entry.value;
  const request = await requestOf(secrets, entry.value);
  const use = (commit: Deno.AtomicOperation) => signInLinks.use(commit, entry, now);
  return { ok: true, link: { choices, browser, recovery: false, request, use } };
}

/** Returns what a link signs in for. It is never an ordinary link again, whatever happens. */
async function requestOf(
  secrets: Secrets,
  { request, browser }: LinkData,
): Promise<SignInRequest | null> {
  if (request === undefined) return null;
  const opened = await secrets.open("sign-in-request", request.token, browser);
  const token = opened === null ? "" : new TextDecoder().decode(opened);
  return { token, reader: request.reader };
}

/** Returns whether a link was opened in a different browser from the one that requested it. */
export const isElsewhere = (link: FoundLink, browser: string | null): boolean =>
  link.browser !== null && (browser === null || sha256(browser) !== link.browser);

/**
 * Reads the records that a link opens. A record that was corrected is not among them: its old
 * address may no longer be the holder's.
 */
export async function readOpen(kv: Deno.Kv, hashes: readonly string[]): Promise<RecordEntry[]> {
  const read = await Promise.all(hashes.map((hash) => readRecord(kv, hash)));
  const found = read.filter((record) => record !== null);
  const open = found.filter(({ row }) => row.replaced_by === null);
  for (const each of found) {
    if (!open.includes(each)) unchecked("It is not opened.", each.contact, each.entry);
  }
  return open;
}
