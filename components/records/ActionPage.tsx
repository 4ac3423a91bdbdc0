import type { ComponentChildren } from "preact";
import { asset, Head } from "fresh/runtime";

/** A page below `/my-record` on which the holder reads or does one thing. */
export function ActionPage({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="prose record-action">
      <Head>
        <title>{`${title} · My record`}</title>
        <meta name="robots" content="noindex" />
        <link key="styles" rel="stylesheet" href={asset("/styles/pages/record_action.css")} />
      </Head>
      <p class="eyebrow">My record</p>
      <h1>{title}</h1>
      {children}
    </section>
  );
}

/** A link back to the record. */
export const BackToRecord = ({ text = "Back to my record" }: { text?: string }) => (
  <p>
    <a href="/my-record">{text}</a>
  </p>
);

/** The problems of a form that was refused, at the top of the page, where it has the focus. */
export function Problems({ problems }: { problems: readonly string[] }) {
  if (problems.length === 0) return null;
  return (
    <div class="record-problem" role="alert" tabindex={-1} autofocus>
      {problems.map((text) => <p key={text}>{text}</p>)}
    </div>
  );
}
