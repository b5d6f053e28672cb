import createEncoder from '@jsquash/jpeg/codec/enc/mozjpeg_enc.js';
import wasmBinary from '@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm';

type CreateEncoder = (options: { wasmBinary: Uint8Array; noInitialRun: boolean }) => Promise<{
  encode(
    rgba: Uint8ClampedArray,
    width: number,
    height: number,
    options: Record<string, unknown>,
  ): Uint8Array;
}>;

/** A baseline or progressive JPEG file of the image, RGB or gray, in the finest quality. */
export async function jpeg(
  rgba: Uint8ClampedArray,
  width: number,
  height: number,
  { gray = false, progressive = false } = {},
): Promise<Uint8Array> {
  const encoder = await (createEncoder as unknown as CreateEncoder)({ wasmBinary, noInitialRun: true });
  const bytes = encoder.encode(rgba, width, height, {
    quality: 100,
    baseline: !progressive,
    arithmetic: false,
    progressive,
    optimize_coding: true,
    smoothing: 0,
    color_space: gray ? 1 : 3,
    quant_table: 0,
    trellis_multipass: false,
    trellis_opt_zero: false,
    trellis_opt_table: false,
    trellis_loops: 1,
    auto_subsample: false,
    chroma_subsample: 1,
    separate_chroma_quality: false,
    chroma_quality: 100,
  });
  return new Uint8Array(bytes);
}
