import { HttpError, type PageProps } from "fresh";

export default function Failed({ error }: PageProps) {
  return <p>root error {error instanceof HttpError ? error.status : "unknown"}</p>;
}
