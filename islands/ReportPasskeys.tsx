export { ReportPasskeys as default } from "../components/passkeys/ReportPasskeys.tsx";
