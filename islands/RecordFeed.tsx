export { RecordFeed as default } from "../components/records/RecordFeed.tsx";
