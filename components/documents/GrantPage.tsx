import { accessPath, formatDocumentId, type LinkView } from "../../lib/features/documents/mod.ts";
import { AccessPage, ToDocument } from "./AccessPage.tsx";
import { Time } from "../Time.tsx";

/** The page behind the link of an approved request. Only its button opens the document. */
export function GrantPage({ link, token, named }: {
  link: LinkView;
  token: string;
  /** The document that the link names. */
  named: string | null;
}) {
  if (!link.ok) return <EndedPage document={named} />;
  const { document, endsAt } = link;
  const id = <code>{formatDocumentId(document)}</code>;
  if (link.state === "withdrawn" || link.state === "expired") {
    const isWithdrawn = link.state === "withdrawn";
    return (
      <AccessPage title={isWithdrawn ? "The document was withdrawn" : "The document has expired"}>
        <p class="lead">
          Your request for document {id} was approved, but the document{" "}
          {isWithdrawn ? "was withdrawn" : "has expired"}{" "}
          since. Your access has ended with it, and this link no longer opens it.
        </p>
        <p>
          Do not rely on a copy that you may have. The document's page says when it{" "}
          {isWithdrawn ? "was withdrawn" : "expired"}.
        </p>
        <ToDocument document={document} />
      </AccessPage>
    );
  }
  return link.state === "elsewhere"
    ? (
      <AccessPage title="Ask for a new link">
        <p class="lead">
          This link for document {id}{" "}
          was already used, or a newer one has replaced it. Each link works in one browser only.
        </p>
        <p>
          To read the document in this browser, ask for a new link. We send it to the address that
          the request came from. Once you use it, the other browser no longer has access.
        </p>
        <form class="record-form" method="post" action={accessPath("grant", document)}>
          <input type="hidden" name="token" value={token} />
          <button type="submit" class="button primary" name="act" value="new_link">
            Mail me a new link
          </button>
        </form>
      </AccessPage>
    )
    : (
      <AccessPage title="Open the document">
        <p class="lead">
          Your request for document {id} was approved. You can read it in this browser until{" "}
          <Time at={endsAt} />.
        </p>
        <form class="record-form" method="post" action={accessPath("grant", document)}>
          <input type="hidden" name="token" value={token} />
          <button type="submit" class="button primary">Open the document</button>
        </form>
        <p class="muted">
          The link works once and sets a cookie that gives this browser access. The holder of the
          record sees when you view, download or print the document.
        </p>
      </AccessPage>
    );
}

/** The response to a request for a new link, whether or not one was sent. */
export function NewLinkPage() {
  return (
    <AccessPage title="Check your mail">
      <p class="lead">
        If you still have access, we have sent a new link to the address that the request came from.
        The number of links per hour is limited.
      </p>
    </AccessPage>
  );
}

function EndedPage({ document }: { document: string | null }) {
  return (
    <AccessPage title="This link does not work">
      <p class="lead">
        It is incomplete, or your access has expired or was revoked. You can request access again on
        the document's page.
      </p>
      <ToDocument document={document} />
    </AccessPage>
  );
}
