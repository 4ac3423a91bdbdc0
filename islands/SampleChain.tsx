export { SampleChain as default } from "../components/marketing/SampleChain.tsx";
