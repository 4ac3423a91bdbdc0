export { SendAgain as default } from "../components/records/SendAgain.tsx";
