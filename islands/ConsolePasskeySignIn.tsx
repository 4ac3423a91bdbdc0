export { ConsolePasskeySignIn as default } from "../components/operator_passkeys/ConsolePasskeySignIn.tsx";
