/** Responses to posted forms: shows the form again with the problem, or redirects after success. */
import { currentActor } from "../kv/mod.ts";
import { isFormPost } from "./body.ts";
import { type Problem, problemOf } from "./errors.ts";

/**
 * Runs the action of a POST. If it refuses a form that was posted without scripts, responds with the
 * form's page and the problem. Programs, people who are not signed in or need a passkey, and unexpected
 * errors take the usual path.
 *
 * @example
 * ```ts
 * return await orShowForm(ctx.req, async () => {
 *   unwrap(await access.decide(checkInput(schema, input)));
 *   return formDone(ctx.req, "/my-record/requests");
 * }, (problem) => render(ctx, problem));
 * ```
 */
export async function orShowForm(
  req: Request,
  handle: () => Promise<Response>,
  showForm: (problem: Problem) => Response | Promise<Response>,
): Promise<Response> {
  try {
    return await handle();
  } catch (error) {
    const problem = problemOf(error);
    // A form's page may show what only a signed-in person may see.
    if (problem.status === 500 || problem.status === 401 || !isFormPost(req)) throw error;
    if (problem.code === "passkey_required") throw error;
    await currentActor()?.ask();
    return await showForm(problem);
  }
}

/** Responds to a POST that succeeded: redirects a form, and returns JSON to programs. */
export const formDone = (
  req: Request,
  location: string,
  json: object = { success: true },
): Response =>
  isFormPost(req)
    ? new Response(null, { status: 303, headers: { location } })
    : Response.json(json);
