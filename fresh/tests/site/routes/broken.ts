export const handler = () => {
  throw new Error("detail");
};
