/** A problem of a form, with the target of its link. */
export interface SummaryProblem {
  text: string;
  /** The id of the field or the place that it concerns. */
  target?: string;
}

/**
 * The problems of a form that was refused, at the top of its page. It gets the focus, so that nobody overlooks
 * them, with scripts or without. The title of such a page begins with “Error:”.
 */
export const ErrorSummary = (
  { problems, more }: {
    problems: readonly SummaryProblem[];
    /** A last line, such as how many there are. */
    more?: SummaryProblem;
  },
) => (
  <section
    class="error-summary pad-3-4 below-5 round"
    role="alert"
    tabindex={-1}
    autofocus
    aria-labelledby="error-summary"
  >
    <h2 id="error-summary" class="flush">There is a problem</h2>
    <ul>
      {[...problems, ...more === undefined ? [] : [more]].map(({ text, target }, i) => (
        <li key={i} class="anywhere">
          {target === undefined ? text : <a href={`#${target}`}>{text}</a>}
        </li>
      ))}
    </ul>
  </section>
);
