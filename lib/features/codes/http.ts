import { readInput } from "../../platform/http/body.ts";
import { readHeader } from "../../platform/http/header.ts";
import type { TwilioRequest } from "./providers/callbacks.ts";

/** Reads a request from Twilio. Nothing in it is verified yet. */
export async function readTwilioRequest(req: Request): Promise<TwilioRequest> {
  return {
    search: new URL(req.url).search,
    form: await readInput(req),
    signature: readHeader(req, "x-twilio-signature"),
  };
}
