export { TryRequest as default } from "../components/api/TryRequest.tsx";
