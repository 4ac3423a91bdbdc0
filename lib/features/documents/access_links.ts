import { z } from "zod";
import {
  createSingleUseTokens,
  type FoundToken,
  TOKEN,
  type TokenRow,
} from "../../platform/kv/mod.ts";
import { DAY_MS } from "../../base/time.ts";
import {
  type AccessRequestRow,
  CONFIRMATION_LIFETIME_MS,
  type NamedRequest,
  readRequest,
  requests,
} from "./access_requests.ts";
import { removeGrant } from "./grants.ts";

export const accessLink = z.strictObject({
  /** The id of the request. */
  request: z.string(),
  purpose: z.enum(["confirm", "open"]),
  ...TOKEN,
});

type AccessLink = Omit<z.infer<typeof accessLink>, keyof TokenRow>;

/** The purpose of a mailed link: it confirms the address of a request, or opens the document. */
export type LinkPurpose = AccessLink["purpose"];

/** A link that was mailed to the person who asked, with its request as stored. */
export interface FoundLink {
  /** `used`: it was used, or a newer link was mailed. */
  state: "open" | "used";
  entry: (FoundToken<AccessLink> & { state: "open" | "used" })["entry"];
  row: AccessRequestRow;
}

/** Confirmations and grants last equally long. A link never outlives its request. */
const tokens = createSingleUseTokens<AccessLink>({
  prefix: "access_links",
  lifetimeMs: CONFIRMATION_LIFETIME_MS,
  rememberedMs: DAY_MS,
});

/** How many links of a request are known. Older ones become unknown. */
const MAX_LINKS = 10;

/**
 * Adds a new link to a commit.
 *
 * @returns its token, and the request with the link, which the caller saves
 */
export function addLink(
  commit: Deno.AtomicOperation,
  row: AccessRequestRow,
  purpose: LinkPurpose,
  now: number,
): { token: string; row: AccessRequestRow } {
  const { token, row: { token: hash } } = tokens.create(commit, { request: row.id, purpose }, now);
  const links = [hash, ...row.links];
  for (const old of links.splice(MAX_LINKS)) commit.delete(tokens.key(old));
  return { token, row: { ...row, links } };
}

/**
 * Finds a link with its request; null if it is unknown, has expired, or its request is gone.
 *
 * @param named the request that the link's URL names, which is read at the same time as the link
 */
export async function findLink(
  kv: Deno.Kv,
  token: string,
  purpose: LinkPurpose,
  now: number,
  named?: NamedRequest,
): Promise<FoundLink | null> {
  const { state, entry } = await tokens.find(kv, token, now);
  if (state === "unknown" || state === "expired" || entry.value.purpose !== purpose) return null;
  const { request } = entry.value;
  const row = await (request === named?.id ? named.read() : readRequest(kv, request, now));
  if (row === null) return null;
  const newest = row.links[0] === entry.value.token;
  return { state: newest ? state : "used", entry, row };
}

export const useLink = (
  commit: Deno.AtomicOperation,
  { entry }: FoundLink,
  now: number,
): void => tokens.use(commit, entry, now);

/**
 * Adds the deletion of the newest link of a request to a commit.
 *
 * @returns the request's other links
 */
export function removeNewestLink(
  commit: Deno.AtomicOperation,
  { links: [newest, ...others] }: { links: string[] },
): string[] {
  if (newest !== undefined) commit.delete(tokens.key(newest));
  return others;
}

/** Adds the deletion of a request with its links and grant to a commit. */
export function removeAll(commit: Deno.AtomicOperation, row: AccessRequestRow): void {
  requests.delete(commit, row);
  removeGrant(commit, row);
  for (const link of row.links) commit.delete(tokens.key(link));
}
