export { BatchProgress as default } from "../components/console/issuers/BatchProgress.tsx";
