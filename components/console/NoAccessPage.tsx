import type { Layer } from "../../lib/features/operators/mod.ts";
import type { State } from "../../lib/app/state.ts";
import type { Visitor } from "./ConsoleFrame.tsx";

const LAYERS: Record<Layer, string> = { L1: "full administrator", L2: "board member" };

/** Shown to someone who is signed in but may not see a console page. */
export function NoAccessPage({ state, visitor: { email, layer }, message }: {
  state: State;
  visitor: Visitor;
  /** A sentence that names the layers that may see the page. */
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
