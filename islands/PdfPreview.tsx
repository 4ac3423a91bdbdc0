export { PdfPreview as default } from "../components/documents/PdfPreview.tsx";
