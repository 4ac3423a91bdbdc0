/** The layout and texts of the investor site's home page. */
import { PageHead } from "../../PageHead.tsx";
import { titleOf } from "../../../lib/features/contact/config.ts";
import { firstValues } from "../../../lib/features/marketing/mod.ts";
import type { State } from "../../../lib/app/state.ts";
import { EnquiryPanel } from "../../contact/EnquiryPanel.tsx";
import { Answers } from "./Answers.tsx";
import { Company } from "./Company.tsx";
import { DocumentKinds } from "./DocumentKinds.tsx";

/** The home page for investors: the company, reasons, documents to ask for, and the form. */
export function InvestorHome({ state, url }: { state: State; url: URL }) {
  const { config, surfaces } = state.services;
  const { commercial, foundation } = config.organisations;
  const standard = surfaces.url("foundation", "/standard");
  return (
    <div class="investor">
      <PageHead
        title={`${commercial.name}: for investors and partners`}
        description={commercial.description}
        styles="investor"
      />
      <div class="investor-head stack gap-6 middle one-column-960">
        <header>
          <p class="eyebrow">Investors and partners</p>
          <h1 class="below-5">We run the infrastructure. Anyone can check the results.</h1>
          <p class="lead">
            Organisations have certificates registered and sealed with a code, and whoever receives
            one checks it in a browser without asking us.
          </p>
          <p class="actions">
            <a class="button primary" href="#contact">Request documents</a>
            <a class="button" href={standard ?? "/standard"}>Read the standard</a>
          </p>
        </header>
        <Company state={state} />
      </div>
      <section class="investor-part" id="why" aria-labelledby="why-title">
        <h2 id="why-title">Why it holds up</h2>
        <ul class="investor-reasons stack gap-5-6 one-column-960">
          <li>
            <h3>Proof without permission</h3>
            <p>
              A reader's browser checks every hash and signature. A saved record verifies even if
              our servers are down.
            </p>
          </li>
          <li>
            <h3>A standard that is not ours</h3>
            <p>
              {foundation.name}{" "}
              maintains it in public. Customers can leave with their records, so we have to be good
              at running them.
            </p>
          </li>
          <li>
            <h3>No personal data in the proof</h3>
            <p>
              Chains hold no names. A person's data can be erased, and every other proof remains
              valid.
            </p>
          </li>
        </ul>
      </section>
      <DocumentKinds state={state} />
      <Answers state={state} />
      <section class="investor-part investor-contact gap-5-6 top one-column-960" id="contact">
        <h2>{titleOf(commercial.name)}</h2>
        <EnquiryPanel state={state} values={firstValues(url.searchParams.get("request"))} />
      </section>
    </div>
  );
}
