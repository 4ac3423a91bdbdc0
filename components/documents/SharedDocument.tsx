/** The island that shows a shared document to its reader and compares the file with its registered hash. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Display } from "../../lib/features/documents/access/display.ts";
import { Seal, type SealKind } from "../chain/Seal.tsx";
import { Content } from "./Content.tsx";
import { PrintAction } from "./PrintAction.tsx";
import { readFile } from "./read_file.ts";

/** A fact about the document. */
export interface Fact {
  term: string;
  text: string;
  /** Further words on a line of their own. */
  more?: string;
  /** The page that the text leads to. */
  href?: string;
}

export interface SharedDocumentProps {
  /** The verdict of a file that is the registered one. */
  genuine: string;
  /** The organisation that registered the document. */
  registrar: string;
  title: string;
  kind: string;
  /** More that the reader must know, such as that the issuer has ended. */
  notes: string[];
  facts: Fact[];
  shown: Display;
  /** The address of what the page shows, and of the download. */
  shownUrl: string;
  fileUrl: string;
  printedUrl: string;
  /** Further files: the original, and a cover sheet to print. */
  downloads: { text: string; href: string }[];
  /** The registered hash of the file, in hexadecimal digits. */
  sha256: string;
  /** The page to show first. */
  page: number;
  /** Until when it can be read, and what is recorded of that. */
  terms: string;
}

/**
 * The comparison of the browser's file with the registered one. `open`: it has not been made. `unread`: the file
 * could not be loaded.
 */
type Comparison = "open" | "same" | "differs" | "unread";

/**
 * The document for a reader whom its holder gave access: the verdict, the document, then the facts. The browser
 * hashes what it shows, and the verdict changes if that is not the registered file.
 */
export function SharedDocument(props: SharedDocumentProps) {
  const { title, kind, notes, facts, downloads, terms } = props;
  const { shown, shownUrl, fileUrl, printedUrl, sha256 } = props;
  const [comparison, setComparison] = useState<Comparison>("open");
  const onCompared = (same: boolean | null) =>
    setComparison(same === null ? "unread" : same ? "same" : "differs");
  useEffect(() => {
    // The pages of a PDF are compared as they are read, and other files are not shown.
    if (shown.as !== "image" && shown.as !== "text") return;
    readFile(shownUrl).then((file) => onCompared(file.sha256 === sha256), () => onCompared(null));
  }, []);
  const { seal, tone, heading, text } = verdictOf(comparison, props);
  return (
    <>
      <header class={`verdict shared-verdict ${tone}`}>
        <Seal kind={seal} />
        <div class="verdict-text">
          <h1 class="anywhere" role={comparison === "differs" ? "alert" : undefined}>{heading}</h1>
          <p class="lead anywhere">{kind}: {title}</p>
          {notes.map((note) => <p key={note} class="anywhere">{note}</p>)}
          <p class="muted text-small">
            {text}
            {comparison === "open" && shown.as !== "file" && <noscript>{UNCOMPARED}</noscript>}
          </p>
        </div>
      </header>
      <div class="shared-document stack gap-5-6">
        {comparison !== "differs" && (
          <div class="shared-content shrinks">
            <Content
              {...{ shown, title, shownUrl, fileUrl, printedUrl, sha256, onCompared }}
              page={props.page}
              firstOnly
            />
          </div>
        )}
        <div class="shared-facts">
          <dl>
            {facts.map(({ term, text, more, href }) => (
              <div class="ruled" key={term}>
                <dt class="muted">{term}</dt>
                <dd class="bold anywhere">
                  {href === undefined ? text : <a href={href}>{text}</a>}
                  {more !== undefined && <small class="block">{more}</small>}
                </dd>
              </div>
            ))}
          </dl>
          {comparison !== "differs" && (
            <p class="actions screen-only">
              <a class="button" href={fileUrl} download>Download</a>
              {(shown.as === "image" || shown.as === "text") && (
                <PrintAction printedUrl={printedUrl} />
              )}
              {downloads.map(({ text, href }) => (
                <a key={href} class="button quiet" href={href} download>{text}</a>
              ))}
            </p>
          )}
          <p class="muted text-small">{terms}</p>
        </div>
      </div>
    </>
  );
}

const UNCOMPARED = (
  <>
    Your browser has not compared the file itself: download it and <a href="/check">check it</a>.
  </>
);

interface Verdict {
  seal: SealKind;
  /** A class of `.verdict`. */
  tone: "good" | "fair" | "bad";
  heading: string;
  text: ComponentChildren;
}

function verdictOf(
  comparison: Comparison,
  { genuine, registrar, shown }: SharedDocumentProps,
): Verdict {
  switch (comparison) {
    case "differs":
      return {
        seal: "bad",
        tone: "bad",
        heading: "Not genuine: this is not the registered file",
        text:
          `It has another hash than the file that ${registrar} registered, so it is not shown. ` +
          "Do not rely on it, and tell whoever gave you the link.",
      };
    case "unread":
      return {
        seal: "open",
        tone: "fair",
        heading: genuine.replace(/^Genuine: i/, "Registered: i").replace(", unchanged", ""),
        text:
          "The file could not be compared with the registered hash. Reload the page to try again.",
      };
    case "same":
      return {
        seal: "good",
        tone: "good",
        heading: genuine,
        text:
          `Your browser has compared the file with the hash that ${registrar} registered: they match.`,
      };
    case "open":
      return {
        seal: "good",
        tone: "good",
        heading: genuine,
        text: shown.as === "file"
          ? [`${registrar} states this. `, UNCOMPARED]
          : `${registrar} states this. `,
      };
  }
}
