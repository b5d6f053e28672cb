/** A decoder compiled to WebAssembly; what it gives is RGBA, or null where it gives up. */
export interface WasmDecoder<Options extends unknown[]> {
  decode(
    bytes: Uint8Array,
    ...options: Options
  ): { width: number; height: number; data: ArrayLike<number> } | null;
}

/** The part of such a module's interface that is used; its own types need a browser's. */
type CreateDecoder<Options extends unknown[]> = (options: {
  wasmBinary: Uint8Array;
  noInitialRun: boolean;
  print(text: string): void;
  printErr(text: string): void;
}) => Promise<WasmDecoder<Options>>;

/**
 * Starts a decoder from its module's `create` and its code; `complain` hears what it prints. For one picture alone: one
 * that has met a damaged file is in an unknown state, and memory it grew to is never given back.
 */
export async function startDecoder<Options extends unknown[] = []>(
  create: unknown,
  wasmBinary: Uint8Array,
  complain: (text: string) => void = () => undefined,
): Promise<WasmDecoder<Options>> {
  return (create as CreateDecoder<Options>)({
    wasmBinary,
    noInitialRun: true,
    print: complain,
    printErr: complain,
  });
}
