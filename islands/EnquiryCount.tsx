export { EnquiryCount as default } from "../components/console/AlertCount.tsx";
