import type { TourStep } from "../../lib/features/workbench/mod.ts";

/** The steps of the tour, each with its state: done, next or still to come. */
export function Tour({ steps }: { steps: readonly TourStep[] }) {
  const done = steps.filter((step) => step.done).length;
  const next = steps.find((step) => !step.done);
  return (
    <section class="tour" aria-labelledby="tour-title">
      <header class="tour-head">
        <h2 id="tour-title">The tour</h2>
        <p>{done === steps.length ? "All done." : `${done} of ${steps.length} steps done.`}</p>
        <progress max={steps.length} value={done} aria-hidden="true" />
      </header>
      <ol class="plain">
        {steps.map((step, i) => (
          <li key={step.id} class={step.done ? "done" : step === next ? "next" : undefined}>
            <span class="tour-mark" aria-hidden="true">{step.done ? "✓" : i + 1}</span>
            <div>
              <h3>
                {step.title}
                {step.done && <span class="visually-hidden">: done</span>}
              </h3>
              <p>{step.how}</p>
              <p class="muted">{step.why}</p>
            </div>
            {step.href !== null && (
              <a
                id={`tour-${step.id}`}
                class={step === next ? "button small primary" : "button small"}
                href={step.href}
              >
                {step.link}
              </a>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
