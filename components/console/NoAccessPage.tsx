import { Head } from "fresh/runtime";
import type { Layer } from "../../lib/console/layers.ts";
import type { State } from "../../lib/state.ts";

const LAYERS: Record<Layer, string> = { L1: "full administrator", L2: "board member" };

/** Shown to somebody who is signed in and may not see a page of a console. */
export function NoAccessPage({ state, email, layer, message }: {
  state: State;
  email: string;
  /** Null if the address is on neither list. */
  layer: Layer | null;
  /** The layer that the page needs, as a sentence. */
  message: string;
}) {
  const { name } = state.services.config.organisations[state.surface.organisation];
  return (
    <section class="prose">
      <Head>
        <title>{`No access · ${name}`}</title>
        <meta name="robots" content="noindex" />
      </Head>
      <p class="eyebrow">403 · Operations console</p>
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
        the person who runs this console to add this address.
      </p>
      {layer !== null && (
        <p>
          <a href="/console">Back to the console</a>
        </p>
      )}
      <form method="post" action="/api/auth/logout">
        <button type="submit" class="button">Sign out</button>
      </form>
    </section>
  );
}
