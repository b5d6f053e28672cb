import { isCoded, throwIfCanceled } from '../base/errors';
import { reason } from '../base/reasons';
import type { ImageFormat } from './imageSource';
import type { ByteSource } from './byteSource';
import { unreadableRaster } from './raster';
import { readFirstDirectory, Tag, tiffEncoding } from './tiff/tiffDirectory';

/*
 * Formats that can be read in parts. Each has a folder beside this file, which makes a
 * BackgroundImageSource, and an entry in this list, which recognizes its files. The code of a
 * format is loaded when its first file is opened.
 */

/** The facts of a file that determine its format. */
interface FileHead {
  /** The first bytes of the file. */
  start: Uint8Array;
  /** The first directory of a TIFF file: its texts, and whether it has a tag of Hamamatsu's. */
  tiff?: { isHamamatsu: boolean; description: string; xmp: string };
}

interface FormatEntry {
  isOf(head: FileHead): boolean;
  load(): Promise<ImageFormat>;
}

/** In the order of trying: the first that matches a file is its format. */
const formats: readonly FormatEntry[] = [
  {
    isOf: ({ tiff }) => tiff?.isHamamatsu === true,
    load: async () => (await import('./ndpi/ndpiSlide')).ndpiFormat,
  },
  {
    isOf: ({ tiff }) => tiff?.description.includes('leica-microsystems.com/scn/') === true,
    load: async () => (await import('./scn/scnSlide')).scnFormat,
  },
  {
    isOf: ({ tiff }) => /<(?:\w+:)?iScan[\s>]/.test(tiff?.xmp ?? ''),
    load: async () => (await import('./bif/bifSlide')).bifFormat,
  },
  {
    isOf: ({ tiff }) => tiff !== undefined,
    load: async () => (await import('./tiff/tiffSource')).tiffFormat,
  },
];

/** Formats that the service accepts but that aren't read here, with the start of their files. */
const UNSUPPORTED: readonly { name: string; begins: string }[] = [
  { name: 'Hamamatsu VMS', begins: '[Virtual Microscope Specimen]' },
  { name: 'Hamamatsu VMU', begins: '[Uncompressed Virtual Microscope Specimen]' },
  { name: 'Sakura SVSLIDE', begins: 'SQLite format 3\0' },
  { name: 'Zeiss CZI', begins: 'ZISRAWFILE' },
  { name: 'Nikon ND2', begins: '\xda\xce\xbe\x0a' },
  { name: 'Leica LIF', begins: '\x70\0\0\0' },
  { name: 'BMP', begins: 'BM' },
  { name: 'GIF', begins: 'GIF8' },
];

/** Number of first bytes that identify a format. */
const HEAD_BYTES = 64;
/** Maximum bytes of a text that is searched for a scanner's name. */
const MAX_TEXT = 1 << 20;

/**
 * A file's format; undefined if it must be decoded whole or is unknown. Throws `bad-request` with
 * the name of an unsupported format.
 */
export async function formatOf(
  file: ByteSource,
  fileName: string,
  signal?: AbortSignal,
): Promise<ImageFormat | undefined> {
  const start = await file.read(0, Math.min(HEAD_BYTES, file.size), signal);
  const beginning = String.fromCharCode(...start).replace(/^\xef\xbb\xbf/, '');
  const unsupported = UNSUPPORTED.find(({ begins }) => beginning.startsWith(begins));
  if (unsupported)
    throw unreadableRaster(
      fileName,
      reason("{0} files can be uploaded, but aren't shown here", unsupported.name),
    );
  const head: FileHead = { start, ...(tiffEncoding(start) && { tiff: await tiffHead(file, signal) }) };
  return formats.find(format => format.isOf(head))?.load();
}

async function tiffHead(file: ByteSource, signal?: AbortSignal): Promise<NonNullable<FileHead['tiff']>> {
  const noHead = { isHamamatsu: false, description: '', xmp: '' };
  try {
    const first = await readFirstDirectory(file, signal);
    const isHamamatsu = first.encoding.ndpi === true;
    const text = async (tag: number) => (first.count(tag) <= MAX_TEXT ? await first.text(tag) : '');
    return { isHamamatsu, description: await text(Tag.imageDescription), xmp: await text(Tag.xmp) };
  } catch (error) {
    throwIfCanceled(signal);
    if (isCoded(error)) throw error;
    // The plain TIFF format then reports the error.
    return noHead;
  }
}
