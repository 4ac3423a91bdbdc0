export { Ago as default } from "../components/Ago.tsx";
