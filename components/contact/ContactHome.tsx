/** The page `/contact` of a marketing site. */
import { asset, Head } from "fresh/runtime";
import { CONFIG, titleOf } from "../../lib/features/contact/config.ts";
import { contactUrls } from "../../lib/features/contact/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { EnquiryPanel } from "./EnquiryPanel.tsx";

/** The contact form as a page, behind a marketing site's contact links without scripts. */
export function ContactHome({ state }: { state: State }) {
  const { config } = state.services;
  const { name, contactEmail } = config.organisations[state.surface.organisation];
  const registers = contactUrls(state.surface, state.services) !== null;
  return (
    <section class="contact-home stack top">
      <Head>
        <title>{titleOf(name)}</title>
        <meta name="description" content={CONFIG.COPY.INTRO} />
        <link key="styles" rel="stylesheet" href={asset("/styles/pages/contact.css")} />
      </Head>
      <header>
        <p class="eyebrow">{CONFIG.COPY.EYEBROW}</p>
        <h1>{titleOf(name)}</h1>
        {registers && (
          <p class="lead">
            What you send becomes a record with its own history, which you can verify yourself and
            show to others without asking us.
          </p>
        )}
      </header>
      <EnquiryPanel state={state} />
      {registers && (
        <dl class="contact-others pad-top-4 flush lined">
          <dt>By email</dt>
          <dd>
            <a href={`mailto:${contactEmail}`}>{contactEmail}</a>
          </dd>
          <dt>Vulnerabilities</dt>
          <dd>
            <a
              href={state.surface.serves("/security") ? "/security#report" : "/governance#security"}
            >
              How to report one
            </a>
          </dd>
        </dl>
      )}
    </section>
  );
}
