export { SharedLink as default } from "../components/documents/SharedLink.tsx";
