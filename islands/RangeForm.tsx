export { RangeForm as default } from "../components/console/RangeForm.tsx";
