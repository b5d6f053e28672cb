/** The part of the LERC decoder in use; its package has no types. */
declare module 'lerc' {
  interface Decoded {
    /** The samples; a single array if channels are interleaved. */
    pixels: (
      | Int8Array
      | Uint8Array
      | Int16Array
      | Uint16Array
      | Int32Array
      | Uint32Array
      | Float32Array
      | Float64Array
    )[];
    /** 1 for each valid pixel; absent if all pixels are valid. */
    mask?: Uint8Array | null;
  }
  const Lerc: {
    decode(data: ArrayBuffer, options: { returnPixelInterleavedDims: boolean }): Decoded;
  };
  export default Lerc;
}
