import { HttpError, page } from "fresh";
import { Outbox } from "../../components/pages/Outbox.tsx";
import { wantsJson } from "../../lib/http/audience.ts";
import { define, pageHandler } from "../../lib/state.ts";

/** Mail stored in development, newest first; also as JSON. */
export const handler = pageHandler({
  GET(ctx) {
    const { outbox } = ctx.state.services;
    if (outbox === null) throw new HttpError(404);
    const mails = outbox.list();
    const headers = { vary: "Accept" };
    return wantsJson(ctx.req) ? ctx.json(mails, { headers }) : page({ mails }, { headers });
  },
});

export default define.page<typeof handler>(({ data }) => <Outbox mails={data.mails} />);
