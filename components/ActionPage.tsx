/** The frame of the record holder's pages with one form, and what they show if it is refused or needs a sign-in. */
import type { ComponentChildren } from "preact";
import { asset, Head } from "fresh/runtime";
import { BackToRecord, type BesidePart, Columns } from "./RecordFrame.tsx";

/** A page below `/my-record` for a single action. */
export function ActionPage(
  { title, back = true, styles = "record_action", beside, children }: {
    title: string;
    /** True if it links back to the record. */
    back?: boolean;
    /** The stylesheet in `static/styles/pages`, which includes `record_action.css`. */
    styles?: string;
    /** The notes beside the column of text. */
    beside?: readonly BesidePart[];
    children: ComponentChildren;
  },
) {
  return (
    <div class="record-page narrow record-action">
      <Head>
        <title>{`${title} · My record`}</title>
        <meta name="robots" content="noindex" />
        <link key="styles" rel="stylesheet" href={asset(`/styles/pages/${styles}.css`)} />
      </Head>
      <Columns beside={beside}>
        {back && <BackToRecord />}
        <h1>{title}</h1>
        {children}
      </Columns>
    </div>
  );
}

/** The problem with a refused form, at the top of the page, where it gets the focus. */
export function Problem({ text }: { text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <div class="record-problem below-4 pad-4-5 round raised" role="alert" tabindex={-1} autofocus>
      <p>{text}</p>
    </div>
  );
}

/**
 * Replaces a form that needs a recent sign-in.
 *
 * @param props.page the name of the page to return to, such as `correct`
 */
export const SignInFirst = ({ page }: { page: string }) => (
  <div class="record-form">
    <p>For your safety, sign in again before you do this.</p>
    <p class="actions">
      <a class="button primary" href={`/my-record?again=${page}`}>Sign in again</a>
    </p>
  </div>
);
