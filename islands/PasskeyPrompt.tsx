export { PasskeyPrompt as default } from "../components/operator_passkeys/PasskeyPrompt.tsx";
