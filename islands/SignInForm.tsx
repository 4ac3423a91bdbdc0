export { SignInForm as default } from "../components/auth/SignInForm.tsx";
