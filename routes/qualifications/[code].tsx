import { HttpError, page } from "fresh";
import { siteHomePath } from "../../components/navigation.ts";
import { QualificationHead } from "../../components/qualifications/QualificationHead.tsx";
import { SignUpCircle } from "../../components/qualifications/SignUpCircle.tsx";
import { StatusPill } from "../../components/qualifications/StatusPill.tsx";
import { SuccessionList } from "../../components/qualifications/SuccessionList.tsx";
import { packageName } from "../../lib/qualifications/choices.ts";
import { addressOf } from "../../lib/qualifications/filters.ts";
import { successionOf } from "../../lib/qualifications/succession.ts";
import { define } from "../../lib/state.ts";

export const handler = define.handlers({
  GET(ctx) {
    const { catalogue } = ctx.state.services;
    const qualification = catalogue.get(ctx.params.code);
    if (qualification === undefined) throw new HttpError(404);
    const { code } = qualification;
    if (code !== ctx.params.code) return ctx.redirect(`/qualifications/${code}`, 301);
    return page({ qualification, succession: successionOf(catalogue, qualification) });
  },
});

/** One qualification. */
export default define.page<typeof handler>(({ data, state }) => {
  const { qualification, succession } = data;
  const { code, title, aqf_level, level_name, training_package, status } = qualification;
  const home = siteHomePath(state.surface);
  const inPackage = addressOf(home, { package: training_package.code });
  const current = succession.successors.at(-1);
  return (
    <article>
      <QualificationHead state={state} qualification={qualification} />
      <nav class="trail" aria-label="Where this stands">
        <a href={home}>Qualifications</a>
        <span aria-hidden="true">/</span>
        <a href={inPackage}>{packageName(qualification)}</a>
      </nav>
      <header class="qualification-head">
        <div>
          <p class="eyebrow">
            {code} <StatusPill status={status} />
          </p>
          <h1>{title}</h1>
          {current !== undefined && (
            <p class="lead">
              Superseded. {current.status === "current" ? "The current one is " : "After it came "}
              <a href={`/qualifications/${current.code}`}>{current.code} {current.title}</a>.
            </p>
          )}
        </div>
        <SignUpCircle signedIn={Boolean(state.session)} />
      </header>
      <dl class="facts qualification-facts">
        <dt>Level</dt>
        <dd>
          <a href={addressOf(home, { level: aqf_level })}>AQF level {aqf_level}</a>, {level_name}
        </dd>
        <dt>Training package</dt>
        <dd>
          <a href={inPackage}>{training_package.code} {training_package.title}</a>
        </dd>
        <dt>National register</dt>
        <dd>
          <a href={`https://training.gov.au/Training/Details/${code}`}>
            {code} on training.gov.au
          </a>, which has its units and is the authority
        </dd>
      </dl>
      {succession.predecessors.length + succession.successors.length > 0 && (
        <SuccessionList qualification={qualification} {...succession} />
      )}
    </article>
  );
});
