import type { State } from "../../lib/app/state.ts";
import { CommercialHome } from "./CommercialHome.tsx";
import { FoundationHome } from "./FoundationHome.tsx";
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
