export default () => <h1>Archive</h1>;
