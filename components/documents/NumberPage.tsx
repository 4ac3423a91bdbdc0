import { asset, Head } from "fresh/runtime";
import { NumberForm } from "./NumberForm.tsx";

export interface NumberPageProps {
  /** The text that was entered. */
  text: string;
  /** True if it contains no number. */
  problem?: boolean;
}

/** The page where the number of a document can be typed. */
export const NumberPage = ({ text, problem }: NumberPageProps) => (
  <div class="check-page verify-page">
    <Head>
      <title>Find a document</title>
      <meta name="description" content="Opens a document's public page by its printed number." />
      {text !== "" && <meta name="robots" content="noindex" />}
      <link key="styles" rel="stylesheet" href={asset("/styles/pages/check.css")} />
    </Head>
    <header class="below-6">
      <p class="eyebrow">Verification</p>
      <h1>Find a document</h1>
      <p class="lead">
        The number is printed on every page of an issued document, in the address next to the QR
        code. The document's page shows who issued it, and whether it is still in force.
      </p>
    </header>
    <div class="measure-wide">
      <NumberForm
        primary
        text={text}
        problem={problem
          ? "This is not a document number. It has 16 digits and letters, without I, L, O and U."
          : undefined}
      />
      <p class="above-5">
        Do you have the file? <a href="/check">Check it</a>: only a file can be compared completely.
      </p>
    </div>
  </div>
);
