import { useRef } from "preact/hooks";
import { CopyButton } from "./CopyButton.tsx";

export interface CodeBlockProps {
  /** What the text is for, above it. */
  label: string;
  /** The text, which is copied as it stands here. */
  code: string;
}

/** A text in monospace, to be read and copied. On a page it comes to life as `islands/CopyCode`. */
export function CodeBlock({ label, code }: CodeBlockProps) {
  const source = useRef<HTMLElement>(null);
  return (
    <figure class="code-block">
      <figcaption>{label}</figcaption>
      <CopyButton text={code} source={source} />
      <pre><code ref={source}>{code}</code></pre>
    </figure>
  );
}
