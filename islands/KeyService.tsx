export { KeyService as default } from "../components/records/KeyService.tsx";
