import { CodeBlock, type CodeBlockProps } from "../components/CodeBlock.tsx";

/** A code block with a working copy button. */
export default function CopyCode(props: CodeBlockProps) {
  return <CodeBlock {...props} />;
}
