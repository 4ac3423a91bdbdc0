export { FileFormGate as default } from "../components/passkeys/FileFormGate.tsx";
