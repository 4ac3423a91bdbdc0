/** The saved items of users of the qualification site: qualifications, searches and recently opened ones. */
import { z } from "zod";
import { type Identity, users } from "../auth/mod.ts";
import { fail, type Failure } from "../../base/result.ts";
import { DAY_MS, inDays } from "../../base/time.ts";
import { defineTable, transact, WITH_ACCOUNT } from "../../platform/kv/mod.ts";
import { type Filters, isFiltered, searchUrl } from "./filters.ts";
import type { Catalogue } from "./catalogue.ts";
import { AQF_LEVELS } from "./schemas.ts";

/** The most qualifications that a user saves. */
export const MAX_SAVED_QUALIFICATIONS = 100;
/** The most searches that a user saves. */
export const MAX_SAVED_SEARCHES = 30;
export const MAX_RECENTS = 12;
/** How long a qualification that somebody opened is listed. */
export const RECENT_LIFETIME_MS = 90 * DAY_MS;

const time = z.iso.datetime();

/** The saved items of a user of the qualification site, the newest first. Times are ISO 8601 in UTC. */
const savedItemsSchema = z.strictObject({
  qualifications: z.array(z.strictObject({ code: z.string(), saved_at: time })),
  searches: z.array(z.strictObject({
    filters: z.strictObject({
      q: z.string(),
      level: z.literal(AQF_LEVELS).optional(),
      package: z.string().optional(),
      status: z.enum(["current", "superseded"]).optional(),
    }),
    saved_at: time,
  })),
  /** The qualifications that were opened last. */
  recents: z.array(z.strictObject({ code: z.string(), opened_at: time })),
});

export type SavedItems = z.infer<typeof savedItemsSchema>;

/** A row per user, written only while the user exists. */
export const userData = defineTable({
  prefix: "user_data",
  value: savedItemsSchema,
  key: ["user"],
  owner: { user: "user" },
  lifetime: WITH_ACCOUNT,
  per: "account that saved something",
  privacy: {
    section: "sign_in",
    label: "What you save",
    text: `On the qualification site: up to ${MAX_SAVED_QUALIFICATIONS} qualifications and ` +
      `${MAX_SAVED_SEARCHES} searches that you save, with the time, until you remove them or ` +
      `the account is deleted; and the last ${MAX_RECENTS} qualifications that you opened ` +
      `while signed in, for ${inDays(RECENT_LIFETIME_MS)} or until you clear the list. You can ` +
      "download all of it from your account.",
  },
});

/** A change of somebody's saved items. Repeating it changes nothing. */
export type SavedChange =
  | { save: string }
  | { remove: string }
  | { saveSearch: Filters }
  | { removeSearch: Filters }
  | { clearRecents: true };

type ChangeError = "not_found" | "invalid_request" | "conflict" | "unauthenticated";

export interface Saved {
  read(user: number): Promise<SavedItems>;
  change(user: number, change: SavedChange): Promise<{ ok: true } | Failure<ChangeError>>;
  /** Adds a qualification to the recently opened ones. Failures are only logged, because a page that is only read must not depend on a write. */
  opened(user: number, code: string): Promise<void>;
}

const NOTHING: SavedItems = { qualifications: [], searches: [], recents: [] };

const sameSearch = (a: Filters, b: Filters) => searchUrl("", a) === searchUrl("", b);

/**
 * Stores qualifications and searches for the users of the site, in one row each, with limits that
 * keep the row small. Deleting the user deletes the row.
 */
export function createSaved(
  { kv, clock, catalogue, log }: {
    kv: Deno.Kv;
    clock: () => number;
    catalogue: Catalogue;
    log: (entry: Record<string, unknown>) => void;
  },
): Saved {
  const live = (items: SavedItems | null): SavedItems => {
    if (items === null) return NOTHING;
    const since = new Date(clock() - RECENT_LIFETIME_MS).toISOString();
    return { ...items, recents: items.recents.filter(({ opened_at }) => opened_at > since) };
  };
  /** Changes a user's row. Returns false if the user has been deleted. */
  const update = (id: number, change: (stored: SavedItems | null) => SavedItems | null) =>
    transact(async () => {
      const [user, row] = await kv.getMany<[object, SavedItems]>([users.key(id), userData.key(id)]);
      if (user.value === null) return { result: false };
      const items = change(row.value);
      if (items === row.value || items === null) return { result: true };
      const commit = kv.atomic().check(user);
      userData.replace(commit, row, items);
      return { result: true, commit };
    });

  return {
    read: async (user) => live((await userData.get(kv, user)).value),
    async change(user, change) {
      const problem = check(catalogue, change);
      if (problem !== null) return problem;
      let full = null as Failure<"conflict"> | null;
      const now = new Date(clock()).toISOString();
      const exists = await update(user, (stored) => {
        const items = apply(live(stored), change, now);
        full = items === null ? null : overLimit(items);
        return full === null && items !== null ? items : stored;
      });
      if (!exists) return fail("unauthenticated");
      return full ?? { ok: true };
    },
    async opened(user, code) {
      const opened_at = new Date(clock()).toISOString();
      try {
        await update(user, (stored) => {
          const items = live(stored);
          if (items.recents[0]?.code === code) return stored;
          const others = items.recents.filter((each) => each.code !== code);
          const recents = [{ code, opened_at }, ...others].slice(0, MAX_RECENTS);
          return { ...items, recents };
        });
      } catch (error) {
        log({ level: "warn", event: "recents_not_written", error: (error as Error).name });
      }
    },
  };
}

/** Returns what the sender of a request has saved; null if nobody is signed in. */
export const savedItems = async (
  { session, services }: { session: Identity | null; services: { saved: Saved } },
): Promise<SavedItems | null> =>
  session === null ? null : await services.saved.read(session.user_id);

function check(
  catalogue: Catalogue,
  change: SavedChange,
): Failure<"not_found" | "invalid_request"> | null {
  if ("save" in change && catalogue.get(change.save)?.code !== change.save) {
    return fail("not_found", { message: "There is no such qualification." });
  }
  if ("saveSearch" in change && change.saveSearch.q === "" && !isFiltered(change.saveSearch)) {
    return fail("invalid_request", { message: "Enter a search or choose a filter first." });
  }
  return null;
}

/** Returns the changed items, or null if they already are as they should be. */
function apply(items: SavedItems, change: SavedChange, saved_at: string): SavedItems | null {
  const { qualifications, searches } = items;
  if ("save" in change) {
    const code = change.save;
    if (qualifications.some((each) => each.code === code)) return null;
    return { ...items, qualifications: [{ code, saved_at }, ...qualifications] };
  }
  if ("remove" in change) {
    const kept = qualifications.filter(({ code }) => code !== change.remove);
    return kept.length === qualifications.length ? null : { ...items, qualifications: kept };
  }
  if ("saveSearch" in change) {
    const filters = change.saveSearch;
    if (searches.some((each) => sameSearch(each.filters, filters))) return null;
    return { ...items, searches: [{ filters, saved_at }, ...searches] };
  }
  if ("removeSearch" in change) {
    const kept = searches.filter(({ filters }) => !sameSearch(filters, change.removeSearch));
    return kept.length === searches.length ? null : { ...items, searches: kept };
  }
  return items.recents.length === 0 ? null : { ...items, recents: [] };
}

function overLimit({ qualifications, searches }: SavedItems): Failure<"conflict"> | null {
  const full = (max: number, what: string) =>
    fail("conflict", { message: `You can save ${max} ${what}. Remove one in your account first.` });
  if (qualifications.length > MAX_SAVED_QUALIFICATIONS) {
    return full(MAX_SAVED_QUALIFICATIONS, "qualifications");
  }
  return searches.length > MAX_SAVED_SEARCHES ? full(MAX_SAVED_SEARCHES, "searches") : null;
}
