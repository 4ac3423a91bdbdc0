export { PasskeyPrompt as default } from "../components/passkeys/PasskeyPrompt.tsx";
