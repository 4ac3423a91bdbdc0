export { FindForm as default } from "../components/documents/FindForm.tsx";
