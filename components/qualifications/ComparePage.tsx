/** The page `/compare` of the qualification site. */
import type { ComponentChildren, JSX } from "preact";
import { asset, Head } from "fresh/runtime";
import { renderToString } from "preact-render-to-string";
import { compareUrl, relationOf, type Side } from "../../lib/features/qualifications/comparison.ts";
import { type Catalogue, successionOf } from "../../lib/features/qualifications/mod.ts";
import {
  packageName,
  type Qualification,
} from "../../lib/features/qualifications/qualification.ts";
import type { State } from "../../lib/app/state.ts";
import { siteHomePath } from "../navigation.ts";
import { registerUrl } from "./register.ts";
import { StatusPill } from "./Results.tsx";

/** Two qualifications next to each other, and a form to choose them. */
export function ComparePage({ state, a, b }: { state: State; a: Side; b: Side }) {
  const { catalogue, config, html } = state.services;
  const codes = html.getOrAdd("codes", () => renderToString(<Codes all={catalogue.all} />));
  const [left, right] = [a.qualification, b.qualification];
  const home = siteHomePath(state.surface);
  const title = left && right ? `${left.code} and ${right.code}` : "Compare two qualifications";
  return (
    <article class="compare">
      <Head>
        <title>{`${title} · ${config.productName}`}</title>
        <meta name="robots" content="noindex" />
        <link key="styles" rel="stylesheet" href={asset("/styles/pages/qualifications.css")} />
      </Head>
      <nav class="wrap trail gap-2 muted text-small" aria-label="Breadcrumb">
        <a href={home}>Qualifications</a>
        <span aria-hidden="true">/</span>
        <span>Compare</span>
      </nav>
      <h1 class="below-5">Compare two qualifications</h1>
      <form class="compare-form stack top gap-4 below-6" action="/compare">
        <CodeField name="a" label="First" side={a} />
        <CodeField name="b" label="Second" side={b} />
        <button type="submit" class="button primary">Compare</button>
        <datalist id="codes" dangerouslySetInnerHTML={{ __html: codes }} />
      </form>
      {left && right
        ? <Comparison catalogue={catalogue} left={left} right={right} />
        : (
          <p class="muted">
            Enter two codes, such as TAE40116 and TAE40122, or select two results of{" "}
            <a href={home}>a search</a>. <a href={compareUrl("TAE40116", "TAE40122")}>An example</a>
          </p>
        )}
    </article>
  );
}

const Codes = ({ all }: { all: readonly Qualification[] }) => (
  <>
    {all.map(({ code, title }) => <option key={code} value={code}>{title}</option>)}
  </>
);

function CodeField({ name, label, side }: { name: string; label: string; side: Side }) {
  const unknown = side.code !== "" && side.qualification === undefined;
  const input: JSX.InputHTMLAttributes<HTMLInputElement> = {
    id: `code-${name}`,
    name,
    defaultValue: side.qualification?.code ?? side.code,
    list: "codes",
    maxLength: 20,
    required: true,
    autocomplete: "off",
    spellcheck: false,
    ...unknown && { "aria-invalid": "true", "aria-describedby": `problem-${name}` },
  };
  return (
    <div class="field flush">
      <label for={`code-${name}`}>{label} code</label>
      <input {...input} />
      {unknown && (
        <span class="problem" id={`problem-${name}`}>
          This catalogue has no qualification with this code.
        </span>
      )}
    </div>
  );
}

interface Row {
  name: string;
  cell: (qualification: Qualification) => ComponentChildren;
  /** Returns the value that the row compares. Rows without it are never marked. */
  value?: (qualification: Qualification) => unknown;
}

function rowsOf(catalogue: Catalogue): Row[] {
  const latest = (each: Qualification) => successionOf(catalogue, each).successors.at(-1) ?? each;
  const pathOf = (each: Qualification) => {
    const { earlier, predecessors, successors } = successionOf(catalogue, each);
    return [...earlier, ...predecessors, each, ...successors];
  };
  return [
    { name: "Title", cell: ({ title }) => title, value: ({ title }) => title },
    {
      name: "Level",
      cell: ({ aqf_level, level_name }) => `AQF level ${aqf_level}, ${level_name}`,
      value: ({ aqf_level }) => aqf_level,
    },
    {
      name: "Training package",
      cell: (each) => `${each.training_package.code} ${packageName(each)}`,
      value: ({ training_package }) => training_package.code,
    },
    {
      name: "Status",
      cell: ({ status }) => <StatusPill status={status} />,
      value: ({ status }) => status,
    },
    {
      name: "Current version",
      cell: (each) => {
        const { code } = latest(each);
        return code === each.code ? "This one" : <a href={`/qualifications/${code}`}>{code}</a>;
      },
      value: (each) => latest(each).code,
    },
    {
      name: "Line of succession",
      cell: (each) => pathOf(each).map(({ code }) => code).join(" → "),
      value: (each) => pathOf(each).map(({ code }) => code).join(),
    },
    {
      name: "Units of competency",
      cell: ({ code }) => (
        <>
          Not published here. <a href={registerUrl(code)}>See {code} in the national register</a>
        </>
      ),
    },
  ];
}

function Comparison(
  { catalogue, left, right }: { catalogue: Catalogue; left: Qualification; right: Qualification },
) {
  return (
    <>
      <p class="lead">{relationText(catalogue, left, right)}</p>
      <table class="box compare-table full-width">
        <thead>
          <tr>
            <th scope="col">
              <span class="visually-hidden">Property</span>
            </th>
            {[left, right].map(({ code }) => (
              <th scope="col">
                <a href={`/qualifications/${code}`}>{code}</a>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rowsOf(catalogue).map(({ name, cell, value }) => {
            const differs = value !== undefined && value(left) !== value(right);
            return (
              <tr key={name} class={differs ? "differs" : undefined}>
                <th scope="row">
                  {name} {differs && <small class="block accent">differs</small>}
                </th>
                <td>{cell(left)}</td>
                <td>{cell(right)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </>
  );
}

function relationText(catalogue: Catalogue, a: Qualification, b: Qualification): string {
  const relation = relationOf(catalogue, a, b);
  switch (relation.kind) {
    case "same":
      return "This is the same qualification twice.";
    case "succession": {
      const { older, newer, between } = relation;
      const codes = between.map(({ code }) => code).join(" and ");
      return between.length === 0
        ? `${newer.code} replaced ${older.code}.`
        : `${newer.code} replaced ${older.code}, with ${codes} in between.`;
    }
    case "merged":
      return `Both were replaced by ${relation.into.code}.`;
    case "none":
      return `Neither replaced the other: this catalogue lists them in separate lines of ` +
        "succession.";
  }
}
