export { PasskeySignIn as default } from "../components/passkeys/PasskeySignIn.tsx";
