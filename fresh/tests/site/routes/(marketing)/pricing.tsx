import Deal from "./(_islands)/Deal.tsx";

export default () => (
  <div>
    <h1>Pricing</h1>
    <Deal />
  </div>
);
