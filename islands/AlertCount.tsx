export { AlertCount as default } from "../components/console/AlertCount.tsx";
