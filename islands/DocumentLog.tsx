export { DocumentLog as default } from "../components/documents/DocumentLog.tsx";
