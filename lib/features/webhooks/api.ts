import type { Failure } from "../../base/result.ts";
import type { ApiCaller } from "../issuers/mod.ts";
import { creatorOf, refOf } from "./caller.ts";
import type { Endpoints } from "./endpoints.ts";
import type { EndpointChange, NewEndpoint } from "./input.ts";
import { webhookObject } from "./objects.ts";
import type { Queue } from "./queue.ts";
import type { EndpointRow } from "./rows.ts";

/** The response to a request, as JSON. */
interface Response {
  status: number;
  body: unknown;
}

/** Adds the response to a commit, so that a repeated request gets it instead of running again. */
type SaveResponse = (
  commit: Deno.AtomicOperation,
  response: Response,
) => Promise<Failure | void>;

/** Does what a request of an issuer asks for. */
type Execute = (save: SaveResponse) => Promise<Response | Failure>;

type Caller = Pick<ApiCaller, "issuer" | "test" | "key">;

/**
 * Creates what the requests of issuers that change something do. A webhook is added in the commit that
 * saves the response. The others may run twice: they lead to the same state, to another secret, or to an
 * event that is sent once more with the same id.
 */
export function createWebhookApi(
  { clock, ...webhooks }:
    & Endpoints
    & Pick<Queue, "sendTest" | "replay" | "replayFailed">
    & { clock: () => number },
) {
  const shown = (endpoint: EndpointRow) => webhookObject(endpoint, clock());
  const later = (execute: Execute) => Promise.resolve(execute);

  /** Returns what responds with a webhook, and its secret if it was created. */
  const webhook = (
    change: () => Promise<{ ok: true; endpoint: EndpointRow; secret?: string } | Failure>,
  ) =>
    later(async () => {
      const changed = await change();
      if (!changed.ok) return changed;
      const { endpoint, secret } = changed;
      return { status: 200, body: { ...shown(endpoint), ...secret !== undefined && { secret } } };
    });

  return {
    create: (caller: Caller, input: NewEndpoint) =>
      later(async (save) => {
        const responseTo = ({ endpoint, secret }: { endpoint: EndpointRow; secret: string }) => ({
          status: 201,
          body: { ...shown(endpoint), secret },
        });
        const created = await webhooks.create(
          creatorOf(caller),
          input,
          (commit, created) => save(commit, responseTo(created)),
        );
        return created.ok ? responseTo(created) : created;
      }),
    update: (caller: Caller, id: string, input: EndpointChange) =>
      webhook(() => webhooks.update(refOf(caller, id), input, caller.key.id)),
    rotate: (caller: Caller, id: string, input: { keep_previous: boolean }) =>
      webhook(() => webhooks.rotate(refOf(caller, id), input.keep_previous, caller.key.id)),
    pause: (caller: Caller, id: string) => webhook(() => webhooks.pause(refOf(caller, id), null)),
    resume: (caller: Caller, id: string) => webhook(() => webhooks.resume(refOf(caller, id), null)),
    sendTest: (caller: Caller, id: string) =>
      later(async () => {
        const sent = await webhooks.sendTest(refOf(caller, id));
        return sent.ok ? { status: 202, body: { delivery: sent.id } } : sent;
      }),
    replayFailed: (caller: Caller, id: string, { since }: { since: string }) =>
      later(async () => {
        const sent = await webhooks.replayFailed(refOf(caller, id), Date.parse(since));
        return sent.ok ? { status: 202, body: { count: sent.count } } : sent;
      }),
    replay: (caller: Caller, id: string, delivery: string) =>
      later(async () => {
        const sent = await webhooks.replay(refOf(caller, id), delivery);
        return sent.ok ? { status: 202, body: { delivery } } : sent;
      }),
  };
}
