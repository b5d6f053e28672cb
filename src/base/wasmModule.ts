/** A memory of WebAssembly, which may not grow while views of it are in use. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
}

export interface WasmGlobal {
  readonly value: number;
}

/** The part of WebAssembly that is used. No library types cover both threads and tests. */
interface WebAssemblyApi {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { readonly exports: unknown };
}

/** A kernel compiled to WebAssembly without imports. The engine compiles it on first use. */
export class WasmModule<Exports> {
  private compiled: object | undefined;

  constructor(private readonly bytes: Uint8Array) {}

  /**
   * Starts the module with its own memory, and returns what `make` makes of its exports; undefined
   * if WebAssembly is missing, has no operations on 16 bytes, or gets no memory: JavaScript then
   * does the work.
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
