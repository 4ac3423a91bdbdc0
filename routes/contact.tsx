import { page } from "fresh";
import { ContactHome } from "../components/contact/ContactHome.tsx";
import { InvestorHome } from "../components/investor/InvestorHome.tsx";
import { readFigures } from "../lib/features/investor/mod.ts";
import { define, pageHandler } from "../lib/app/state.ts";

export const handler = pageHandler({
  async GET({ state: { surface, services } }) {
    const isMarketing = surface.kind === "marketing";
    return page({
      figures: isMarketing ? null : await readFigures(services.kv, surface.organisation),
    });
  },
});

/** The contact form as a page of a marketing site; on the workbench, the investor surface's home. */
export default define.page<typeof handler>(({ state, url, data: { figures } }) =>
  figures === null
    ? <ContactHome state={state} />
    : <InvestorHome state={state} url={url} figures={figures} />
);
