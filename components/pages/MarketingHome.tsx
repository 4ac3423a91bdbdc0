import type { State } from "../../lib/state.ts";
import { CommercialHome } from "../marketing/CommercialHome.tsx";
import { FoundationHome } from "../marketing/FoundationHome.tsx";
import { OrganisationData } from "../Metadata.tsx";

export function MarketingHome({ state }: { state: State }) {
  const Home = state.surface.organisation === "foundation" ? FoundationHome : CommercialHome;
  return (
    <>
      <OrganisationData state={state} />
      <Home state={state} />
    </>
  );
}
