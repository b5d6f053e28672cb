/** TIFF's numbers of the compressions that are read. */
export const Compression = {
  none: 1,
  lzw: 5,
  jpeg: 7,
  deflate: 8,
  packBits: 32773,
  oldDeflate: 32946,
  lerc: 34887,
  zstandard: 50000,
  webp: 50001,
} as const;

/** Compressions by their TIFF numbers. */
const NAMES: ReadonlyMap<number, string> = new Map([
  [1, 'none'],
  [2, 'CCITT modified Huffman'],
  [3, 'CCITT Group 3 fax'],
  [4, 'CCITT Group 4 fax'],
  [5, 'LZW'],
  [6, 'old-style JPEG'],
  [7, 'JPEG'],
  [8, 'Deflate'],
  [32773, 'PackBits'],
  [32946, 'Deflate'],
  [33003, 'JPEG 2000 (Aperio, YCbCr)'],
  [33004, 'JPEG 2000 (Aperio)'],
  [33005, 'JPEG 2000 (Aperio, RGB)'],
  [34712, 'JPEG 2000'],
  [34887, 'LERC'],
  [34892, 'lossy JPEG (DNG)'],
  [34925, 'LZMA'],
  [34933, 'PNG'],
  [34934, 'JPEG XR'],
  [22610, 'JPEG XR'],
  [50000, 'Zstandard'],
  [34926, 'Zstandard (old number)'],
  [50001, 'WebP'],
  [34927, 'WebP (old number)'],
  [50002, 'JPEG XL'],
  [52546, 'JPEG XL'],
]);

const READ: ReadonlySet<number> = new Set(Object.values(Compression));

export function compressionName(compression: number): string {
  return NAMES.get(compression) ?? `number ${compression}`;
}

export function isReadable(compression: number): boolean {
  return READ.has(compression);
}
