import { asset, Head } from "fresh/runtime";
import type { OpenDocument, Parties, Shown, Visitor } from "../../lib/features/documents/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { DocumentView } from "./DocumentView.tsx";

/** The document, for its holder and for readers with a grant. */
export function DocumentViewPage(
  { opened, parties, shown, ticket, scanned, visitor, state }: {
    opened: OpenDocument;
    parties: Parties;
    shown: Shown;
    ticket: string;
    scanned: number | null;
    visitor: Visitor;
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
      <DocumentView
        {...{ opened, parties, shown, ticket, state }}
        grant={visitor.grant}
        path={`/d/${document.id}`}
        page={scanned ?? 1}
        back={opened.permission === "holder" ? { href: "/my-record", text: "My record" } : null}
      />
    </div>
  );
}
