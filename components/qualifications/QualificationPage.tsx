import { asset, Head } from "fresh/runtime";
import { searchUrl } from "../../lib/qualifications/filters.ts";
import type { Succession } from "../../lib/qualifications/mod.ts";
import { packageName, type Qualification } from "../../lib/qualifications/qualification.ts";
import type { State } from "../../lib/state.ts";
import { siteHomePath } from "../navigation.ts";
import { StatusPill } from "./Results.tsx";

export interface QualificationPageProps {
  state: State;
  qualification: Qualification;
  succession: Succession;
}

export function QualificationPage({ state, qualification, succession }: QualificationPageProps) {
  const { code, title, aqf_level, level_name, training_package, status } = qualification;
  const home = siteHomePath(state.surface);
  const packageUrl = searchUrl(home, { package: training_package.code });
  const latest = succession.successors.at(-1);
  return (
    <article>
      <QualificationHead state={state} qualification={qualification} />
      <nav class="trail" aria-label="Breadcrumb">
        <a href={home}>Qualifications</a>
        <span aria-hidden="true">/</span>
        <a href={packageUrl}>{packageName(qualification)}</a>
      </nav>
      <header class="qualification-head">
        <div>
          <p class="eyebrow">
            {code} <StatusPill status={status} />
          </p>
          <h1>{title}</h1>
          {latest !== undefined && (
            <p class="lead">
              Superseded. The {latest.status === "current" ? "current" : "latest"} qualification is
              {" "}
              <a href={`/qualifications/${latest.code}`}>{latest.code} {latest.title}</a>.
            </p>
          )}
        </div>
        {state.session
          ? (
            <a class="sign-up active" href="/account">
              <strong>Account</strong>
              <span>signed in</span>
            </a>
          )
          : (
            <a class="sign-up" href="/auth">
              <strong>Sign up</strong>
              <span>with your email</span>
            </a>
          )}
      </header>
      <dl class="facts qualification-facts">
        <dt>Level</dt>
        <dd>
          <a href={searchUrl(home, { level: aqf_level })}>AQF level {aqf_level}</a>, {level_name}
        </dd>
        <dt>Training package</dt>
        <dd>
          <a href={packageUrl}>{training_package.code} {training_package.title}</a>
        </dd>
        <dt>National register</dt>
        <dd>
          <a href={`https://training.gov.au/Training/Details/${code}`}>
            {code} on training.gov.au
          </a>, the authoritative source, which also lists its units
        </dd>
      </dl>
      {succession.predecessors.length + succession.successors.length > 0 && (
        <SuccessionList qualification={qualification} {...succession} />
      )}
    </article>
  );
}

function QualificationHead(
  { state, qualification }: { state: State; qualification: Qualification },
) {
  const { code, title, aqf_level, status, superseded_by } = qualification;
  const { productName } = state.services.config;
  const name = `${code} ${title}`;
  const url = `${state.surface.baseUrl}/qualifications/${code}`;
  const description = `${name}: ${packageName(qualification)}, AQF level ${aqf_level}, ` +
    (status === "current" ? "current." : `superseded by ${superseded_by}.`);
  return (
    <Head>
      <title>{`${name} · ${productName}`}</title>
      <meta name="description" content={description} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={productName} />
      <meta property="og:title" content={name} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={url} />
      <link key="canonical" rel="canonical" href={url} />
      <link key="styles" rel="stylesheet" href={asset("/styles/pages/qualifications.css")} />
    </Head>
  );
}

function SuccessionList(
  { qualification, predecessors, successors }: Succession & { qualification: Qualification },
) {
  return (
    <section class="succession" aria-labelledby="succession">
      <h2 id="succession">Succession</h2>
      <ol>
        {predecessors.map((each) => <Step key={each.code} label="Supersedes" {...each} />)}
        <Step label="This qualification" {...qualification} here />
        {successors.map((each, i) => (
          <Step key={each.code} label={i === 0 ? "Superseded by" : "Then by"} {...each} />
        ))}
      </ol>
    </section>
  );
}

function Step(
  { label, code, title, status, here = false }:
    & Pick<Qualification, "code" | "title" | "status">
    & { label: string; here?: boolean },
) {
  return (
    <li class={here ? "here" : undefined}>
      <span class="step-label">{label}</span>
      {here
        ? <span class="step-title">{code} {title}</span>
        : <a class="step-title" href={`/qualifications/${code}`}>{code} {title}</a>}
      <StatusPill status={status} />
    </li>
  );
}
