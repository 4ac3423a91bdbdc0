import { PageHead } from "../../PageHead.tsx";
import { FindField } from "./FindField.tsx";

/** The page behind the field of the trust surface's home page, if a text leads nowhere. */
export const FindPage = ({ text, problem }: { text: string; problem?: string }) => (
  <div>
    <PageHead
      title={problem === undefined ? "Check it" : "Error: check it"}
      description="Leads from a number, a hash, a key or a link to the page that checks it."
      styles="trust"
    >
      <meta name="robots" content="noindex" />
    </PageHead>
    <header class="below-6">
      <p class="eyebrow">Records and documents</p>
      <h1>Check it</h1>
    </header>
    <div class="task main-task framed on-card measure-wide">
      <FindField {...{ text, problem }} />
    </div>
  </div>
);
