/**
 * The mailed links that confirm the address of a person who asks for access.
 *
 * @module
 */
import { z } from "zod";
import {
  createSingleUseTokens,
  type FoundToken,
  TOKEN,
  type TokenRow,
} from "../../../platform/kv/mod.ts";
import { DAY_MS } from "../../../base/time.ts";
import {
  type AccessRequestRow,
  CONFIRMATION_LIFETIME_MS,
  type NamedRequest,
  readRequest,
  requests,
} from "./requests.ts";

export const accessLink = z.strictObject({
  /** The id of the request. */
  request: z.string(),
  ...TOKEN,
});

type AccessLink = Omit<z.infer<typeof accessLink>, keyof TokenRow>;

/** A link that confirms the address of the person who asked, with its request as stored. */
export interface FoundLink {
  /** `used`: it was used, or a newer link was mailed. */
  state: "open" | "used";
  entry: (FoundToken<AccessLink> & { state: "open" | "used" })["entry"];
  row: AccessRequestRow;
}

/** A link never outlives its request. */
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
  now: number,
): { token: string; row: AccessRequestRow } {
  const { token, row: { token: hash } } = tokens.create(commit, { request: row.id }, now);
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
  now: number,
  named?: NamedRequest,
): Promise<FoundLink | null> {
  const { state, entry } = await tokens.find(kv, token, now);
  if (state === "unknown" || state === "expired") return null;
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
 * Adds the deletion of a request with its links to a commit. A link that opens its document belongs to the
 * record, and is deleted with it.
 */
export function removeAll(commit: Deno.AtomicOperation, row: AccessRequestRow): void {
  requests.delete(commit, row);
  for (const link of row.links) commit.delete(tokens.key(link));
}
