import { ContactHome } from "../components/contact/ContactHome.tsx";
import { InvestorHome } from "../components/investor/InvestorHome.tsx";
import { define } from "../lib/app/state.ts";

/** The contact form as a page of a marketing site; on the workbench, the investor surface's home. */
export default define.page(({ state, url }) =>
  state.surface.kind === "marketing"
    ? <ContactHome state={state} />
    : <InvestorHome state={state} url={url} />
);
