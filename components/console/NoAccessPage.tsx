import type { Layer } from "../../lib/console/layers.ts";
import type { State } from "../../lib/state.ts";
import type { Visitor } from "./ConsoleFrame.tsx";

const LAYERS: Record<Layer, string> = { L1: "full administrator", L2: "board member" };

/** Shown to somebody who is signed in and may not see a page of a console. */
export function NoAccessPage({ state, visitor: { email, layer }, message }: {
  state: State;
  visitor: Visitor;
  /** The layer that the page needs, as a sentence. */
  message: string;
}) {
  const { contactEmail } = state.services.config.organisations[state.surface.organisation];
  return (
    <section class="prose">
      <h1>No access</h1>
      <p class="lead">
        You are signed in as <strong class="address">{email}</strong>
        {layer === null
          ? ", which has no access to this console."
          : `, a ${LAYERS[layer]} (${layer}).`}
      </p>
      <p>
        {message}{" "}
        If another address of yours has access, sign out and sign in with that one. Otherwise ask
        for access at <a href={`mailto:${contactEmail}`}>{contactEmail}</a>.
      </p>
      {layer !== null && (
        <p>
          <a href="/console">Back to the dashboard</a>
        </p>
      )}
    </section>
  );
}
