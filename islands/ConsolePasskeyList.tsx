export { ConsolePasskeyList as default } from "../components/passkeys/ConsolePasskeyList.tsx";
