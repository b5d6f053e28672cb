/** A decoder compiled to WebAssembly; it returns RGBA, or null when it fails. */
export interface WasmDecoder<Options extends unknown[]> {
  decode(
    bytes: Uint8Array,
    ...options: Options
  ): { width: number; height: number; data: ArrayLike<number> } | null;
}

/** The part of WebAssembly that is used. No library types cover both threads and tests. */
interface WebAssemblyApi {
  compile(bytes: Uint8Array): Promise<object>;
  Instance: new (module: object, imports: unknown) => { readonly exports: unknown };
}

/** What Emscripten's modules take to be started; the packages' types need the DOM's. */
interface CodecOptions {
  noInitialRun: boolean;
  print(text: string): void;
  printErr(text: string): void;
  instantiateWasm(imports: unknown, receive: (instance: unknown, module: unknown) => void): unknown;
}

/**
 * A codec's code, compiled once for many starts: after a damaged file its state is unknown, and it
 * never frees memory.
 */
export class WasmCode {
  private compiled: Promise<object> | undefined;

  /** `load` imports the binary, which is a part of the bundle that most threads never need. */
  constructor(private readonly load: () => Promise<Uint8Array>) {}

  /** Starts the module that `create` makes; `onMessage` gets what it prints. */
  async start<Codec>(create: unknown, onMessage: (text: string) => void = () => undefined): Promise<Codec> {
    const { WebAssembly } = globalThis as unknown as { WebAssembly: WebAssemblyApi };
    this.compiled ??= this.load().then(bytes => WebAssembly.compile(bytes));
    // Memory may have been short for a moment.
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
