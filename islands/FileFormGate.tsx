export { FileFormGate as default } from "../components/operator_passkeys/FileFormGate.tsx";
