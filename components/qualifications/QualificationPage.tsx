/** The page of one qualification: its facts, succession and buttons to save or compare it. */
import { asset, Head } from "fresh/runtime";
import { compareUrl } from "../../lib/features/qualifications/comparison.ts";
import { searchUrl } from "../../lib/features/qualifications/filters.ts";
import type { Succession } from "../../lib/features/qualifications/mod.ts";
import {
  packageName,
  type Qualification,
} from "../../lib/features/qualifications/qualification.ts";
import type { State } from "../../lib/app/state.ts";
import { siteHomePath } from "../navigation.ts";
import { registerUrl } from "./register.ts";
import { StatusPill } from "./Results.tsx";
import { SaveButton, SaveForm } from "./SaveButton.tsx";
import { SuccessionLine } from "./Succession.tsx";

export interface QualificationPageProps {
  state: State;
  qualification: Qualification;
  succession: Succession;
  /** True if the person who is signed in has saved it. */
  isSaved: boolean;
}

export function QualificationPage(
  { state, qualification, succession, isSaved }: QualificationPageProps,
) {
  const { code, title, aqf_level, level_name, training_package, status } = qualification;
  const home = siteHomePath(state.surface);
  const packageUrl = searchUrl(home, { package: training_package.code });
  const latest = succession.successors.at(-1);
  const relative = latest ?? succession.predecessors[0];
  const isInLine = relative !== undefined;
  return (
    <article>
      <QualificationHead state={state} qualification={qualification} />
      <nav class="wrap trail gap-2 muted text-small" aria-label="Breadcrumb">
        <a href={home}>Qualifications</a>
        <span aria-hidden="true">/</span>
        <a href={packageUrl}>{packageName(qualification)}</a>
      </nav>
      <header class="qualification-head stack top">
        <div>
          <p class="eyebrow cluster wraps gap-2-4">
            {code} <StatusPill status={status} />
          </p>
          <h1 class="flush">{title}</h1>
          {latest !== undefined && (
            <p class="lead">
              Superseded. The {latest.status === "current" ? "current" : "latest"} qualification is
              {" "}
              <a href={`/qualifications/${latest.code}`}>{latest.code} {latest.title}</a>.
            </p>
          )}
          <div class="wrap gap-3 above-5 screen-only">
            {state.session
              ? <SaveButton code={code} saved={isSaved} />
              : <a class="button small" href="/auth">Sign in to save</a>}
            <a class="button small" href={compareUrl(code, relative?.code)}>
              {relative === undefined ? "Compare" : `Compare with ${relative.code}`}
            </a>
          </div>
          {state.session && <SaveForm from={`/qualifications/${code}`} />}
        </div>
        {state.session
          ? (
            <a class="sign-up active screen-only" href="/account">
              <strong class="text-large">Account</strong>
              <span class="text-small">signed in</span>
            </a>
          )
          : (
            <a class="sign-up screen-only" href="/auth">
              <strong class="text-large">Sign up</strong>
              <span class="text-small">with your email</span>
            </a>
          )}
      </header>
      <dl class="facts box qualification-facts above-6">
        <dt>Level</dt>
        <dd>
          <a href={searchUrl(home, { level: aqf_level })}>AQF level {aqf_level}</a>, {level_name}
        </dd>
        <dt>Training package</dt>
        <dd>
          <a href={packageUrl}>{training_package.code} {training_package.title}</a>
        </dd>
        <dt>Units of competency</dt>
        <dd>
          Not published here. <a href={registerUrl(code)}>The national register lists them</a>.
        </dd>
        <dt>National register</dt>
        <dd>
          <a href={registerUrl(code)}>{code} on training.gov.au</a>, the authoritative source
        </dd>
      </dl>
      {isInLine
        ? <SuccessionLine qualification={qualification} {...succession} />
        : (
          <p class="muted">
            No predecessor or successor of {code} is in this catalogue.
          </p>
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
