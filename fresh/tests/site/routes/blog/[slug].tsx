import { HttpError, type PageProps } from "fresh";

export default function Post({ params }: PageProps) {
  if (params.slug === "missing") throw new HttpError(404);
  if (params.slug === "broken") throw new Error("detail");
  return <h1>Post {params.slug}</h1>;
}
