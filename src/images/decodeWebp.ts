import { reason } from '../base/reasons';
import { checkRasterSize, type Raster } from './raster';
import { unreadableRaster } from './unreadableRaster';
import { decodeWebpPixels, readWebpHeader } from './webpPixels';

/** Decodes a WebP file to RGB, with alpha where it has any. */
export async function decodeWebp(bytes: Uint8Array, fileName: string, maxSamples: number): Promise<Raster> {
  const header = readWebpHeader(bytes);
  if (!header) throw unreadableRaster(fileName, reason('header-cut-off'));
  const { width, height, exif } = header;
  checkRasterSize(fileName, width, height, 4, maxSamples);
  const { data } = await decodeWebpPixels(bytes, maxSamples);
  let opaque = true;
  for (let i = 3; opaque && i < data.length; i += 4) opaque = data[i] === 255;
  const channels = opaque ? 3 : 4;
  const samples = opaque ? new Uint8Array(width * height * 3) : data;
  if (opaque)
    for (let i = 0; i < width * height; i++)
      for (let c = 0; c < 3; c++) samples[i * 3 + c] = data[i * 4 + c] ?? 0;
  return {
    width,
    height,
    channels,
    bitsPerSample: 8,
    samples,
    photometric: 'rgb',
    ...(opaque ? {} : { alpha: 3 }),
    notes: exif ? [reason('exif-not-applied')] : [],
  };
}
