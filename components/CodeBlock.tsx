import { useRef } from "preact/hooks";
import { CopyButton } from "./CopyButton.tsx";

export interface CodeBlockProps {
  label: string;
  code: string;
}

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
