export { RecordApp as default } from "../components/push/app/RecordApp.tsx";
