/** The page `/check`, where anybody can check whether a file is a registered document. */
import { PageHead } from "../PageHead.tsx";
import { asset } from "fresh/runtime";
import { MAX_SHA256_INPUT } from "../../lib/features/documents/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { CodeBlock } from "../CodeBlock.tsx";
import { Field } from "../Field.tsx";
import { FoldedSection } from "../Section.tsx";
import { type CheckResult, headingOf } from "./check_texts.ts";
import type { PageLog } from "../chain/browser_trust.ts";
import { CheckFile } from "./CheckFile.tsx";
import { NumberForm } from "./NumberForm.tsx";
import { CheckOutcome } from "./CheckOutcome.tsx";

export interface CheckPageProps {
  /** The text in the hash input. */
  text: string;
  problem?: string;
  /** The outcome for the hash in the page's URL; null without one. */
  result: CheckResult | null;
  /** The path of pdf.js. */
  pdfJs: string;
  /** The publisher's log. */
  log: PageLog | null;
}

/** The page that compares a file with the registered documents. */
export function CheckPage(
  { text, problem, result, pdfJs, log, state }: CheckPageProps & { state: State },
) {
  const { services: { surfaces, config }, surface } = state;
  const { name, codeHostUrl } = config.organisations[surface.organisation];
  const trustUrl = surfaces.url("trust") ?? surface.baseUrl;
  const documentsUrl = `${trustUrl}/d/`;
  return (
    <div class="check-page verify-page">
      <PageHead
        title={result === null ? "Check a document" : headingOf(result, "hash")}
        description="Compares a file with the registered documents, by its SHA-256 hash. The file stays in your browser."
        styles="check"
      >
        {text !== "" && <meta name="robots" content="noindex" />}
      </PageHead>
      <header class="below-6">
        <p class="eyebrow">Verification</p>
        <h1>Check a document</h1>
        <p class="lead">
          Find out whether a file is, byte for byte, a document that {name}{" "}
          has registered. Your browser computes the file's hash. The file itself is never uploaded.
        </p>
      </header>
      <div class="check-columns stack gap-6">
        <div class="check-main">
          {result !== null && (
            <CheckOutcome
              result={result}
              of="hash"
              log={log}
              documentsUrl={documentsUrl}
            />
          )}
          <noscript>
            <p>
              JavaScript is off, so this page cannot read a file. Compute the file's hash with one
              of the commands below, and paste it. On a phone, enter the number that is printed on
              the document, or check the file on a computer.
            </p>
          </noscript>
          <CheckFile
            workerUrl={asset("/workers/hash_file.js")}
            qrWorkerUrl={asset("/workers/read_qr.js")}
            {...{ log, pdfJs, documentsUrl }}
          />
          <div class="check-ways above-5">
            <FoldedSection
              id="number"
              title="Type its number"
              heading="h2"
              state="From a print"
              open={text === ""}
              lead="A printed copy cannot be compared by hash. Its number leads to the document's own page."
            >
              <NumberForm />
            </FoldedSection>
            <FoldedSection
              id="hash"
              title="Paste a hash"
              heading="h2"
              state="SHA-256"
              open={problem !== undefined}
            >
              <HashForm text={text} problem={problem} />
            </FoldedSection>
            <FoldedSection
              id="command"
              title="Check it without this page"
              heading="h2"
              state="In a terminal"
            >
              <CommandLine trustUrl={trustUrl} codeUrl={codeHostUrl} />
            </FoldedSection>
          </div>
        </div>
        <Limits name={name} />
      </div>
    </div>
  );
}

/** Works without JavaScript. */
function HashForm({ text, problem }: Pick<CheckPageProps, "text" | "problem">) {
  return (
    <>
      <form class="hash-form" method="get" action="/check">
        <Field
          name="sha256"
          label="SHA-256 hash"
          hint="64 hexadecimal digits. Spaces and capitals do not matter."
          problem={problem}
        >
          {(control) => (
            <div class="hash-line flex gap-3">
              <input
                {...control}
                class="mono shrinks"
                value={text}
                required
                maxLength={MAX_SHA256_INPUT}
                autocomplete="off"
                autocapitalize="none"
                spellcheck={false}
              />
              <button type="submit" class="button">Check the hash</button>
            </div>
          )}
        </Field>
      </form>
      <details>
        <summary>Commands that compute it</summary>
        <dl class="facts hash-commands text-medium above-3">
          <dt>Linux</dt>
          <dd>
            <code>sha256sum file.pdf</code>
          </dd>
          <dt>macOS</dt>
          <dd>
            <code>shasum -a 256 file.pdf</code>
          </dd>
          <dt>Windows, in PowerShell</dt>
          <dd>
            <code>Get-FileHash file.pdf</code>
          </dd>
        </dl>
      </details>
    </>
  );
}

const Limits = ({ name }: { name: string }) => (
  <section class="check-aside pad-5 soft-framed round on-card shadowed muted">
    <h2 class="below-2 ink text-large">What a match proves</h2>
    <p>
      Your file has exactly the bytes that {name}{" "}
      registered. No digit, date or name has changed since.
    </p>
    <h2 class="below-2 ink text-large above-5">What it does not prove</h2>
    <p>
      A match does not prove that the content is true, or that the person who sent the document is
      its holder. It says nothing about a printed page: only files can be compared.
    </p>
    <p class="check-other pad-top-4 flush ruled">
      Do you have a record's hash or QR code instead? <a href="/verify">Verify a record</a>
    </p>
  </section>
);

/** Explains how to check a file without trusting this page. */
const CommandLine = ({ trustUrl, codeUrl }: { trustUrl: string; codeUrl: string }) => (
  <>
    <p>
      To see that nothing is uploaded, disconnect from the network and choose a file: the hash is
      still computed. If you would rather not trust this page at all, run the command from{" "}
      <a href={codeUrl}>the source code</a>. It also sends only the hash. With <code>--issuer</code>
      {" "}
      and a domain, it succeeds only for a document of the organisation whose verified domain this
      is.
    </p>
    <CodeBlock
      label="In a terminal"
      code={`deno task check-document file.pdf --at ${trustUrl}`}
    />
    <p class="note">
      When a file matches, your browser proves that it has the file, and the check is recorded for
      the document's holder. Checks of a pasted hash or with the command are not recorded.{" "}
      <a href="/privacy">What is stored</a>
    </p>
  </>
);
