/** esbuild bundles style sheets as text, which the page inserts with its nonce. */
declare module '*.css' {
  const text: string;
  export default text;
}
