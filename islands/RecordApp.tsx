export { RecordApp as default } from "../components/record_app/RecordApp.tsx";
