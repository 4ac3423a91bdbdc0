import { asset, Head } from "fresh/runtime";
import type { Display, OpenDocument, Parties } from "../../lib/features/documents/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { DocumentView } from "../documents/DocumentView.tsx";

/** A document that waits, for its recipient to look at before they accept it. */
export const OfferedDocumentPage = ({ opened, parties, shown, ticket, state }: {
  opened: OpenDocument;
  parties: Parties;
  shown: Display;
  ticket: string;
  state: State;
}) => (
  <div class="document-page wide">
    <Head>
      <title>{opened.document.title}</title>
      <meta name="robots" content="noindex" />
      <link key="styles" rel="stylesheet" href={asset("/styles/pages/document.css")} />
    </Head>
    <DocumentView
      {...{ opened, parties, shown, ticket, state }}
      path={`/accept/${opened.document.id}`}
      page={1}
      back={{ href: "/accept", text: "Accept it, or say that it is not for you" }}
    />
  </div>
);
