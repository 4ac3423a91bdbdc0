export { FindForm as default } from "../components/FindForm.tsx";
