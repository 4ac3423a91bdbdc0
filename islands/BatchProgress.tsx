export { BatchProgress as default } from "../components/issuing/BatchProgress.tsx";
