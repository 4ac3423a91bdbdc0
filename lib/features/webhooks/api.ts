/** The implementation of the API's operations on webhooks. */
import type { Failure } from "../../base/result.ts";
import type { ApiResponse, Call } from "../issuers/mod.ts";
import { creatorOf, ownerOf, refOf } from "./caller.ts";
import type { Endpoints } from "./endpoints.ts";
import type { EndpointChange, NewEndpoint } from "./input.ts";
import { webhookObject } from "./objects.ts";
import type { Queue } from "./queue.ts";
import type { EndpointRow } from "./rows.ts";

type Responding = Promise<ApiResponse | Failure>;

/**
 * Creates the operations of issuers that change something. A webhook is added in the commit that
 * saves the response. The others may run twice: they lead to the same state, to another secret, or to an
 * event that is sent once more with the same id.
 */
export function createWebhookApi(
  { clock, ...webhooks }:
    & Endpoints
    & Pick<Queue, "sendTest" | "replay" | "replayFailed">
    & { clock: () => number },
) {
  /** Returns the response with a webhook, and its secret if it was created. */
  const responseTo = (
    changed: { ok: true; endpoint: EndpointRow; secret?: string } | Failure,
    status = 200,
  ): ApiResponse | Failure => {
    if (!changed.ok) return changed;
    const { endpoint, secret } = changed;
    const body = webhookObject(endpoint, clock());
    return { status, body: { ...body, ...secret !== undefined && { secret } } };
  };

  return {
    async create({ caller, input, commit }: Call<NewEndpoint>): Responding {
      const endpoint = input();
      const checked = await webhooks.checkUrl(endpoint.url, ownerOf(caller).mode);
      if (!checked.ok) return checked;
      return await commit(async (unit) =>
        responseTo(await webhooks.write.create(unit, creatorOf(caller), endpoint), 201)
      );
    },
    update: async ({ caller, input }: Call<EndpointChange>, id: string): Responding =>
      responseTo(await webhooks.update(refOf(caller, id), input(), caller.key.id)),
    async rotate({ caller, input }: Call<{ keep_previous: boolean }>, id: string): Responding {
      const { keep_previous } = input();
      return responseTo(await webhooks.rotate(refOf(caller, id), keep_previous, caller.key.id));
    },
    async pause({ caller, input }: Call, id: string): Responding {
      input();
      return responseTo(await webhooks.pause(refOf(caller, id), null));
    },
    async resume({ caller, input }: Call, id: string): Responding {
      input();
      return responseTo(await webhooks.resume(refOf(caller, id), null));
    },
    async sendTest({ caller, input }: Call, id: string): Responding {
      input();
      const sent = await webhooks.sendTest(refOf(caller, id));
      return sent.ok ? { status: 202, body: { delivery: sent.id } } : sent;
    },
    async replayFailed({ caller, input }: Call<{ since: string }>, id: string): Responding {
      const sent = await webhooks.replayFailed(refOf(caller, id), Date.parse(input().since));
      return sent.ok ? { status: 202, body: { count: sent.count } } : sent;
    },
    async replay({ caller, input }: Call, id: string, delivery: string): Responding {
      input();
      const sent = await webhooks.replay(refOf(caller, id), delivery);
      return sent.ok ? { status: 202, body: { delivery } } : sent;
    },
  };
}
