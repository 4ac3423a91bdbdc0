/** The type of `ctx.state`, and the helpers with which routes define their handlers. */
import {
  type Context,
  createDefine,
  type HandlerByMethod,
  type HandlerFn,
  type Middleware,
  page,
  type PageResponse,
} from "fresh";
import type { z } from "zod";
import type { SignedIn } from "../features/auth/mod.ts";
import type { PasskeyGate } from "../features/passkeys/mod.ts";
import type { Layer } from "../features/operators/mod.ts";
import type { Alert } from "../features/alerts/mod.ts";
import type { InboxCounts } from "../features/inbox/mod.ts";
import type { Failure } from "../base/result.ts";
import type { Operation } from "../features/api/mod.ts";
import type { StagedFile } from "../features/documents/mod.ts";
import type { ApiCaller, ApiResponse, Call } from "../features/issuers/mod.ts";
import { checkParams, type CsvFile, emptySchema, type Post } from "../features/issuing/mod.ts";
import type { Actor } from "../platform/kv/mod.ts";
import { accountOf } from "../platform/http/body_budget.ts";
import { clientOf } from "../platform/http/client_address.ts";
import { endpoint, type EndpointHandler } from "../platform/http/endpoint.ts";
import { unwrap } from "../platform/http/errors.ts";
import { isForEveryone } from "../platform/http/shared_page.ts";
import type { HolderSession, RecordOverview } from "../features/records/mod.ts";
import type { RouteProperties } from "./routes.ts";
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

/** Returns the handler of a route that is not a page. */
export const route = endpoint<State>;

/** The properties of the routes that issuers call with an API key, instead of a session. */
export const ISSUER_API = {
  audience: "programs",
  crossSite: "all",
  anonymous: true,
} as const satisfies RouteProperties;

/** The members of an operation's description by which its handler takes requests. */
type Described =
  & Pick<Operation, "method" | "path" | "query" | "body" | "bodyType">
  & Required<Pick<Operation, "keyScope">>;

type QueryOf<Of> = Of extends { query: infer Query extends z.ZodType } ? z.output<Query>
  : undefined;

/** A CSV file has its fields in the URL or in a form; all other bodies have them in themselves. */
type CallOf<Of> = Of extends { bodyType: "text/csv" } ? Call<QueryOf<Of>, CsvFile>
  : Call<Of extends { body: infer Body extends z.ZodType } ? z.output<Body> : unknown, StagedFile>;

/**
 * Returns the handler of an operation for issuers that can be repeated without harm, which is any but
 * POST: it demands an API key of the request with the scope of the operation, and adds what is left of the key's limit to
 * all responses, also to errors.
 *
 * @param handle returns the response to a request with valid parameters
 *
 * @example
 * ```ts
 * export const properties = ISSUER_API;
 * export const handler = route({
 *   GET: withKey(listDocuments, (ctx, caller, query) => Response.json(…)),
 *   POST: postWithKey(issueDocument, (ctx, call) => …),
 * });
 * ```
 */
export const withKey = <Of extends Described>(
  operation: Of,
  handle: (
    ctx: Context<State>,
    caller: ApiCaller,
    query: QueryOf<Of>,
  ) => Response | Promise<Response>,
): EndpointHandler<State> =>
  authenticated(operation, (ctx, caller) => {
    if (ctx.req.method === "POST") throw new TypeError("A POST needs postWithKey().");
    const { query } = operation;
    return handle(ctx, caller, (query && checkParams(query, ctx.url)) as QueryOf<Of>);
  });

/**
 * Returns the handler of a POST of the API for issuers, which works like `withKey`, and runs each request once
 * for its `Idempotency-Key`: the saved response comes before anything else.
 *
 * @param handle makes the change, and returns the response
 *
 * @example
 * ```ts
 * POST: postWithKey(withdrawDocument, ({ params, state }, call) =>
 *   state.services.issuerApi.withdraw(call, params.id)),
 * ```
 */
export const postWithKey = <Of extends Described>(
  operation: Of,
  handle: (ctx: Context<State>, call: CallOf<Of>) => Promise<ApiResponse | Failure>,
): EndpointHandler<State> =>
  authenticated(operation, (ctx, caller) => {
    const { body, bodyType, query } = operation;
    const isCsv = bodyType === "text/csv";
    const schema = (isCsv ? query : body) ?? emptySchema;
    const { posts } = ctx.state.services.issuerApi;
    const post = (isCsv ? posts.csv : posts.document) as Post<unknown>;
    return post(ctx.req, caller, schema, (call) => handle(ctx, call as CallOf<Of>));
  });

function authenticated(
  { method, path, keyScope }: Described,
  handle: (ctx: Context<State>, caller: ApiCaller) => Response | Promise<Response>,
): EndpointHandler<State> {
  return async (ctx) => {
    const { req, state } = ctx;
    const sent = req.method === "HEAD" ? "get" : req.method.toLowerCase();
    // Otherwise, the request would need the scope of another operation.
    if (ctx.route !== path || sent !== method) {
      throw new TypeError(`This is the operation ${method} ${path}.`);
    }
    const { issuerKeys } = state.services;
    const { headers, ...result } = await issuerKeys.authenticate(req, {
      scope: keyScope === "any" ? null : keyScope,
      address: clientOf(ctx),
    });
    state.headers = [["cache-control", "no-store"], ...headers];
    const { caller, demand } = unwrap(result);
    state.actor.demand(demand);
    accountOf(req).countFor(`issuer/${caller.issuer.id}`);
    return await handle(ctx, caller);
  };
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
