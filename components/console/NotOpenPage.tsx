import { Head } from "fresh/runtime";
import { type Layer, OPEN_TO } from "../../lib/ops/layers.ts";
import type { State } from "../../lib/state.ts";

/** What each layer is called. */
const LAYERS: Record<Layer, string> = { L1: "full administrator", L2: "board member" };

/** What somebody sees who is signed in and may not see a page of a console. */
export function NotOpenPage(
  { state, email, layer, needed }: {
    state: State;
    email: string;
    /** Null: the address is on neither list. */
    layer: Layer | null;
    needed: Layer;
  },
) {
  const { name } = state.services.config.organisations[state.surface.organisation];
  return (
    <section class="prose">
      <Head>
        <title>{`Not open to you · ${name}`}</title>
        <meta name="robots" content="noindex" />
      </Head>
      <p class="eyebrow">403 · Operations console</p>
      <h1>Not open to you</h1>
      <p class="lead">
        You are signed in as <strong class="address">{email}</strong>
        {layer === null
          ? ", which is on no list of this console."
          : `, a ${LAYERS[layer]} (${layer}).`}
      </p>
      <p>
        {OPEN_TO[needed]}{" "}
        If you have another address that may see it, sign out and sign in with that one; otherwise
        ask whoever runs this console to put this address on its list.
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
