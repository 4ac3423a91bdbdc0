import { useRef } from "preact/hooks";
import { CopyButton } from "./CopyButton.tsx";

/** Returns a hash as groups of four digits. */
export const groupsOf = (hash: string): string[] => hash.match(/.{1,4}/g) ?? [];

/** A record's hash in groups of four digits, with a button that copies it without the gaps. */
export function RecordHash({ hash }: { hash: string }) {
  const source = useRef<HTMLElement>(null);
  return (
    <div class="record-hash">
      <code class="stack" ref={source}>
        {groupsOf(hash).map((group, i) => <span key={i}>{group}</span>)}
      </code>
      <CopyButton text={hash} source={source} label="Copy" />
    </div>
  );
}
