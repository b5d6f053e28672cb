/** A decoder compiled to WebAssembly; it returns RGBA, or null when it fails. */
export interface WasmDecoder<Options extends unknown[]> {
  decode(
    bytes: Uint8Array,
    ...options: Options
  ): { width: number; height: number; data: ArrayLike<number> } | null;
}

/** The part of its module's interface that is used; the package's types need the DOM's. */
type CreateDecoder<Options extends unknown[]> = (options: {
  wasmBinary: Uint8Array;
  noInitialRun: boolean;
  print(text: string): void;
  printErr(text: string): void;
}) => Promise<WasmDecoder<Options>>;

/**
 * Starts a decoder from its module's `create` and its code; `onMessage` gets what it prints. Use it for one image only: after
 * a damaged file it is in an unknown state, and it never frees the memory it has grown to.
 */
export async function startDecoder<Options extends unknown[] = []>(
  create: unknown,
  wasmBinary: Uint8Array,
  onMessage: (text: string) => void = () => undefined,
): Promise<WasmDecoder<Options>> {
  return (create as CreateDecoder<Options>)({
    wasmBinary,
    noInitialRun: true,
    print: onMessage,
    printErr: onMessage,
  });
}
