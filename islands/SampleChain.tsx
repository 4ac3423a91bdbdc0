export { SampleChain as default } from "../components/sample_chain/SampleChain.tsx";
