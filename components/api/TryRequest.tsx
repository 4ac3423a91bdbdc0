/** The island on the API's start page with which visitors search qualifications through the API. */
import { useRef, useState } from "preact/hooks";
import { Answer, type Outcome } from "../Answer.tsx";
import { CodeBlock } from "../CodeBlock.tsx";

export interface TryRequestProps {
  baseUrl: string;
  /** The words of the first search. */
  words: string;
  /** The response to the first search, so that it is also shown without scripts. */
  response: string;
}

const PATH = "/api/qualifications";

/** A first request to the API with its response. With scripts, the request can be changed and sent. */
export function TryRequest({ baseUrl, words, response }: TryRequestProps) {
  const [text, setText] = useState(words);
  const [busy, setBusy] = useState(false);
  const round = useRef(0);
  const [outcome, setOutcome] = useState<Outcome>({
    kind: "result",
    title: "Response",
    timing: null,
    text: response,
  });
  const path = `${PATH}?${new URLSearchParams({ q: text, limit: "1" })}`;

  const send = async (event: Event) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    const outcome = await request(path);
    round.current++;
    setOutcome(outcome);
    setBusy(false);
  };
  return (
    <div class="try box">
      <CodeBlock label="A first request" code={`curl '${baseUrl}${path}'`} />
      <form class="try-form bottom" aria-label="First request" onSubmit={send}>
        <div class="field">
          <label for="first-q">
            <code>q</code>
          </label>
          <input
            id="first-q"
            name="q"
            value={text}
            maxLength={100}
            autocomplete="off"
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </div>
        <div class="wrap try-actions gap-3">
          <button type="submit" class="button primary small anywhere" aria-busy={busy}>Send</button>
        </div>
      </form>
      <div class="screen-only" role="status">
        <Answer key={round.current} outcome={outcome} of={`GET ${PATH}`} />
      </div>
    </div>
  );
}

/** Sends the request, and explains an error. Never throws. */
async function request(path: string): Promise<Outcome> {
  const start = performance.now();
  try {
    const response = await fetch(path, {
      headers: { accept: "application/json" },
      signal: AbortSignal.timeout(20_000),
    });
    const text = JSON.stringify(await response.json(), null, 2);
    const timing = `HTTP ${response.status} · ${Math.round(performance.now() - start)} ms`;
    return response.ok
      ? { kind: "result", title: "Response", timing, text }
      : { kind: "failure", title: "Error", timing, text };
  } catch {
    const text = "The server could not be reached. Check your connection, and try again.";
    return { kind: "refused", title: "No connection", timing: null, text };
  }
}
