import { CodeBlock, type CodeBlockProps } from "../components/CodeBlock.tsx";

/** A code block whose copy button works; without scripts it is the same block without a button. */
export default function CopyCode(props: CodeBlockProps) {
  return <CodeBlock {...props} />;
}
