/** The list of steps on the workbench's home page that introduces developers to the product. */
import type { TourStep } from "../../lib/features/workbench/mod.ts";

/** The steps of the tour, each with its state: done, next or still to come. */
export function Tour({ steps }: { steps: readonly TourStep[] }) {
  const done = steps.filter((step) => step.done).length;
  const next = steps.find((step) => !step.done);
  return (
    <section class="tour soft-framed on-card" aria-labelledby="tour-title">
      <header class="tour-head stack baseline">
        <h2 class="flush" id="tour-title">The tour</h2>
        <p class="flush muted text-small">
          {done === steps.length ? "All done." : `${done} of ${steps.length} steps done.`}
        </p>
        <progress class="flush full-width" max={steps.length} value={done} aria-hidden="true" />
      </header>
      <ol class="plain above-3">
        {steps.map((step, i) => (
          <li key={step.id} class={step.done ? "done" : step === next ? "next" : undefined}>
            <span class="tour-mark stack framed muted" aria-hidden="true">
              {step.done ? "✓" : i + 1}
            </span>
            <div>
              <h3 class="below-1">
                {step.title}
                {step.done && <span class="visually-hidden">: done</span>}
              </h3>
              <p class="flush text-medium">{step.how}</p>
              <p class="muted flush text-medium">{step.why}</p>
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
