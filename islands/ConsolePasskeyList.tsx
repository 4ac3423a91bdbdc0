export { ConsolePasskeyList as default } from "../components/operator_passkeys/ConsolePasskeyList.tsx";
