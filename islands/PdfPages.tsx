export { PdfPages as default } from "../components/documents/PdfPages.tsx";
