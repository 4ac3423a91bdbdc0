import { asset, Head } from "fresh/runtime";
import type { LinkAnswer } from "../../lib/features/documents/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { SharedLink } from "./SharedLink.tsx";

/** The page behind a link to a document. */
export function SharedLinkPage(
  { found, code, state }: { found: LinkAnswer | null; code: string; state: State },
) {
  const origin = state.services.surfaces.url("trust") ?? state.surface.baseUrl;
  return (
    <div class="key-page shared-link">
      <Head>
        <title>Open a shared document</title>
        <meta
          name="description"
          content="Opens a document that the holder of a record shares with you, or that you asked for."
        />
        <meta name="robots" content="noindex" />
        <link key="styles" rel="stylesheet" href={asset("/styles/pages/key.css")} />
      </Head>
      <header>
        <p class="eyebrow">Shared document</p>
        <h1 class="below-3">Open a shared document</h1>
      </header>
      <SharedLink {...{ found, code, origin }} />
    </div>
  );
}
