/** The cache in memory for pages that are the same for every visitor. */
import type { Context, Middleware } from "fresh";
import { createBoundedCache } from "../../platform/http/bounded_cache.ts";
import { isForEveryone, SharedPage } from "../../platform/http/shared_page.ts";
import { themeOf } from "../../platform/http/theme.ts";
import type { State } from "../state.ts";

/** The most bytes that are kept. All pages without a query take a few MB. */
const LIMIT = 24_000_000;
/** Searches have their own limit, so that they cannot displace other pages. */
const SEARCH_LIMIT = 8_000_000;

/**
 * Renders the pages that are the same for every visitor once (`sharedPage` in `lib/app/state.ts`), and
 * then responds without the rest of the pipeline. A page is stored with all its headers, by the
 * surface, the URL, the theme and whether the store is read-only, for as long as the process runs.
 */
export function sharedPages(): Middleware<State> {
  const create = (limit: number) =>
    createBoundedCache<SharedPage>({ limit, sizeOf: ({ size }) => size });
  const [pages, searches] = [create(LIMIT), create(SEARCH_LIMIT)];
  return async (ctx) => {
    const { req, state } = ctx;
    const { surface, services: { store } } = state;
    if (!isForEveryone(req, surface)) return await ctx.next();
    const target = req.url.slice(req.url.indexOf("/", "https://".length));
    const cache = target.includes("?") ? searches : pages;
    const key = `${surface.name} ${themeOf(req)} ${store.readOnly} ${target}`;
    const known = cache.get(key);
    if (known !== undefined) return known.respond(req);
    const response = await ctx.next();
    if (!state.shared || !isStorable(response)) return response;
    const page = await SharedPage.from(response);
    // The same page is stored once, however its URL is written.
    if (target === pathOf(ctx)) cache.set(key, page);
    return page.respond(req);
  };
}

const pathOf = ({ url: { pathname, search } }: Context<State>) => pathname + search;

/** Returns whether a response is a page, and was not given to one visitor in particular. */
const isStorable = ({ status, headers }: Response): boolean =>
  status === 200 && !headers.has("set-cookie") &&
  headers.get("cache-control") === "no-cache" &&
  (headers.get("content-type")?.startsWith("text/html") ?? false);
