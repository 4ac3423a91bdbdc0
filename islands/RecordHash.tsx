export { RecordHash as default } from "../components/RecordHash.tsx";
