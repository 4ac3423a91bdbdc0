export { PrintButton as default } from "../components/PrintButton.tsx";
