import { createUserData, type Identity } from "../auth/mod.ts";
import { fail, type Failure } from "../../base/result.ts";
import { DAY_MS } from "../../base/time.ts";
import { type Filters, isFiltered, searchUrl } from "./filters.ts";
import type { Catalogue } from "./catalogue.ts";

export const MAX_SAVED_QUALIFICATIONS = 100;
export const MAX_SAVED_SEARCHES = 30;
export const MAX_RECENTS = 12;
/** How long a qualification that somebody opened is listed. */
export const RECENT_LIFETIME_MS = 90 * DAY_MS;

/** The saved items of a user of the qualification site, the newest first. Times are ISO 8601 in UTC. */
export interface SavedItems {
  qualifications: { code: string; saved_at: string }[];
  searches: { filters: Filters; saved_at: string }[];
  /** The qualifications that were opened last. */
  recents: { code: string; opened_at: string }[];
}

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
  const rows = createUserData<SavedItems>(kv);
  const live = (items: SavedItems | null): SavedItems => {
    if (items === null) return NOTHING;
    const since = new Date(clock() - RECENT_LIFETIME_MS).toISOString();
    return { ...items, recents: items.recents.filter(({ opened_at }) => opened_at > since) };
  };
  return {
    read: async (user) => live(await rows.read(user)),
    async change(user, change) {
      const problem = check(catalogue, change);
      if (problem !== null) return problem;
      let full = null as Failure<"conflict"> | null;
      const now = new Date(clock()).toISOString();
      const exists = await rows.update(user, (stored) => {
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
        await rows.update(user, (stored) => {
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
