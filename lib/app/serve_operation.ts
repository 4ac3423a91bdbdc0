/** Handlers of the API's operations, which take what they need from the operations' descriptions. */
import type { Context } from "fresh";
import type { z } from "zod";
import type { Failure } from "../base/result.ts";
import type { Operation } from "../features/api/mod.ts";
import type { StagedFile } from "../features/documents/mod.ts";
import type { ApiCaller, ApiResponse, Call } from "../features/issuers/mod.ts";
import { checkParams, type CsvFile, emptySchema, type Post } from "../features/issuing/mod.ts";
import { type Registrant, requireRegistrant } from "../features/oauth/mod.ts";
import { type Holder, requireHolder, requireRecent } from "../features/records/mod.ts";
import { checkInput, readInput } from "../platform/http/body.ts";
import { accountOf } from "../platform/http/body_budget.ts";
import { clientOf } from "../platform/http/client_address.ts";
import type { EndpointHandler } from "../platform/http/endpoint.ts";
import { unwrap } from "../platform/http/errors.ts";
import type { State } from "./state.ts";

/** The members of an operation's description by which its handler takes requests. */
type Described = Pick<
  Operation,
  | ("method" | "path" | "cors" | "query" | "readQuery" | "body" | "bodyType" | "bodyLimit")
  | ("holder" | "appScope" | "keyScope")
>;

type QueryOf<Of> = Of extends { query: infer Query extends z.ZodType } ? z.output<Query>
  : undefined;

type BodyOf<Of> = Of extends { body: infer Body extends z.ZodType } ? z.output<Body> : undefined;

/** The sender of a request, of whom the operation demands an authority. */
type SenderOf<Of> = Of extends { keyScope: string } ? { caller: ApiCaller }
  : Of extends { appScope: string } ? { registrant: Registrant }
  : Of extends { holder: string } ? { holder: Holder }
  : unknown;

/** The parts of a request to an operation. Each is read when it is used. */
type Given<Of> = SenderOf<Of> & {
  /** The parameters of the URL. */
  readonly query: QueryOf<Of>;
  /** Reads the body, JSON or a form, which is not validated yet. */
  read(): Promise<unknown>;
  /** Validates a body, such as the one that a form leads to. */
  check(input: unknown): BodyOf<Of>;
  /** Reads and validates the body. */
  body(): Promise<BodyOf<Of>>;
};

/**
 * Returns the handler of an operation. It demands the authority that the operation needs, reads what is sent with the
 * operation's schemas and limits, and throws the error of what they refuse.
 *
 * @example
 * ```ts
 * export const handler = route({
 *   GET: serveOperation(listDocuments, (ctx, { caller, query }) => Response.json(…)),
 *   DELETE: serveOperation(removeDevice, async (ctx, { registrant, body }) => …),
 * });
 * ```
 */
export function serveOperation<Of extends Described, Result = Response>(
  operation: Of,
  handle: (ctx: Context<State>, given: Given<Of>) => Result | Promise<Result>,
): EndpointHandler<State, Result> & Pick<Operation, "cors"> {
  const { cors, query, readQuery = checkParamsOf, body, bodyLimit } = operation;
  const check = (input: unknown) => checkInput(body!, input);
  const serve = async (ctx: Context<State>) => {
    assertServes(operation, ctx);
    // A request that is repeated must not run twice.
    if (operation.keyScope !== undefined && ctx.req.method === "POST") {
      throw new TypeError("A POST needs postWithKey().");
    }
    const read = () => readInput(ctx.req, bodyLimit);
    const given = {
      ...await senderOf(operation, ctx),
      get query() {
        return query && readQuery(ctx, query);
      },
      read,
      check,
      body: async () => check(await read()),
    };
    return await handle(ctx, given as Given<Of>);
  };
  return Object.assign(serve, { cors });
}

const checkParamsOf = ({ url }: { url: URL }, schema: z.ZodObject) => checkParams(schema, url);

/** Returns the sender of a request, with the authority that an operation needs. */
async function senderOf({ holder, appScope, keyScope }: Described, ctx: Context<State>) {
  if (keyScope !== undefined) return { caller: await authenticate(keyScope, ctx) };
  if (appScope !== undefined) return { registrant: await requireRegistrant(ctx) };
  if (holder === undefined) return {};
  return { holder: holder === "recent" ? requireRecent(ctx.state) : requireHolder(ctx.state) };
}

/** A CSV file has its fields in the URL or in a form; all other bodies have them in themselves. */
type CallOf<Of> = Of extends { bodyType: "text/csv" } ? Call<QueryOf<Of>, CsvFile>
  : Call<Of extends { body: z.ZodType } ? BodyOf<Of> : unknown, StagedFile>;

/**
 * Returns the handler of a POST of the API for issuers, which works like {@linkcode serveOperation}, and runs each
 * request once for its `Idempotency-Key`: the saved response comes before anything else.
 *
 * @param handle makes the change, and returns the response
 *
 * @example
 * ```ts
 * POST: postWithKey(withdrawDocument, ({ params, state }, call) =>
 *   state.services.issuerApi.withdraw(call, params.id)),
 * ```
 */
export const postWithKey = <Of extends Described & Required<Pick<Operation, "keyScope">>>(
  operation: Of,
  handle: (ctx: Context<State>, call: CallOf<Of>) => Promise<ApiResponse | Failure>,
): EndpointHandler<State> =>
async (ctx) => {
  assertServes(operation, ctx);
  const { body, bodyType, keyScope, query } = operation;
  const caller = await authenticate(keyScope, ctx);
  const isCsv = bodyType === "text/csv";
  const schema = (isCsv ? query : body) ?? emptySchema;
  const { posts } = ctx.state.services.issuerApi;
  const post = (isCsv ? posts.csv : posts.document) as Post<unknown>;
  return await post(ctx.req, caller, schema, (call) => handle(ctx, call as CallOf<Of>));
};

/** Throws unless a request is one to the operation. It would otherwise need the scope of another one. */
function assertServes({ method, path }: Described, { req, route }: Context<State>): void {
  const sent = req.method === "HEAD" ? "get" : req.method.toLowerCase();
  if (route !== path || sent !== method) {
    throw new TypeError(`This is the operation ${method} ${path}.`);
  }
}

/** Demands an API key with a scope, and adds what is left of the key's limit to all responses, also to errors. */
async function authenticate(
  keyScope: Required<Described>["keyScope"],
  ctx: Context<State>,
): Promise<ApiCaller> {
  const { req, state } = ctx;
  const { headers, ...result } = await state.services.issuerKeys.authenticate(req, {
    scope: keyScope === "any" ? null : keyScope,
    address: clientOf(ctx),
  });
  state.headers = [["cache-control", "no-store"], ...headers];
  const { caller, demand } = unwrap(result);
  state.actor.demand(demand);
  accountOf(req).countFor(`issuer/${caller.issuer.id}`);
  return caller;
}
