export { FormExample as default } from "../components/api/FormExample.tsx";
