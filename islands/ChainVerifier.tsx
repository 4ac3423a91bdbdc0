export { ChainVerifier as default } from "../components/chain/ChainVerifier.tsx";
