/** A WebAssembly binary, embedded by esbuild's binary loader. */
declare module '*.wasm' {
  const bytes: Uint8Array;
  export default bytes;
}
