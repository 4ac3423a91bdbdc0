import { ContactHome } from "../components/contact/ContactHome.tsx";
import { InvestorHome } from "../components/marketing/investor/InvestorHome.tsx";
import { define, pageHandler } from "../lib/app/state.ts";

export const handler = pageHandler();

/** The contact form as a page of a marketing site; on the workbench, the investor surface's home. */
export default define.page<typeof handler>(({ state, url }) =>
  state.surface.kind === "marketing"
    ? <ContactHome state={state} />
    : <InvestorHome state={state} url={url} />
);
