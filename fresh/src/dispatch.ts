import { type Context, internalsOf } from "./context.ts";
import { HttpError } from "./error.ts";
import type { Step } from "./segment.ts";

/** Runs the step at `index`, with `ctx.next()` leading to the one after it. */
export function runFrom<State>(
  ctx: Context<State>,
  steps: Step<State>[],
  index: number,
  last: () => Promise<Response>,
): Promise<Response> {
  if (index === steps.length) return last();
  const { run, around } = steps[index];
  const internals = internalsOf(ctx);
  internals.around = around;
  const inner = steps[index + 1]?.around ?? around;
  ctx.next = inner === around ? () => runFrom(ctx, steps, index + 1, last) : async () => {
    // What surrounds a page differs further in: put ours back for whoever renders after that.
    try {
      return await runFrom(ctx, steps, index + 1, last);
    } finally {
      internals.around = around;
    }
  };
  try {
    const result = run(ctx);
    return (result instanceof Promise ? result : Promise.resolve(result)) as Promise<Response>;
  } catch (error) {
    return Promise.reject(error);
  }
}

const PLAIN_PATH = /^https?:\/\/[^/?#]+(\/[\w.~!$&'()*+,;=:@%/-]*)(?=[?#]|$)/;

/** The path that routes are matched against, parsed in full only where it is not plain. */
export function pathnameOf(url: string): string {
  const plain = PLAIN_PATH.exec(url)?.[1];
  if (plain !== undefined && !/\/\/|\/\.|%2e/i.test(plain)) return plain;
  return new URL(url).pathname.replace(/\/+/g, "/");
}

/** The end of a way that leads nowhere. */
export function notFound(): Promise<Response> {
  return Promise.reject(new HttpError(404));
}

/** The end of a way whose route does not answer the method; `OPTIONS` is told which it does. */
export function methodMissing(
  method: string,
  byMethod: Map<string, unknown>,
): () => Promise<Response> {
  const methods = new Set(byMethod.keys());
  if (methods.has("GET")) methods.add("HEAD");
  const allow = [...methods].join(", ");
  if (method === "OPTIONS") {
    return () => Promise.resolve(new Response(null, { status: 204, headers: { allow } }));
  }
  return () => Promise.reject(new HttpError(405, undefined, { cause: { allow } }));
}

/** The answer to an error that nothing else answers. */
export function plainError(error: unknown): Response {
  if (error instanceof HttpError && error.status < 500) {
    const { allow } = (error.cause ?? {}) as { allow?: string };
    return new Response(error.message || `${error.status}`, {
      status: error.status,
      headers: allow === undefined ? {} : { allow },
    });
  }
  console.error(error);
  const status = error instanceof HttpError ? error.status : 500;
  return new Response("Internal Server Error", { status });
}
