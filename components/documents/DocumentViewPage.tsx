/** The page `/d/<id>` for visitors who may read the document; others get `LockScreen.tsx`. */
import { asset, Head } from "fresh/runtime";
import type {
  Display,
  OpenDocument,
  Parties,
  Registration,
  Visitor,
} from "../../lib/features/documents/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { DocumentView } from "./DocumentView.tsx";
import { SharedDocumentPage } from "./SharedDocumentPage.tsx";

/** The document, for its holder and for readers with a grant. */
export function DocumentViewPage(
  { opened, parties, shown, ticket, scanned, visitor, registration, state }: {
    opened: OpenDocument;
    parties: Parties;
    shown: Display;
    ticket: string;
    scanned: number | null;
    visitor: Visitor;
    /** Where the public log has the version; null for its holder. */
    registration: Registration | null;
    state: State;
  },
) {
  const { document } = opened;
  return (
    <div class="document-page wide">
      <Head>
        <title>{document.title}</title>
        <meta name="robots" content="noindex" />
        <link key="styles" rel="stylesheet" href={asset("/styles/pages/document.css")} />
      </Head>
      {registration === null
        ? (
          <DocumentView
            {...{ opened, parties, shown, ticket, state }}
            path={`/d/${document.id}`}
            page={scanned ?? 1}
            back={{ href: "/my-record", text: "My record" }}
          />
        )
        : (
          <SharedDocumentPage
            {...{ opened, parties, shown, ticket, registration }}
            grant={visitor.grant!}
            page={scanned ?? 1}
          />
        )}
    </div>
  );
}
