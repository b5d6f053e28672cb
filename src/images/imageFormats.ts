import { isCoded, throwIfCanceled } from '../base/errors';
import { reason } from '../base/reasons';
import type { ImageFormat } from './imageSource';
import type { ByteSource } from './byteSource';
import { unreadableRaster } from './raster';
import { readFirstDirectory, Tag, tiffEncoding } from './tiff/tiffDirectory';

/*
 * Formats of which any part can be read. One is a folder beside this file that makes a
 * BackgroundImageSource of a file, and an entry here, which says how its files are told from
 * others; its code is loaded when the first of them is opened.
 */

/** The facts of a file that determine its format. */
interface FileHead {
  /** Its first bytes. */
  start: Uint8Array;
  /** Of a TIFF file, its first directory: whether it has a tag of Hamamatsu's, and its texts. */
  tiff?: { isHamamatsu: boolean; description: string; xmp: string };
}

interface KnownFormat {
  isOf(head: FileHead): boolean;
  load(): Promise<ImageFormat>;
}

/** In the order of trying: the first that matches a file is its format. */
const formats: readonly KnownFormat[] = [
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

/** Formats that the service takes and that aren't read here, by how their files begin. */
const UNREAD: readonly { name: string; begins: string }[] = [
  { name: 'Hamamatsu VMS', begins: '[Virtual Microscope Specimen]' },
  { name: 'Hamamatsu VMU', begins: '[Uncompressed Virtual Microscope Specimen]' },
  { name: 'Sakura SVSLIDE', begins: 'SQLite format 3\0' },
  { name: 'Zeiss CZI', begins: 'ZISRAWFILE' },
  { name: 'Nikon ND2', begins: '\xda\xce\xbe\x0a' },
  { name: 'Leica LIF', begins: '\x70\0\0\0' },
  { name: 'BMP', begins: 'BM' },
  { name: 'GIF', begins: 'GIF8' },
];

/** Bytes that identify a format. */
const HEAD_BYTES = 64;
/** Bytes of a text that are searched for what a scanner writes into it. */
const MAX_TEXT = 1 << 20;

/**
 * A file's format; undefined if it has to be decoded whole or is unknown. Throws `bad-request` with
 * the name of a known format that isn't read.
 */
export async function formatOf(
  file: ByteSource,
  fileName: string,
  signal?: AbortSignal,
): Promise<ImageFormat | undefined> {
  const start = await file.read(0, Math.min(HEAD_BYTES, file.size), signal);
  const beginning = String.fromCharCode(...start).replace(/^\xef\xbb\xbf/, '');
  const unread = UNREAD.find(({ begins }) => beginning.startsWith(begins));
  if (unread)
    throw unreadableRaster(fileName, reason("{0} files can be uploaded, but aren't shown here", unread.name));
  const head: FileHead = { start, ...(tiffEncoding(start) && { tiff: await tiffHead(file, signal) }) };
  return formats.find(format => format.isOf(head))?.load();
}

async function tiffHead(file: ByteSource, signal?: AbortSignal): Promise<NonNullable<FileHead['tiff']>> {
  const other = { isHamamatsu: false, description: '', xmp: '' };
  try {
    const first = await readFirstDirectory(file, signal);
    const isHamamatsu = first.encoding.ndpi === true;
    const text = async (tag: number) =>
      first.count(tag) <= MAX_TEXT ? await first.text(tag) : other.description;
    return { isHamamatsu, description: await text(Tag.imageDescription), xmp: await text(Tag.xmp) };
  } catch (error) {
    throwIfCanceled(signal);
    if (isCoded(error)) throw error;
    // The format of other TIFF files then reports the error.
    return other;
  }
}
