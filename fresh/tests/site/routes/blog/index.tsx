export default () => <h1>Blog</h1>;
