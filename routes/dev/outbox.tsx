import { HttpError, page } from "fresh";
import { Outbox } from "../../components/workbench/Outbox.tsx";
import { wantsJson } from "../../lib/platform/http/audience.ts";
import { define, pageHandler } from "../../lib/app/state.ts";
import { inboxFrame, searchMails } from "../../lib/features/workbench/mod.ts";

/** Mail stored in development, newest first, with a search (`?q=`); also as JSON. */
export const handler = pageHandler({
  async GET(ctx) {
    const { services } = ctx.state;
    if (services.devOutbox === null) throw new HttpError(404);
    const all = services.devOutbox.list();
    const query = ctx.url.searchParams.get("q")?.trim() ?? "";
    const mails = searchMails(all, query);
    const headers = { vary: "Accept" };
    if (wantsJson(ctx.req)) return ctx.json(mails, { headers });
    const frame = await inboxFrame("mail", services);
    return page({ mails, total: all.length, query, frame }, { headers });
  },
});

export default define.page<typeof handler>(({ data }) => <Outbox {...data} />);
