export { RecordHash as default } from "../components/records/RecordHash.tsx";
