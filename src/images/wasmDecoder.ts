/** A decoder compiled to WebAssembly; returns RGBA, or null if it fails. */
export interface WasmDecoder<Options extends unknown[]> {
  decode(
    bytes: Uint8Array,
    ...options: Options
  ): { width: number; height: number; data: ArrayLike<number> } | null;
}

/** The part of WebAssembly in use; no type library covers both threads and tests. */
interface WebAssemblyApi {
  compile(bytes: Uint8Array): Promise<object>;
  Instance: new (module: object, imports: unknown) => { readonly exports: unknown };
}

/** Start options of Emscripten's modules; the types of the packages would need the DOM. */
interface CodecOptions {
  noInitialRun: boolean;
  print(text: string): void;
  printErr(text: string): void;
  instantiateWasm(imports: unknown, receive: (instance: unknown, module: unknown) => void): unknown;
}

/**
 * A codec's code, compiled once for many starts. A codec must restart after a damaged file, because
 * its state is unknown, and to free memory.
 */
export class WasmCode {
  private compiled: Promise<object> | undefined;

  /** `load` imports the binary on demand, because most threads never need it. */
  constructor(private readonly load: () => Promise<Uint8Array>) {}

  /** Starts the module by `create`; `onMessage` gets its output. */
  async start<Codec>(create: unknown, onMessage: (text: string) => void = () => undefined): Promise<Codec> {
    const { WebAssembly } = globalThis as unknown as { WebAssembly: WebAssemblyApi };
    this.compiled ??= this.load().then(bytes => WebAssembly.compile(bytes));
    // Compile again next time: memory may have been short only briefly.
    const module = await this.compiled.catch((error: unknown) => {
      this.compiled = undefined;
      throw error;
    });
    return (create as (options: CodecOptions) => Promise<Codec>)({
      noInitialRun: true,
      print: onMessage,
      printErr: onMessage,
      instantiateWasm: (imports, receive) => {
        const instance = new WebAssembly.Instance(module, imports);
        receive(instance, module);
        return instance.exports;
      },
    });
  }
}
