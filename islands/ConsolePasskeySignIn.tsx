export { ConsolePasskeySignIn as default } from "../components/passkeys/ConsolePasskeySignIn.tsx";
