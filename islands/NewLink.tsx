export { NewLink as default } from "../components/documents/NewLink.tsx";
