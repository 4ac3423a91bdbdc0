/** The type of `ctx.state`, and the helpers with which routes define their handlers. */
import {
  type Context,
  createDefine,
  type HandlerByMethod,
  type HandlerFn,
  type Method,
  type Middleware,
  page,
  type PageResponse,
} from "fresh";
import type { SignedIn } from "../features/auth/mod.ts";
import type { PasskeyGate } from "../features/passkeys/mod.ts";
import type { Layer } from "../features/operators/mod.ts";
import type { Alert } from "../features/alerts/mod.ts";
import type { InboxCounts } from "../features/inbox/mod.ts";
import type { Actor } from "../platform/kv/mod.ts";
import { type CorsPolicy, withCors } from "../platform/http/cors.ts";
import { endpoint, type EndpointHandler } from "../platform/http/endpoint.ts";
import { isForEveryone } from "../platform/http/shared_page.ts";
import type { HolderSession, RecordOverview } from "../features/records/mod.ts";
import type { RouteProperties } from "../platform/http/route_properties.ts";
import type { Services } from "./services.ts";
import type { Surface } from "../platform/surfaces/mod.ts";

export type { RouteProperties };

/** The type of `ctx.state` in handlers and pages. */
export interface State {
  services: Services;
  surface: Surface;
  /** The sender of the request, of whom handlers demand an authority. */
  actor: Actor;
  /** The path of the request, as in `ctx.url`, which takes longer to create. */
  pathname: string;
  /** The person who is signed in; null if nobody is, and on surfaces without sign-in. */
  session: SignedIn | null;
  /** The layer of the person who is signed in; null without one, and on surfaces without a console. */
  layer: Layer | null;
  /** The row that gives the layer; null if the environment does, and without a layer. */
  layerRow: Deno.AtomicCheck | null;
  /** How far passkeys open the console for the person who is signed in. */
  gate: PasskeyGate;
  /** The holder whose record is open; null if nobody is signed in, and where holders cannot be. */
  holder: HolderSession | null;
  /** Reads `session`, `layer`, `layerRow` and `gate` again. */
  readSession: () => Promise<void>;
  /** Reads `holder` again. */
  readHolder: () => Promise<void>;
  /** The number of unread alerts of a console, for full administrators; otherwise 0. */
  unreadAlerts: number;
  /** The newest alerts of a console that need attention, for full administrators; otherwise none. */
  openAlerts: readonly Alert[];
  /** The number of these alerts by kind. */
  openAlertKinds: Readonly<Record<string, number>>;
  /** The records of a console's organisation in short, for full administrators; otherwise null. */
  recordOverview: RecordOverview | null;
  /** The enquiries of a console's inbox by state, for full administrators; otherwise null. */
  inboxCounts: InboxCounts | null;
  /**
   * Resolves when the five members above are set. The console's frame waits for it, so that it is read
   * at the same time as the page.
   */
  overview: Promise<void> | null;
  /** False on pages that load no scripts at all. */
  scripts: boolean;
  /** True on pages that are the same for every visitor, which {@linkcode sharedPage} sets. */
  shared: boolean;
  /** Further headers of the response, even if it is an error; null for none. */
  headers: readonly (readonly [name: string, value: string])[] | null;
  /** Changes the response's Content-Security-Policy; null to keep it. */
  policy: ((policy: string) => string) | null;
  /** The steps of the pipeline for the request, the next one's index, and what follows them. */
  pipeline: {
    steps: readonly Middleware<State>[];
    index: number;
    route: () => Promise<Response>;
  };
  /** True on pages with their own frame, which are rendered without the shell. */
  bare: boolean;
}

/** Types for pages and middlewares. */
export const define = createDefine<State>();

/** A handler of one method, with the policy of CORS if it serves an operation that has one. */
type MethodHandler = EndpointHandler<State> & { cors?: CorsPolicy };

/**
 * Returns the handler of a route that is not a page. Pages of other sites may call it as its operations say.
 */
export function route(
  handlers: Partial<Record<Method, MethodHandler>>,
): EndpointHandler<State> {
  const handle = endpoint<State>(handlers);
  const { cors } = Object.values(handlers).find(({ cors }) => cors !== undefined) ?? {};
  return cors === undefined ? handle : withCors<State>(() => cors, handle);
}

/**
 * Returns the handler of a page, by default one that renders it for GET and HEAD. Other methods
 * return 405. Without it, upstream Fresh would respond to every method of a page that has no handler,
 * and return 404 for a method that a handler lacks.
 */
export function pageHandler<Data = undefined>(
  handlers: HandlerByMethod<Data, State> = { GET: () => page(undefined as Data) },
): HandlerFn<Data, State> {
  return endpoint<State, Response | PageResponse<Data>>(handlers);
}

/**
 * Returns the handler of a page that is the same for every visitor who is not signed in: it depends
 * on the surface, the path, the theme, the code and the configuration, and on nothing else, such as
 * the time, the store or other headers. Such a page is rendered once per process.
 *
 * @param isShared returns whether this holds for a request, by default for those without a query
 */
export function sharedPage<Data = undefined>(
  handlers?: HandlerByMethod<Data, State>,
  isShared: (ctx: Context<State>) => boolean = hasNoQuery,
): HandlerFn<Data, State> {
  const handle = pageHandler(handlers);
  return (ctx) => {
    ctx.state.shared = isForEveryone(ctx.req, ctx.state.surface) && isShared(ctx);
    return handle(ctx);
  };
}

export const hasNoQuery = ({ url }: { url: URL }): boolean => url.search === "";
