export { Backdrop as default } from "../components/auth/Backdrop.tsx";
