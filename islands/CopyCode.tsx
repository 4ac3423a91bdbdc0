export { CodeBlock as default } from "../components/CodeBlock.tsx";
