/** The hook behind the buttons that save qualifications and searches. */
import { useSignal } from "@preact/signals";
import type { SavedMarks } from "./Results.tsx";

const FAILED = "This could not be saved. Try again in a moment.";

/** Keeps what is saved, and saves without loading a page. Without JavaScript, the form is posted. */
export function useSaved(initial: SavedMarks | null) {
  const marks = useSignal(initial);
  const problem = useSignal<string | null>(null);

  const onSubmit = async (event: SubmitEvent) => {
    const { name, value } = event.submitter as HTMLButtonElement;
    event.preventDefault();
    problem.value = await post(name, value);
    if (problem.value === null) marks.value = marks.value && changed(marks.value, name, value);
  };

  /** Returns what went wrong, or null. */
  async function post(name: string, value: string): Promise<string | null> {
    try {
      const response = await fetch("/account/saved", {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json" },
        body: JSON.stringify({ [name]: value }),
      });
      if (response.ok) return null;
      if (response.status === 401) location.assign("/auth");
      return (await response.json()).message ?? FAILED;
    } catch {
      return FAILED;
    }
  }
  return { marks, problem, onSubmit };
}

function changed({ codes, searches }: SavedMarks, name: string, value: string): SavedMarks {
  switch (name) {
    case "save":
      return { codes: [...codes, value], searches };
    case "remove":
      return { codes: codes.filter((code) => code !== value), searches };
    default:
      return { codes, searches: [...searches, value] };
  }
}
