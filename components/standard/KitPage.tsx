import { CopySamples } from "../CopySamples.tsx";
import { renderKit } from "../../lib/features/standard/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { StandardEyebrow, StandardHead } from "./StandardHead.tsx";

/** The page that explains how to check another implementation of the standard. */
export function KitPage({ state }: { state: State }) {
  const { standard, config } = state.services;
  const { html } = renderKit();
  return (
    <div class="standard-document">
      <StandardHead
        state={state}
        title="Conformance kit"
        description="Checks whether a program verifies chains as the standard requires, with a small protocol of JSON lines."
        path="/standard/kit"
      />
      <header class="below-6">
        <StandardEyebrow standard={standard} />
        <h1>Check your implementation</h1>
        <p class="lead">
          The conformance kit feeds the test vectors to your program, in any language, and reports
          every difference. It is part of the{" "}
          <a href={config.organisations.foundation.codeHostUrl}>repository</a>.
        </p>
      </header>
      <div class="markdown" dangerouslySetInnerHTML={{ __html: html }} />
      <CopySamples />
    </div>
  );
}
