export { QualificationSearch as default } from "../components/qualifications/QualificationSearch.tsx";
