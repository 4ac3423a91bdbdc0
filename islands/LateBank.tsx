export { LateBank as default } from "../components/bank/LateBank.tsx";
