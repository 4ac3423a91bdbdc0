export { CodeForm as default } from "../components/codes/CodeForm.tsx";
