export { AddConsolePasskey as default } from "../components/passkeys/AddConsolePasskey.tsx";
