export { SharedDocument as default } from "../components/documents/SharedDocument.tsx";
