/** The pages of the API's guides, which are written in Markdown in `docs/`. */
import { PageHead } from "../PageHead.tsx";
import type { GuideText } from "../../lib/features/api/mod.ts";
import { contactUrls } from "../../lib/features/contact/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { CopySamples } from "../CopySamples.tsx";
import { contactUrl } from "../navigation.ts";
import { Reading } from "../Reading.tsx";
import { FormExample } from "./FormExample.tsx";

/** A guide for developers. That of the contact form begins with the form itself. */
export function GuidePage({ guide, state }: { guide: GuideText; state: State }) {
  const { id, title, summary, continues, html, headings } = guide;
  return (
    <>
      <PageHead title={title} description={summary} styles="guide" />
      <Reading
        title={title}
        html={html}
        headings={headings}
        before={
          <p class="eyebrow">
            {continues === undefined
              ? "Guide"
              : <a href={`/docs/${continues.id}`}>{continues.title}</a>}
          </p>
        }
        opening={
          <>
            <p class="lead">{summary}</p>
            {id === "contact-form" && <Example state={state} />}
          </>
        }
        beside={<Help id={id} state={state} />}
      />
      <CopySamples />
    </>
  );
}

/** The form. Where a bot challenge is configured, the organisation's own page has it instead. */
function Example({ state }: { state: State }) {
  const { surface, services: { config, surfaces } } = state;
  const { name } = config.organisations[surface.organisation];
  const endpoint = contactUrls(surface, state.services)?.register;
  const contact = contactUrl(state);
  if (endpoint === undefined || contact === null) return null;
  return (
    <section class="pad-4-5 below-5 box" aria-labelledby="example">
      <h2 class="text-large below-2" id="example">This is the form</h2>
      {config.contact.challenge === undefined
        ? (
          <>
            <p class="flush muted">
              With the code below, it looks and works like this. What you send here is a real
              enquiry to {name}.
            </p>
            <FormExample
              script={`${surfaces.baseFrom(surface, "api")}/components/contact-form.js`}
              endpoint={endpoint}
            />
            <noscript>
              <p class="flush">
                It needs scripts. <a href={contact}>Our own page</a> has a form that does not.
              </p>
            </noscript>
          </>
        )
        : (
          <p class="flush">
            <a href={contact}>Our own contact page</a> shows it.
          </p>
        )}
    </section>
  );
}

function Help({ id, state: { surface, services: { config } } }: { id: string; state: State }) {
  const { name, contactEmail } = config.organisations[surface.organisation];
  return (
    <section class="page-record" aria-labelledby="help">
      <h2 class="text-large" id="help">Questions</h2>
      <p class="flush">
        Write to {name} at <a href={`mailto:${contactEmail}`}>{contactEmail}</a>
        {id === "contact-form" && ", also to have the origin of your site listed"}.
      </p>
    </section>
  );
}
