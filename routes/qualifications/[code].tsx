import { HttpError, page } from "fresh";
import { QualificationPage } from "../../components/qualifications/QualificationPage.tsx";
import { isPrefetch } from "../../lib/platform/http/audience.ts";
import { savedItems, successionOf } from "../../lib/features/qualifications/mod.ts";
import { define, sharedPage } from "../../lib/app/state.ts";

export const handler = sharedPage({
  async GET(ctx) {
    const { params, req, state } = ctx;
    const { session, services: { catalogue, saved } } = state;
    const qualification = catalogue.get(params.code);
    if (qualification === undefined) throw new HttpError(404);
    const { code } = qualification;
    if (code !== params.code) return ctx.redirect(`/qualifications/${code}`, 301);
    const visit = session !== null && req.method === "GET" && !isPrefetch(req);
    if (visit) await saved.opened(session.user_id, code);
    const items = await savedItems(state);
    const isSaved = items?.qualifications.some((each) => each.code === code) ?? false;
    return page({ qualification, succession: successionOf(catalogue, qualification), isSaved });
  },
});

export default define.page<typeof handler>(({ data, state }) => (
  <QualificationPage state={state} {...data} />
));
