import CopySamples from "../../../../islands/CopySamples.tsx";
import { actOnIssuer } from "../../../../components/issuers/run_act.tsx";
import { renderSections } from "../../../../components/issuers/render_issuer.tsx";
import { route } from "../../../../lib/app/state.ts";

/** The domain, name, logo, contact and state of an issuer, for full administrators. */
export const handler = route({
  GET: (ctx) => renderSections(ctx, "settings", <CopySamples />),
  POST: (ctx) => actOnIssuer(ctx, "settings", <CopySamples />),
});
