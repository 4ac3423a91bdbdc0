import { page } from "fresh";
import { ConsoleFrame } from "../../components/console/ConsoleFrame.tsx";
import { TreasuryCard } from "../../components/console/TreasuryCard.tsx";
import { requireLayer, treasuryOf } from "../../lib/console/access.ts";
import { includesLayer } from "../../lib/console/layers.ts";
import { define, pageHandler } from "../../lib/state.ts";

export const handler = pageHandler({
  async GET(ctx) {
    const operator = requireLayer(ctx.state, "L2");
    const summary = await treasuryOf(ctx.state).summary();
    const now = new Date(ctx.state.services.clock()).toISOString();
    return page({ operator, card: { summary, now } });
  },
});

/** The console's dashboard, for both layers (spec 4.2.1). */
export default define.page<typeof handler>(({ data: { operator, card }, state, url, req }) => (
  <ConsoleFrame {...{ state, url, req }} visitor={operator} title="Dashboard">
    <h1>Dashboard</h1>
    <div class="dashboard">
      <TreasuryCard
        {...card}
        details={includesLayer(operator.layer, "L1") ? "/console/finance" : null}
      />
      <section class="card" aria-labelledby="surfaces-title">
        <h2 id="surfaces-title">
          <a href="/console/surfaces">Surfaces</a>
        </h2>
        <p>Every surface and its routes with their status, and the state of sign-in.</p>
      </section>
    </div>
  </ConsoleFrame>
));
