export { ContactForm as default } from "../components/contact/ContactForm.tsx";
