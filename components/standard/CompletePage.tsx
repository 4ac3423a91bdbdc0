/** The page `/standard/complete`, from which the PDF of the standard is made. */
import { renderComplete, type WholeText } from "../../lib/features/standard/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { CopySamples } from "../CopySamples.tsx";
import { Logo } from "../Logo.tsx";
import { Cover } from "./Cover.tsx";
import { StandardEyebrow, StandardHead } from "./StandardHead.tsx";
import { Time } from "../Time.tsx";
import { VersionLine } from "./VersionLine.tsx";

/** The whole text of a version on one page, for reading through, printing, and the PDF. */
export function CompletePage({ text, state }: { text: WholeText; state: State }) {
  const { standard, config } = state.services;
  const sections = renderComplete(text);
  return (
    <div class="reading whole-text block-print">
      <StandardHead
        state={state}
        title="Complete text"
        description={`All sections of the ${text.title} on one page.`}
        path="/standard/complete"
        styles="standard_complete"
        version={text.version}
        indexed={text.version === standard.version}
      />
      <header class="complete-title reading-text shrinks">
        <div class="cover-mark">
          <Logo organisation="foundation" />
        </div>
        <StandardEyebrow standard={text} />
        {text.version !== standard.version && (
          <p class="earlier-note pad-3-4 below-5 rounded raised">
            <strong>This is version {text.version}, which is no longer current.</strong> Version
            {" "}
            {standard.version} was published on <Time at={standard.dates().published} day />.{" "}
            <a href="/standard/complete" aria-current="false">Read the current version</a>
          </p>
        )}
        <h1>{text.title}</h1>
        <VersionLine text={text} state={state} />
        <p class="lead">
          <span class="screen-only">All {sections.length} sections on one page.</span>{" "}
          Anyone may implement the standard without asking and without a fee.{" "}
          <span class="steward">{config.organisations.foundation.name} maintains it.</span>
        </p>
        <Cover text={text} state={state} />
      </header>
      <nav class="complete-contents below-6" aria-labelledby="contents">
        <h2 class="below-3" id="contents">Contents</h2>
        <ol class="plain">
          {sections.map(({ section: { id, number, title }, headings }) => (
            <li key={id}>
              <a class="stack muted text-medium" href={`#${id}`}>
                <span class="number">{number}</span> {title}
              </a>
              <ol class="plain">
                {headings.filter(({ level }) => level === 3).map((heading) => (
                  <li key={heading.id}>
                    <a class="stack muted text-medium" href={`#${heading.id}`}>
                      <span class="number">{heading.number}</span> {heading.text}
                    </a>
                  </li>
                ))}
              </ol>
            </li>
          ))}
        </ol>
      </nav>
      <div class="complete-text reading-text shrinks">
        {sections.map(({ section: { id, number, title, summary }, html }) => (
          <section key={id} class="complete-section" aria-labelledby={id}>
            <h2 id={id} class="section-title">
              <a class="anchor" href={`#${id}`}>
                <span class="number">{number}</span> {title}
              </a>
            </h2>
            <p class="lead below-5">{summary}</p>
            <div class="markdown" dangerouslySetInnerHTML={{ __html: html }} />
          </section>
        ))}
      </div>
      <CopySamples />
    </div>
  );
}
