import { useEffect, useState } from "preact/hooks";

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
      ask(form, event.submitter).catch(reportError).finally(() => asking = false);
    };
    const ask = async (form: HTMLFormElement, submitter: HTMLElement | null) => {
      const { usePasskey } = await import("./console_passkeys.ts");
      const outcome = await usePasskey();
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
