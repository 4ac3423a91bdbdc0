/** Cuts off long downloads as soon as their reader loses access. */
import { HttpError } from "fresh";
import { SECOND_MS } from "../../base/time.ts";
import type { Actor } from "../kv/mod.ts";
import { LoggedError } from "./serve.ts";

/** The most bytes, and the longest time, between two questions. */
const MOST_BYTES = 1024 * 1024;
const MOST_MS = 2 * SECOND_MS;

/**
 * Cuts a download off once its reader no longer has the authority that the request demanded. That is asked
 * again for each megabyte and each page of rows, and at the latest every two seconds. Other responses are sent
 * at once.
 */
export function limitDownload(response: Response, actor: Actor): Response {
  const { headers } = response;
  if (!actor.isLimited || !headers.has("content-disposition")) return response;
  // Asking for the body makes a stream of it, which takes longer to send.
  const { body } = response;
  if (body === null) return response;
  const hasRows = headers.get("content-type")?.startsWith("text/csv") ?? false;
  let sent = 0;
  let askedAt = actor.clock();
  const limited = body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      async transform(chunk, controller) {
        const isDue = hasRows || sent >= MOST_BYTES || actor.clock() - askedAt >= MOST_MS;
        if (isDue) {
          await actor.ask().catch(quietly);
          sent = 0;
          askedAt = actor.clock();
        }
        sent += chunk.length;
        controller.enqueue(chunk);
      },
    }),
  );
  return new Response(limited, response);
}

/** Keeps a refusal out of the log of errors, because the download is meant to be cut. */
function quietly(error: unknown): never {
  if (!(error instanceof HttpError)) throw error;
  throw new LoggedError("The reader no longer has access.", { cause: error });
}
