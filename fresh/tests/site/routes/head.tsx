import Headed from "../islands/Headed.tsx";

export default () => <Headed />;
