export { PrintAction as default } from "../components/documents/PrintAction.tsx";
