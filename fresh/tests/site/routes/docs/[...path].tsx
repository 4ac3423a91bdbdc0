import type { PageProps } from "fresh";

export default ({ params }: PageProps) => <h1>Docs {params.path}</h1>;
