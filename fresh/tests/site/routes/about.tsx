import { createDefine, page } from "fresh";

const define = createDefine<unknown>();

export const handler = define.handlers({ GET: () => page({ name: "about" }) });

export default define.page<typeof handler>(({ data }) => <h1>{data.name}</h1>);
