import type { PageProps } from "fresh";

export default ({ params }: PageProps) => <h1>List {params.page}</h1>;
