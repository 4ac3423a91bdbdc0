/** The page `/governance` of the foundation's site. */
import { PageHead } from "../PageHead.tsx";
import type { State } from "../../lib/app/state.ts";
import { Numbered, PageOpening } from "./Numbered.tsx";
import { hasRoute } from "./standard_documents.ts";

/** The page about the standard's maintainers, and how it changes. */
export function GovernancePage({ state }: { state: State }) {
  const { standard, config } = state.services;
  const { name, codeHostUrl, contactEmail, registration } = config.organisations.foundation;
  const mail = (subject: string) => `mailto:${contactEmail}?subject=${encodeURIComponent(subject)}`;
  return (
    <div class="foundation-page">
      <PageHead
        title={`Governance · ${name}`}
        description={`Who maintains the ${standard.title}, how decisions are made, and how to propose a change.`}
        styles="foundation"
      />
      <PageOpening eyebrow={`${standard.title} ${standard.version}`} title="Governance">
        The standard belongs to everyone who implements it. {name}{" "}
        is its steward. This page says what that means and how the text changes.
      </PageOpening>
      <Numbered id="steward" number={1} title="The steward">
        <p>
          {name}{" "}
          maintains the text, its versions and its test vectors, and publishes them on this site. It
          does not certify implementations, and no one needs its permission to write one. An
          organisation that certifies implementations does so under its own rules and must not imply
          that the steward has certified them.
        </p>
        <dl class="ledger">
          <dt>Name</dt>
          <dd>{registration === undefined ? name : `${name}, ${registration}`}</dd>
          <dt>Text and history</dt>
          <dd>
            <a href={codeHostUrl}>{codeHostUrl}</a>
          </dd>
          <dt>Email</dt>
          <dd>
            <a href={`mailto:${contactEmail}`}>{contactEmail}</a>
          </dd>
        </dl>
      </Numbered>
      <Numbered id="editors" number={2} title="Editors">
        <dl class="ledger">
          <dt>Editors</dt>
          <dd>
            They write the text once a change is agreed, compute the vectors that go with it,
            correct errata and publish versions. They cannot change what a published version
            requires.
          </dd>
          <dt>Implementers</dt>
          <dd>
            They find out whether a proposal can be built. Nothing that affects bytes is published
            before two independent implementations agree on it.
          </dd>
          <dt>Contributors</dt>
          <dd>
            Anyone may ask a question, report an erratum or write a proposal. There is no
            membership.
          </dd>
        </dl>
        <p>
          The history of the text shows who changed what. To reach the editors, write to{" "}
          <a href={mail("To the editors")}>{contactEmail}</a>.
        </p>
      </Numbered>
      <Numbered id="decisions" number={3} title="How decisions are made">
        <p>
          Editors decide by consensus, in the public discussion of the proposal. Consensus means
          that every objection has been answered with reasons, not that everybody agrees. A decision
          lists the objections that were not followed.
        </p>
        <p>
          An editor does not decide alone on a proposal of their own or of their employer. Anyone
          who disagrees with a decision can ask for a review, with an argument that was not
          considered before.
        </p>
      </Numbered>
      <Numbered id="propose" number={4} title="How to propose a change">
        <ol class="steps below-5">
          <li>
            <strong>Ask first.</strong> Open a question at <a href={codeHostUrl}>the code host</a>.
            {" "}
            Many changes turn out to be clarifications.
          </li>
          <li>
            <strong>Write the proposal.</strong>{" "}
            State the problem, who has it, the new text, and what it does to chains that exist
            today.
          </li>
          <li>
            <strong>Say what it costs.</strong>{" "}
            State whether bytes change, what a verifier of the current version reports, and whether
            anything personal could become visible.
          </li>
          <li>
            <strong>Show it working.</strong>{" "}
            A change to bytes or faults needs vectors, valid and invalid, that two independent
            implementations reproduce.
          </li>
          <li>
            <strong>Discuss it.</strong>{" "}
            The editors decide in public and record the reasons next to the proposal.
          </li>
        </ol>
        <p>
          A proposal that adds an event kind needs its name, its meaning in one sentence, and the
          reason why no existing kind will do.
        </p>
      </Numbered>
      <Numbered id="errata" number={5} title="Errata">
        <p>
          Report an error in the text or a vector at <a href={codeHostUrl}>the code host</a> or by
          {" "}
          <a href={mail("Erratum")}>email</a>, with the section and what you expected. Errors that
          affect neither bytes nor requirements are corrected in place and listed. A vector never
          changes: if one proves to be wrong, the next version says so and adds another.
        </p>
      </Numbered>
      <Numbered id="security" number={6} title="Security reports">
        <p>
          Report a weakness in the standard or in this site by{" "}
          <a href={mail("Security report")}>email to {contactEmail}</a>, not in public. Include the
          section or address, the steps to reproduce it, and what an attacker gains. Do not include
          anyone's personal data.
        </p>
        <p>
          The editors confirm the report, tell the implementers they know of, and publish the
          weakness together with the fix. They name the reporter unless the reporter prefers
          otherwise.
        </p>
      </Numbered>
      <Numbered id="versions" number={7} title="Versions">
        <dl class="ledger">
          <dt>Minor</dt>
          <dd>
            A minor version adds something without changing bytes. Everything that verified before
            still verifies.
          </dd>
          <dt>Major</dt>
          <dd>
            A major version may change bytes. Its hashes and signatures have their own domain, so
            none of them is valid under two major versions.
          </dd>
          <dt>Published</dt>
          <dd>
            A published version is final. Only errors that affect neither bytes nor requirements are
            corrected.
          </dd>
        </dl>
        <p class="wrap gap-2-5 above-5">
          <a href="/standard/conformance">Conformance and versioning</a>
          {hasRoute(state, "/standard/changelog") && <a href="/standard/changelog">Changelog</a>}
        </p>
      </Numbered>
    </div>
  );
}
