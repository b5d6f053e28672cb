/** WebAssembly memory. It must not grow while views of it are in use. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
}

export interface WasmGlobal {
  readonly value: number;
}

/** The part of WebAssembly in use; no type library covers both threads and tests. */
interface WebAssemblyApi {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { readonly exports: unknown };
}

/** A kernel compiled to WebAssembly without imports. The engine compiles it on first use. */
export class WasmModule<Exports> {
  private compiled: object | undefined;

  constructor(private readonly bytes: Uint8Array) {}

  /**
   * Starts the module with its own memory and passes its exports to `make`. Returns undefined if
   * WebAssembly or its 128-bit operations are missing, or it gets no memory: the caller then does
   * the work in JavaScript.
   */
  start<T>(make: (exports: Exports) => T): T | undefined {
    const { WebAssembly } = globalThis as { WebAssembly?: WebAssemblyApi };
    if (!WebAssembly) return undefined;
    try {
      this.compiled ??= new WebAssembly.Module(this.bytes);
      const { exports } = new WebAssembly.Instance(this.compiled);
      return make(exports as Exports);
    } catch {
      return undefined;
    }
  }
}
