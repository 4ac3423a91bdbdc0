/** The settings of an issuer about its domain: setting, proving and removing it. */
import type { ComponentChildren } from "preact";
import {
  type DomainStatus,
  domainStatus,
  fileUrlOf,
  GRACE_MS,
  type IssuerDomain,
  lossOf,
  proofTextOf,
  recordNameOf,
} from "../../lib/features/issuers/mod.ts";
import { inDays } from "../../lib/base/time.ts";
import { CodeSample } from "../console_parts.tsx";
import { Field } from "../Field.tsx";
import { Time } from "../Time.tsx";
import { IssuerForm, refusedForm } from "./IssuerForm.tsx";
import type { IssuerSection, IssuerView } from "./section.ts";
import { DomainState } from "./states.tsx";

export const domainSection: IssuerSection = {
  id: "domain",
  title: "Domain",
  show(view) {
    if (view.isOwn) return null;
    const { issuer, now } = view;
    const { domain } = issuer;
    return domain === null
      ? (
        <>
          <p>
            Pages of its documents show the domain beside the name once the issuer has proved that
            it controls it.
          </p>
          <SetDomain view={view} submit="Set the domain" />
        </>
      )
      : (
        <>
          <p>
            <strong class="anywhere">{domain.name}</strong>{" "}
            <DomainState issuer={issuer} now={now} />
          </p>
          <Explanation status={domainStatus(issuer, now)} domain={domain} />
          {issuer.state === "ended"
            ? <p>The issuer has ended, so its domain is neither checked nor shown.</p>
            : (
              <>
                <LastCheck domain={domain} />
                <IssuerForm view={view} act="check_domain" submit="Check now" tone="primary" />
                <Instructions view={view} domain={domain} />
              </>
            )}
          <details class="choice above-4" open={refusedForm(view, "set_domain") !== undefined}>
            <summary class="button">Change or remove the domain</summary>
            <p>A new domain has to be verified again. Until then, pages show no domain.</p>
            <SetDomain view={view} submit="Change the domain" />
            <p class="above-4">Pages then show only the name.</p>
            <IssuerForm
              view={view}
              act="remove_domain"
              submit="Remove the domain"
              tone="danger"
            />
          </details>
        </>
      );
  },
};

const SetDomain = ({ view, submit }: { view: IssuerView; submit: string }) => {
  const refused = refusedForm(view, "set_domain");
  return (
    <IssuerForm view={view} act="set_domain" submit={submit}>
      <Field
        name="domain"
        label="Domain"
        hint="A host name of the issuer, such as college.edu"
        required
        problem={refused?.issues.domain}
      >
        {(control) => (
          <input
            {...control}
            value={refused?.values.domain ?? view.issuer.domain?.name}
            maxlength={300}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
          />
        )}
      </Field>
    </IssuerForm>
  );
};

function Explanation({ status, domain }: { status: DomainStatus; domain: IssuerDomain }) {
  const { verified_at, failing_since } = domain;
  switch (status) {
    case "verified":
      return (
        <p>
          Verified on <Time at={verified_at!} day />. It is checked again every week.
        </p>
      );
    case "failing":
      return (
        <p>
          It was verified on <Time at={verified_at!} day />, but the checks have failed since{" "}
          <Time at={failing_since!} />. It is checked every day. Pages show it as verified until
          {" "}
          <Time at={new Date(lossOf(failing_since!)).toISOString()} />.
        </p>
      );
    case "lost":
      return (
        <p>
          The checks have failed since{" "}
          <Time at={failing_since!} />, so pages say “domain no longer verified”. It is not checked
          any longer, because its next owner could publish the same proof. Check it only after the
          issuer has told you that the domain is still its own; otherwise, remove it.
        </p>
      );
    default:
      return <p>Pages do not show it until a check has found the proof.</p>;
  }
}

const DNS: Record<NonNullable<IssuerDomain["outcome"]>["dns"], string> = {
  found: "the TXT record is there",
  other: "there are TXT records, but none with this text",
  absent: "there is no TXT record",
  no_answer: "the name servers did not respond in time",
};

const FILE: Record<NonNullable<NonNullable<IssuerDomain["outcome"]>["file"]>, string> = {
  found: "the file is there",
  other: "the file has no line with this text",
  absent: "there is no such file",
  redirect: "the server redirects to another address, which is not followed",
  too_long: "the file is longer than 4 KiB",
  no_address: "the domain has no address",
  private_address: "the domain’s address is not a public one",
  no_answer: "the server could not be reached with HTTPS, or its certificate is not valid",
};

const LastCheck = ({ domain: { checked_at, outcome } }: { domain: IssuerDomain }) =>
  checked_at === null || outcome === null ? null : (
    <p role="status">
      Last checked <Time at={checked_at} />: {DNS[outcome.dns]}
      {outcome.file !== null && `, and ${FILE[outcome.file]}`}.
    </p>
  );

/** The record that the issuer has to publish. */
function Instructions({ view, domain }: { view: IssuerView; domain: IssuerDomain }) {
  const isNew = domain.verified_at === null;
  const text = proofTextOf(domain);
  const ways: [title: string, where: ComponentChildren, code: string][] = [
    ["A TXT record in the DNS", "Name", recordNameOf(domain.name)],
    ["Or a text file on its web server", "Address", fileUrlOf(domain.name)],
  ];
  return (
    <details class="above-4" open={isNew || domain.failing_since !== null}>
      <summary>How the issuer proves it</summary>
      <p>
        Send these instructions to the issuer. It publishes either of the two, and leaves it there:
        the domain is checked again every week. If it is missing for{" "}
        {inDays(GRACE_MS)}, pages say “domain no longer verified”.
      </p>
      {ways.map(([title, where, code]) => (
        <div key={code}>
          <h3 class="text-medium">{title}</h3>
          <p class="flush">{where}</p>
          <CodeSample code={code} />
          <p class="flush">Content</p>
          <CodeSample code={text} />
        </div>
      ))}
      {view.state.services.config.env === "development" && (
        <p class="note">
          In development, every domain below <code>.example</code>{" "}
          counts as proved, except those whose first label is <code>unverified</code>.
        </p>
      )}
    </details>
  );
}
