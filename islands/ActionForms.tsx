export { ActionForms as default } from "../components/ActionForms.tsx";
