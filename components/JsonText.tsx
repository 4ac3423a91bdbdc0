import { Fragment } from "preact";

const TOKEN =
  /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)\b|([^"\w-]+|.)/gs;

/** Text with the keys and values of JSON in colour. Other text is shown as it is. */
export function JsonText({ text }: { text: string }) {
  if (!/^\s*[[{]/.test(text)) return <>{text}</>;
  return (
    <>
      {[...text.matchAll(TOKEN)].map(([token, string, colon, literal], i) => {
        if (string !== undefined && colon !== undefined) {
          return [<span key={i} class="json-key">{string}</span>, colon];
        }
        if (literal !== undefined) return <span key={i} class="json-literal">{literal}</span>;
        return <Fragment key={i}>{token}</Fragment>;
      })}
    </>
  );
}
