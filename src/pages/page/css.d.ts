/** esbuild bundles style sheets as text; the page injects them with its nonce. */
declare module '*.css' {
  const text: string;
  export default text;
}
