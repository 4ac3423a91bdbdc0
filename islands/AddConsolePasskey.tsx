export { AddConsolePasskey as default } from "../components/operator_passkeys/AddConsolePasskey.tsx";
