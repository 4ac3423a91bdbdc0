/** Notes where a link was just used, to tell people whose browser rejects cookies why they are not signed in. */
import { z } from "zod";
import { inMinutes, MINUTE_MS } from "../../base/time.ts";
import { addressKey } from "../../platform/http/client_address.ts";
import { readHeader } from "../../platform/http/header.ts";
import { defineTable, expires, EXPIRING, isLive, isoAfter } from "../../platform/kv/mod.ts";
import { sha256 } from "../../platform/kv/hash.ts";
import type { SurfaceName } from "../../platform/surfaces/mod.ts";
import { sessions } from "./sessions.ts";
import { surfaceName } from "./surface_name.ts";

/** How long the use of a link explains why a browser has no session. */
const EXPLAINS_MS = MINUTE_MS;

/** Where links have just been used: a browser that has no session directly afterwards keeps no cookies. */
export const usedLinks = defineTable({
  prefix: "used_links",
  value: z.strictObject({
    surface: surfaceName,
    /** SHA-256 of the network address and the browser's name. */
    client: z.string(),
    /** The id of the session that began. */
    session: z.string(),
    ...EXPIRING,
  }),
  key: ["surface", "client"],
  owner: "nobody",
  lifetime: expires(inMinutes(EXPLAINS_MS)),
  per: "sign-in with a link",
  privacy: {
    section: "sign_in",
    label: "Cookies that are not kept",
    text: "A fingerprint of your network address and your browser's name, with that of the " +
      `session, for ${inMinutes(EXPLAINS_MS)} after you use a link: with it, we can tell a ` +
      "browser that keeps no cookies why it is not signed in.",
  },
});

/** Returns the browser of a request, as far as it is known without a cookie. */
export const clientKey = (request: Request, clientAddress: string): string =>
  sha256(`${addressKey(clientAddress)} ${readHeader(request, "user-agent") ?? ""}`);

/** Adds the use of a link to the commit that creates its session. */
export function noteUsedLink(
  commit: Deno.AtomicOperation,
  { surface, client, sessionId }: { surface: SurfaceName; client: string; sessionId: string },
  now: number,
): void {
  const session = sha256(sessionId);
  const expires_at = isoAfter(now, EXPLAINS_MS);
  usedLinks.set(commit, { surface, client, session, expires_at }, now);
}

/** Returns whether a link was used there directly before, and its session has not ended. */
export async function wasLinkUsed(
  { kv, clock }: { kv: Deno.Kv; clock: () => number },
  { surface, client }: { surface: SurfaceName; client: string },
): Promise<boolean> {
  const used = await usedLinks.get(kv, surface, client);
  if (used.versionstamp === null || !isLive(used.value, clock())) return false;
  return (await sessions.get(kv, used.value.session)).versionstamp !== null;
}
