import { useRef } from "preact/hooks";
import { CopyButton } from "./CopyButton.tsx";

export interface CodeBlockProps {
  label: string;
  code: string;
}

export function CodeBlock({ label, code }: CodeBlockProps) {
  const source = useRef<HTMLElement>(null);
  return (
    <figure class="code-block stack framed rounded">
      <figcaption class="cluster muted text-small">{label}</figcaption>
      <CopyButton text={code} source={source} />
      <pre class="pad-3-4 flush ruled anywhere"><code ref={source}>{code}</code></pre>
    </figure>
  );
}
