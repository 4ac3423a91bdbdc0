export { AddPasskey as default } from "../components/passkeys/AddPasskey.tsx";
