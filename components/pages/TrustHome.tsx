import type { State } from "../../lib/state.ts";

export function TrustHome({ state }: { state: State }) {
  const { name } = state.services.config.organisations[state.surface.organisation];
  return (
    <section class="prose">
      <p class="eyebrow">Trust</p>
      <h1>What you can rely on</h1>
      <p class="lead">How {name} and its partners handle your data, and how to verify a record.</p>
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
