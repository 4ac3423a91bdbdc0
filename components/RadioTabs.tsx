import { type ComponentChildren, Fragment } from "preact";

/**
 * Several contents of which one is shown, chosen by tabs. The tabs are radio buttons, so they need no
 * scripts. In print, all are shown.
 */
export function RadioTabs({ name, legend, tabs }: {
  /** Unique in the page. */
  name: string;
  legend: string;
  tabs: readonly { title: string; content: ComponentChildren }[];
}) {
  return (
    <fieldset class="wrap radio-tabs shrinks flush block-print">
      <legend class="visually-hidden">{legend}</legend>
      {tabs.map(({ title, content }, i) => (
        <Fragment key={title}>
          <input
            type="radio"
            class="visually-hidden"
            id={`${name}-${i}`}
            name={name}
            value={title}
            checked={i === 0}
          />
          <label class="muted text-medium" for={`${name}-${i}`}>{title}</label>
          <div class="tab-panel full-width block-print">{content}</div>
        </Fragment>
      ))}
    </fieldset>
  );
}
