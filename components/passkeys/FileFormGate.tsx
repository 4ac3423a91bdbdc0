import { useEffect, useState } from "preact/hooks";
import { usePasskey } from "./console_passkeys.ts";

/** How long before the gate closes a passkey is asked for, so that the upload arrives in time. */
const EARLY_MS = 60_000;

/**
 * Asks for a passkey before a form with a file is sent, if none was used recently. Other forms are sent,
 * and the page that asks for the passkey contains their fields, but it cannot contain a file.
 */
export function FileFormGate({ openMs }: { openMs: number }) {
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let openUntil = performance.now() + openMs;
    let asking = false;
    const guard = (event: SubmitEvent) => {
      const form = event.target as HTMLFormElement;
      if (form.enctype !== "multipart/form-data") return;
      if (performance.now() < openUntil - EARLY_MS) return;
      event.preventDefault();
      event.stopPropagation();
      if (asking) return;
      asking = true;
      setProblem(null);
      void ask(form, event.submitter); // it never rejects: a failed ceremony is an outcome
    };
    const ask = async (form: HTMLFormElement, submitter: HTMLElement | null) => {
      const outcome = await usePasskey();
      asking = false;
      if (outcome.state === "failed") return setProblem(outcome.text);
      if (outcome.state !== "done") return;
      openUntil = Infinity; // the next page has its own
      form.requestSubmit(submitter);
    };
    addEventListener("submit", guard, { capture: true });
    return () => removeEventListener("submit", guard, { capture: true });
  }, []);
  return <p role="alert" class="passkey-problem">{problem}</p>;
}
