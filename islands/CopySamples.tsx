export { CopySamples as default } from "../components/CopySamples.tsx";
