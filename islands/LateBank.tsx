export { LateBank as default } from "../components/console/LateBank.tsx";
