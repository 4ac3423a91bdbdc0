import { HttpError, page } from "fresh";
import { GuidePage } from "../../components/api/GuidePage.tsx";
import { type GuideText, renderGuide } from "../../lib/features/api/mod.ts";
import { define, sharedPage } from "../../lib/app/state.ts";

/** A guide for developers, from the file of `docs/` with its name. */
export const handler = sharedPage<GuideText>({
  GET({ params, state: { services, surface } }) {
    const { surfaces, config: { contact: { challenge } } } = services;
    const guide = renderGuide(params.guide, { from: surface, surfaces, challenge });
    if (guide === undefined) throw new HttpError(404);
    return page(guide);
  },
});

export default define.page<typeof handler>(({ data, state }) => (
  <GuidePage guide={data} state={state} />
));
