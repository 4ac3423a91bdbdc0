import { HttpError } from "fresh";
import { route } from "../../../lib/app/state.ts";

/** Mails have inline styles. They may load, run and submit nothing, and only our pages show them. */
const POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'";

/** The HTML of a mail, for the frame that shows it in the outbox. */
export const handler = route({
  GET({ params: { id }, state }) {
    const mail = state.services.devOutbox?.list().find((mail) => mail.id === id);
    if (mail === undefined) throw new HttpError(404);
    state.policy = () => POLICY;
    return new Response(mail.html, {
      headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
    });
  },
});
