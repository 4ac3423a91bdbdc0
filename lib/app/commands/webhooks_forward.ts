/**
 * `deno task webhooks:forward http://localhost:3000/events`: brings the events of tests to a program on this
 * machine, which a site elsewhere cannot reach. `GATEHOUSE_API` is the address of the API, and `GATEHOUSE_API_KEY`
 * a test key with the scope `webhooks:write`. `docs/issuing/forward.py` does the same without Deno.
 *
 * @module
 */
import { setTimeout } from "node:timers/promises";
import { createLocalFetch } from "../../platform/http/local_fetch.ts";
import { type CommandIo, refuse, startCommand } from "./command.ts";

const PATH = "/api/documents/webhooks";
const EVERY_MS = 2_000;
const HELP =
  "Name the address of your program: deno task webhooks:forward http://localhost:3000/events";

interface Webhook {
  id: string;
  url: string;
  state: string;
  secret?: string;
}

interface Delivery {
  id: string;
  type: string;
  state: string;
  payload: unknown;
  headers: Record<string, string> | null;
}

/** Forwards events until the signal ends it. Those that happened before are left alone. */
export async function forward(
  { args: [address], env, log }: Pick<CommandIo, "args" | "env" | "log">,
  { signal, everyMs = EVERY_MS }: { signal?: AbortSignal; everyMs?: number } = {},
): Promise<void> {
  if (!URL.canParse(address ?? "")) refuse(HELP);
  const { GATEHOUSE_API: api = "http://api.localhost:8000", GATEHOUSE_API_KEY: key } = env;
  if (!key?.startsWith("gh_test_")) refuse("GATEHOUSE_API_KEY: set a test key, gh_test_…");
  const fetch = createLocalFetch();

  async function call(path: string, body?: unknown) {
    const response = await fetch(api + path, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...body !== undefined && { body: JSON.stringify(body) },
    });
    const text = await response.text();
    if (!response.ok) refuse(`${api}${path}: status ${response.status} ${text.slice(0, 300)}`);
    return JSON.parse(text);
  }

  const url = new URL(address).href;
  const known = (await call(PATH)).data.find((each: Webhook) => each.url === url);
  const webhook: Webhook = known ?? await call(PATH, { url, description: "Forwarded" });
  if (webhook.secret !== undefined) log(`GATEHOUSE_WEBHOOK_SECRET=${webhook.secret}`);
  if (webhook.state === "active") {
    log("The site reaches this address, and sends events there itself.");
  }
  const listed = async (): Promise<Delivery[]> =>
    (await call(`${PATH}/${webhook.id}/deliveries`)).data.toReversed();
  const done = new Set(known === undefined ? [] : (await listed()).map(({ id }) => id));
  log(`Forwarding events to ${url}`);
  while (!signal?.aborted) {
    const deliveries = await listed();
    for (
      const { id, type, payload, headers } of deliveries.filter(({ state }) => state === "held")
    ) {
      if (headers === null || done.has(id)) continue;
      done.add(id);
      const status = await fetch(url, { method: "POST", headers, body: JSON.stringify(payload) })
        .then(async (response) => {
          await response.body?.cancel();
          return `status ${response.status}`;
        }, (error) => String(error));
      log(`${type} ${id}: ${status}`);
    }
    await setTimeout(everyMs, undefined, { signal }).catch(() => {});
  }
}

if (import.meta.main) await startCommand((io) => forward(io));
