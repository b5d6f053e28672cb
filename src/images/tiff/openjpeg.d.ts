/** OpenJPEG compiled to WebAssembly; its package has no types. */
declare module '@cornerstonejs/codec-openjpeg/decodewasmjs' {
  export interface Jpeg2000Decoder {
    /** Allocates memory for a codestream of this many bytes. */
    getEncodedBuffer(bytes: number): Uint8Array;
    decode(): void;
    getFrameInfo(): { width: number; height: number; bitsPerSample: number; componentCount: number };
    /** 1 is sRGB. */
    getColorSpace(): number;
    /** Interleaved samples of one or two bytes, in the codec's memory. */
    getDecodedBuffer(): Uint8Array | Uint8ClampedArray;
    delete(): void;
  }
  export interface Jpeg2000Module {
    J2KDecoder: new () => Jpeg2000Decoder;
  }
  const create: unknown;
  export default create;
}

declare module '@cornerstonejs/codec-openjpeg/decodewasm' {
  const bytes: Uint8Array;
  export default bytes;
}
