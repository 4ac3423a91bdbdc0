import { HttpError, page } from "fresh";
import { QualificationPage } from "../../components/qualifications/QualificationPage.tsx";
import { successionOf } from "../../lib/qualifications/mod.ts";
import { define, pageHandler } from "../../lib/state.ts";

export const handler = pageHandler({
  GET(ctx) {
    const { catalogue } = ctx.state.services;
    const qualification = catalogue.get(ctx.params.code);
    if (qualification === undefined) throw new HttpError(404);
    const { code } = qualification;
    if (code !== ctx.params.code) return ctx.redirect(`/qualifications/${code}`, 301);
    return page({ qualification, succession: successionOf(catalogue, qualification) });
  },
});

export default define.page<typeof handler>(({ data, state }) => (
  <QualificationPage state={state} {...data} />
));
