/**
 * `deno task mail:report < message`: hands in a message that has arrived at `MAIL_RETURN_PATH`, such as a notification
 * or a complaint about spam, for a mail server that passes messages to a program, as `pipe` of Postfix does.
 * `GATEHOUSE_API` is the address of the API, and `MAIL_WEBHOOK_SECRET` the site's. Exits with 0 if the site has read
 * the message, even if it is not a report about a mail of the site; with 75 if the mail server should try again
 * (`EX_TEMPFAIL`); with 2 on bad usage.
 *
 * @module
 */
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import { MESSAGE_TYPE } from "../../features/mail_reports/mod.ts";
import { createLocalFetch } from "../../platform/http/local_fetch.ts";
import { type CommandIo, refuse, startCommand } from "./command.ts";

const PATH = "/api/mail/events";
const TRY_AGAIN = 75;

/** The command; the module says what it does. */
export async function main(
  { env, log }: Pick<CommandIo, "env" | "log">,
  input: ReadableStream<Uint8Array> = Deno.stdin.readable,
): Promise<number> {
  const { GATEHOUSE_API: api = "", MAIL_WEBHOOK_SECRET: secrets = "" } = env;
  const [secret] = secrets.split(",");
  if (!URL.canParse(api)) refuse("GATEHOUSE_API: set the address of the site’s API");
  if (secret === "") refuse("MAIL_WEBHOOK_SECRET: set the site’s secret");
  // A character that is not UTF-8 is replaced, because the signature is one of text.
  const body = await text(input);
  const id = crypto.randomUUID();
  const at = new Date();
  const headers = {
    "content-type": MESSAGE_TYPE,
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(secret).sign(id, at, body),
  };
  const status = await createLocalFetch()(api + PATH, { method: "POST", headers, body })
    .then(async (response) => {
      await response.body?.cancel();
      return response.status;
    }, () => null);
  log(status === null ? `${api} did not respond` : `status ${status}`);
  // A message that the site refuses is not a report, but an automatic reply, for example. Sending it again would not help.
  return status === 200 || status === 400 || status === 413 ? 0 : TRY_AGAIN;
}

if (import.meta.main) await startCommand(main);
