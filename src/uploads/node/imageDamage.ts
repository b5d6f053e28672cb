import { open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { CodedError, isCoded, throwIfCanceled } from '../../base/errors';
import { reason, type Reason, codedReason } from '../../base/reasons';
import type { ImageThread } from '../../images/backgroundImageInfo';
import type { ExpandedFiles, LocalFile } from './expandFiles';
import type { VirtualFiles } from './fileSources';

/*
 * Images that are damaged for certain, so that nothing is paid for them: empty files, files that
 * don't begin as all of their ending do, and PNG, JPEG and TIFF files that can't be decoded.
 * Whatever is uploaded passes this check, whoever uploads it.
 */

interface ImageFormat {
  format: string;
  endings: RegExp;
  /** How its files begin, one of these; NaN for any byte. */
  begins: readonly (readonly number[])[];
}

const ascii = (text: string) => [...Buffer.from(text, 'latin1')];
const ANY_FOUR = [NaN, NaN, NaN, NaN];

/** Formats whose files all begin alike. Endings that several formats share aren't among them. */
const FORMATS: readonly ImageFormat[] = [
  { format: 'PNG', endings: /\.png$/i, begins: [ascii('\x89PNG\r\n\x1a\n')] },
  { format: 'JPEG', endings: /\.jpe?g$/i, begins: [[0xff, 0xd8, 0xff]] },
  {
    format: 'TIFF',
    // Whole slides of Aperio, Hamamatsu, Leica, Ventana and Akoya, ImageJ's BigTIFF, Zeiss LSM and
    // MetaMorph are TIFF files.
    endings: /\.(tiff?|svs|ndpi|scn|bif|qptiff|btf|tf[28]|lsm|stk)$/i,
    begins: [ascii('II*\0'), ascii('MM\0*'), ascii('II+\0'), ascii('MM\0+')],
  },
  { format: 'WebP', endings: /\.webp$/i, begins: [[...ascii('RIFF'), ...ANY_FOUR, ...ascii('WEBP')]] },
  { format: 'CZI', endings: /\.czi$/i, begins: [ascii('ZISRAWFILE')] },
  { format: 'BMP', endings: /\.bmp$/i, begins: [ascii('BM')] },
  { format: 'GIF', endings: /\.gif$/i, begins: [ascii('GIF87a'), ascii('GIF89a')] },
  { format: 'LIF', endings: /\.lif$/i, begins: [ascii('p\0\0\0'), ascii('\0\0\0p')] },
  // Older files are JPEG 2000.
  { format: 'ND2', endings: /\.nd2$/i, begins: [[0xda, 0xce, 0xbe, 0x0a], ascii('\0\0\0\x0cjP  ')] },
  { format: 'SVSLIDE', endings: /\.svslide$/i, begins: [ascii('SQLite')] },
];

/** Enough for all of them. */
const BEGINNING = 16;

/** Names of the kinds of files that are decoded. */
const DECODED = /\.(png|jpe?g|tiff?)$/i;

/** In bytes: larger files aren't decoded, as it takes too long. Virtual files aren't checked. */
const MAX_CHECKED = 64 * 1024 ** 2;

/** Milliseconds of decoding for a waiting person, and for a program; the rest isn't decoded. */
export const DECODED_FOR = { person: 4000, program: 60_000 } as const;

/** Beginnings that are read at once: on a network drive each takes milliseconds. */
const READ_AT_ONCE = 16;

export interface DamageCheckDependencies {
  /** A thread to decode in; used for a while and disposed of. */
  startEngine: () => ImageThread | Promise<ImageThread>;
  /** Reads files that aren't on a disk; without it they aren't checked. */
  virtual?: Pick<VirtualFiles, 'readFile'>;
  /** See DECODED_FOR; a person's when absent. */
  decodedFor?: number;
  /** For tests. */
  now?: () => number;
}

/**
 * Refuses damaged images, each with `damaged-image` and the reason. Uncertain and unreadable ones
 * pass: the upload says why. Throws `cancelled`.
 */
export async function refuseDamaged(
  dependencies: DamageCheckDependencies,
  { files, failed, hadFolder }: ExpandedFiles,
  signal: AbortSignal,
): Promise<ExpandedFiles> {
  const damage = await findBadBeginnings(files, dependencies.virtual, signal);
  const decoded = files.filter(file => mayBeDecoded(file) && !damage.has(file.uri));
  for (const [uri, why] of await findUndecodable(dependencies, decoded, signal)) damage.set(uri, why);
  if (damage.size === 0) return { files, failed, hadFolder };
  const refused = files.flatMap(({ uri, fileName }) => {
    const why = damage.get(uri);
    if (!why) return [];
    return {
      uri,
      error: new CodedError('damaged-image', 'The image is damaged', { subject: fileName, reason: why }),
    };
  });
  return {
    hadFolder,
    files: files.filter(({ uri }) => !damage.has(uri)),
    failed: [...failed, ...refused],
  };
}

/** Which files are empty, or begin otherwise than their ending says; by URI. */
async function findBadBeginnings(
  files: readonly LocalFile[],
  virtual: DamageCheckDependencies['virtual'],
  signal: AbortSignal,
): Promise<Map<string, Reason>> {
  const bad = new Map<string, Reason>();
  const left = files[Symbol.iterator]();
  const work = async () => {
    for (const file of left) {
      throwIfCanceled(signal);
      const why = await badBeginning(file, virtual);
      if (why) bad.set(file.uri, why);
    }
  };
  await Promise.all(Array.from({ length: READ_AT_ONCE }, work));
  return bad;
}

async function badBeginning(
  file: LocalFile,
  virtual: DamageCheckDependencies['virtual'],
): Promise<Reason | undefined> {
  const format = FORMATS.find(({ endings }) => endings.test(file.fileName));
  if (!format && file.size !== 0) return undefined;
  const bytes = await beginningOf(file, virtual).catch(() => undefined);
  if (!bytes) return undefined;
  if (bytes.length === 0) return codedReason('undecodable', 'The file is empty');
  if (!format || format.begins.some(begin => startsWith(bytes, begin))) return undefined;
  const other = FORMATS.find(({ begins }) => begins.some(begin => startsWith(bytes, begin)));
  return other
    ? reason('The content is {0}, but the name says {1}; rename the file', other.format, format.format)
    : reason("The file doesn't begin as {0} files do", format.format);
}

function startsWith(bytes: Uint8Array, begin: readonly number[]): boolean {
  return begin.every((byte, at) => (Number.isNaN(byte) ? at < bytes.length : bytes[at] === byte));
}

/** A file's first bytes; undefined if reading costs too much. Rejects if it can't be read. */
async function beginningOf(
  { uri, size }: LocalFile,
  virtual: DamageCheckDependencies['virtual'],
): Promise<Uint8Array | undefined> {
  if (!uri.startsWith('file:')) {
    if (!virtual || size > MAX_CHECKED) return undefined;
    return (await virtual.readFile(uri)).subarray(0, BEGINNING);
  }
  const file = await open(fileURLToPath(uri));
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(BEGINNING), 0, BEGINNING, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function mayBeDecoded({ uri, fileName, size }: LocalFile): boolean {
  return uri.startsWith('file:') && DECODED.test(fileName) && size <= MAX_CHECKED;
}

/** URIs of the files that are too damaged to decode, as far as time allows. */
async function findUndecodable(
  { startEngine, decodedFor = DECODED_FOR.person, now = Date.now }: DamageCheckDependencies,
  files: readonly LocalFile[],
  signal: AbortSignal,
): Promise<Map<string, Reason>> {
  const damaged = new Map<string, Reason>();
  if (files.length === 0) return damaged;
  const engine = await startEngine();
  const end = now() + decodedFor;
  try {
    for (const file of files) {
      if (now() > end) break;
      const why = await damageOf(file, engine, signal);
      if (why) damaged.set(file.uri, why);
    }
  } finally {
    engine.dispose();
  }
  return damaged;
}

async function damageOf(
  { uri }: LocalFile,
  { endpoint }: Pick<ImageThread, 'endpoint'>,
  signal: AbortSignal,
): Promise<Reason | undefined> {
  try {
    const { backgroundImage, notes } = await endpoint.request(
      'openBackgroundImage',
      { path: fileURLToPath(uri) },
      signal,
    );
    await endpoint.request('closeBackgroundImage', { backgroundImage }, signal);
    // It opens where a part of it can be decoded.
    return notes.find(({ code }) => code === 'undecodable');
  } catch (error) {
    if (isCoded(error, 'cancelled')) throw error;
    const why = isCoded(error) ? error.details.reason : undefined;
    return why?.code === 'undecodable' ? why : undefined;
  }
}
