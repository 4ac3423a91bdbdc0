/** Shows the response to a request that a visitor tries out on a page, such as a call of an MCP tool. */
import { Fragment } from "preact";
import { useCountdown } from "./useCountdown.ts";

/** The result of a request from the page. */
export interface Outcome {
  kind: "result" | "failure" | "refused";
  title: string;
  /** The HTTP status and the time it took; null if there was no response. */
  timing: string | null;
  /** The result as text or formatted JSON, or an explanation of the error. */
  text: string;
  /** The whole JSON-RPC message around the result, if there is one. */
  raw?: string | null;
  waitSeconds?: number;
}

/**
 * The response to a request from the page.
 *
 * @param props.of the name of what was called
 */
export function Answer({ outcome, of }: { outcome: Outcome; of: string }) {
  const { kind, title, timing, text, raw, waitSeconds } = outcome;
  const isData = kind === "result" || /^\s*[[{]/.test(text);
  return (
    <section class={`answer pad-top-4 above-4 ruled ${kind}`} aria-label={`Response of ${of}`}>
      <p class="wrap apart gap-0-4 below-2">
        <strong>{title}</strong>
        {timing !== null && <span class="mono muted text-small">{timing}</span>}
      </p>
      {isData
        ? (
          <pre
            tabIndex={0}
            role="group"
            aria-label="Result"
          ><code><JsonText text={text} /></code></pre>
        )
        : <p class="below-2">{text}</p>}
      {waitSeconds !== undefined && <Wait seconds={waitSeconds} />}
      {raw && (
        <details>
          <summary>JSON-RPC message</summary>
          <pre
            tabIndex={0}
            role="group"
            aria-label="JSON-RPC message"
          ><code><JsonText text={raw} /></code></pre>
        </details>
      )}
    </section>
  );
}

/** Shows when calls are accepted again. Screen readers hear the first number only. */
function Wait({ seconds }: { seconds: number }) {
  const left = useCountdown(seconds, 0) ?? seconds;
  return (
    <p class="below-2" aria-live="off">
      {left === 0 ? "You can call again now." : `You can call again in ${left} s.`}
    </p>
  );
}

const TOKEN =
  /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)\b|([^"\w-]+|.)/gs;

/** Text with the keys and values of JSON in colour. Other text is shown as it is. */
function JsonText({ text }: { text: string }) {
  if (!/^\s*[[{]/.test(text)) return <>{text}</>;
  return (
    <>
      {[...text.matchAll(TOKEN)].map(([token, string, colon, literal], i) => {
        if (string !== undefined && colon !== undefined) {
          return [<span key={i} class="accent">{string}</span>, colon];
        }
        if (literal !== undefined) return <span key={i} class="json-literal">{literal}</span>;
        return <Fragment key={i}>{token}</Fragment>;
      })}
    </>
  );
}
