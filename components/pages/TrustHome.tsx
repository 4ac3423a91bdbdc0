import type { State } from "../../lib/state.ts";

/** The trust surface's home. */
export function TrustHome({ state }: { state: State }) {
  const { name } = state.services.config.organisations[state.surface.organisation];
  return (
    <section class="prose">
      <p class="eyebrow">Trust</p>
      <h1>What you may rely on</h1>
      <p class="lead">How {name} and its partners treat what you entrust to them.</p>
      <ul>
        <li>
          <a href="/verify">Verify a record</a>, in your own browser
        </li>
        <li>
          <a href="/terms">Terms</a>
        </li>
        <li>
          <a href="/privacy">Privacy</a>
        </li>
      </ul>
    </section>
  );
}
