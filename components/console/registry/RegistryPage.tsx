import type { Registry } from "../../../lib/ops/mod.ts";
import { RelaySection } from "./RelaySection.tsx";
import { SignInSection } from "./SignInSection.tsx";
import { SurfaceCard } from "./SurfaceCard.tsx";

/** The surface registry (spec 4.2.5). */
export function RegistryPage({ registry: { surfaces, relays, signIn } }: { registry: Registry }) {
  const served = surfaces.filter(({ status }) => status === "SERVED").length;
  return (
    <>
      <h1>Surfaces</h1>
      <p class="lead">
        {served} of {surfaces.length} surfaces are served here.
      </p>
      <SignInSection signIn={signIn} />
      <section class="registry-section" aria-labelledby="surfaces">
        <h2 id="surfaces">Surfaces and routes</h2>
        <div class="registry-surfaces">
          {surfaces.map((surface) => <SurfaceCard key={surface.name} surface={surface} />)}
        </div>
      </section>
      <RelaySection relays={relays} />
    </>
  );
}
