/**
 * A text of which so much is typed. The rest has its place already, so that no word jumps to the
 * next line while it is typed.
 */
export function Typed({ text, count, busy }: { text: string; count: number; busy: boolean }) {
  if (!busy && count >= text.length) return <>{text}</>;
  return (
    <>
      {text.slice(0, count)}
      {busy && <span class="cursor" />}
      <span class="untyped">{text.slice(count)}</span>
    </>
  );
}
