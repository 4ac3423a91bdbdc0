/**
 * Receives the events of a webhook: `npm install standardwebhooks`. An event can arrive more than once and
 * in another order, so it acts on each `webhook-id` once, and reads the document if its state matters.
 *
 * @module
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import process from "node:process";
import { Webhook } from "standardwebhooks";
import type { webhooks } from "./gatehouse_api.ts";

/** The events that are known today. Ignore others: later versions may add some. */
type Event = webhooks[keyof webhooks]["post"]["requestBody"]["content"]["application/json"];

const webhook = new Webhook(process.env.GATEHOUSE_WEBHOOK_SECRET!);
const LIMIT = 100_000;

/** Ids of events that were handled. Keep them in your database, for 30 days. */
const handled = new Set<string>();

async function receive(request: IncomingMessage, response: ServerResponse) {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= LIMIT) chunks.push(chunk);
  }
  if (size > LIMIT) return response.writeHead(413).end();
  // The signature is that of the exact bytes: do not parse and write them first.
  const body = Buffer.concat(chunks).toString();
  let event: Event;
  try {
    event = webhook.verify(body, request.headers as Record<string, string>) as Event;
  } catch {
    return response.writeHead(401).end();
  }
  const id = String(request.headers["webhook-id"]);
  if (!handled.has(id)) {
    console.log(event.type, "external_id" in event.data ? event.data.external_id : "");
    handled.add(id);
  }
  return response.writeHead(204).end(); // within 15 seconds: put slow work into a queue
}

const server = createServer((request, response) => {
  receive(request, response).catch(() => response.destroy()); // the sender has disconnected
});
const port = Number(process.env.PORT ?? 3000);
server.listen(port, "127.0.0.1", () => console.log(`Listening on port ${port}`));
