import type { State } from "../../lib/state.ts";

/** The trust surface's home: a holder's record, a stranger's check, and the published rules. */
export function TrustHome({ state }: { state: State }) {
  const { name } = state.services.config.organisations[state.surface.organisation];
  return (
    <section>
      <p class="eyebrow">Trust</p>
      <h1>What you can rely on</h1>
      <p class="lead">How {name} and its partners handle your data, and how to verify a record.</p>
      <ul class="cards">
        <li class="card">
          <h2>
            <a href="/my-record">My record →</a>
          </h2>
          <p>Open the record that you registered: its chain, its level and your key.</p>
        </li>
        <li class="card">
          <h2>
            <a href="/verify">Check a record</a>
          </h2>
          <p>
            Verify somebody's record in your own browser, from its hash or from{" "}
            <a href="/k">the key on a card</a>.
          </p>
        </li>
        <li class="card">
          <h2>
            <a href="/levels">Trust levels</a>
          </h2>
          <p>What levels 1 to 4 mean, and the conditions for each of them.</p>
        </li>
      </ul>
      <p>
        <a href="/terms">Terms</a> · <a href="/privacy">Privacy</a>
      </p>
    </section>
  );
}
