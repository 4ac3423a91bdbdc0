export { PasskeyList as default } from "../components/passkeys/PasskeyList.tsx";
