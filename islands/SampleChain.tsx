export { SampleChain as default } from "../components/trust_pages/SampleChain.tsx";
