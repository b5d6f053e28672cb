import { open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { CodedError, isCoded, throwIfCanceled } from '../../base/errors';
import { reason, type Reason, codedReason } from '../../base/reasons';
import type { ImageThread } from '../../images/backgroundImageInfo';
import type { ExpandedFiles, LocalFile } from './expandFiles';
import type { VirtualFiles } from './fileSources';

/*
 * Finds images that are certainly damaged, so that nobody pays for them: empty files, files that
 * don't begin like other files with their ending, and PNG, JPEG and TIFF files that can't be
 * decoded. All uploads are checked.
 */

interface ImageFormat {
  format: string;
  endings: RegExp;
  /** Possible first bytes; NaN stands for any byte. */
  beginnings: readonly (readonly number[])[];
}

const ascii = (text: string) => [...Buffer.from(text, 'latin1')];
const ANY_FOUR = [NaN, NaN, NaN, NaN];

/** Formats with known first bytes. Endings that several formats share are left out. */
const FORMATS: readonly ImageFormat[] = [
  { format: 'PNG', endings: /\.png$/i, beginnings: [ascii('\x89PNG\r\n\x1a\n')] },
  { format: 'JPEG', endings: /\.jpe?g$/i, beginnings: [[0xff, 0xd8, 0xff]] },
  {
    format: 'TIFF',
    // Whole slides of Aperio, Hamamatsu, Leica, Ventana and Akoya, ImageJ's BigTIFF, Zeiss LSM and
    // MetaMorph are TIFF files.
    endings: /\.(tiff?|svs|ndpi|scn|bif|qptiff|btf|tf[28]|lsm|stk)$/i,
    beginnings: [ascii('II*\0'), ascii('MM\0*'), ascii('II+\0'), ascii('MM\0+')],
  },
  { format: 'WebP', endings: /\.webp$/i, beginnings: [[...ascii('RIFF'), ...ANY_FOUR, ...ascii('WEBP')]] },
  { format: 'CZI', endings: /\.czi$/i, beginnings: [ascii('ZISRAWFILE')] },
  { format: 'BMP', endings: /\.bmp$/i, beginnings: [ascii('BM')] },
  { format: 'GIF', endings: /\.gif$/i, beginnings: [ascii('GIF87a'), ascii('GIF89a')] },
  { format: 'LIF', endings: /\.lif$/i, beginnings: [ascii('p\0\0\0'), ascii('\0\0\0p')] },
  // Older files are JPEG 2000.
  { format: 'ND2', endings: /\.nd2$/i, beginnings: [[0xda, 0xce, 0xbe, 0x0a], ascii('\0\0\0\x0cjP  ')] },
  { format: 'SVSLIDE', endings: /\.svslide$/i, beginnings: [ascii('SQLite')] },
];

/** Number of first bytes to read; enough for all formats. */
const BEGINNING = 16;

/** Names of files that are decoded. */
const DECODED = /\.(png|jpe?g|tiff?)$/i;

/** Maximum bytes of a file that is decoded; larger files take too long. */
const MAX_CHECKED = 64 * 1024 ** 2;

/** Maximum milliseconds of decoding for a person, and for a program; later files aren't decoded. */
export const DECODED_FOR = { person: 4000, program: 60_000 } as const;

/** Maximum files to read at the same time; on a network drive each takes milliseconds. */
const READ_AT_ONCE = 16;

export interface DamageCheckDependencies {
  /** Starts a thread to decode in; it is disposed after the check. */
  startEngine: () => ImageThread | Promise<ImageThread>;
  /** Reads files that aren't on a disk; if missing, they aren't checked. */
  virtual?: Pick<VirtualFiles, 'readFile'>;
  /** See DECODED_FOR; by default a person's. */
  decodedFor?: number;
  /** For tests. */
  now?: () => number;
}

/**
 * Moves damaged images to `failed`, each with `damaged-image` and the reason. Uncertain and
 * unreadable files pass; the upload then reports errors. Throws `cancelled`.
 */
export async function refuseDamaged(
  dependencies: DamageCheckDependencies,
  { files, failed, hadFolder }: ExpandedFiles,
  signal: AbortSignal,
): Promise<ExpandedFiles> {
  const damage = await findBadBeginnings(files, dependencies.virtual, signal);
  const filesToDecode = files.filter(file => mayBeDecoded(file) && !damage.has(file.uri));
  for (const [uri, why] of await findUndecodable(dependencies, filesToDecode, signal)) damage.set(uri, why);
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

/** Reasons for files that are empty or don't begin as their ending says, by URI. */
async function findBadBeginnings(
  files: readonly LocalFile[],
  virtual: DamageCheckDependencies['virtual'],
  signal: AbortSignal,
): Promise<Map<string, Reason>> {
  const reasons = new Map<string, Reason>();
  const queue = files[Symbol.iterator]();
  const work = async () => {
    for (const file of queue) {
      throwIfCanceled(signal);
      const why = await badBeginning(file, virtual);
      if (why) reasons.set(file.uri, why);
    }
  };
  await Promise.all(Array.from({ length: READ_AT_ONCE }, work));
  return reasons;
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
  if (!format || format.beginnings.some(begin => startsWith(bytes, begin))) return undefined;
  const actualFormat = FORMATS.find(({ beginnings }) => beginnings.some(begin => startsWith(bytes, begin)));
  return actualFormat
    ? reason('The content is {0}, but the name says {1}; rename the file', actualFormat.format, format.format)
    : reason("The file doesn't begin as {0} files do", format.format);
}

function startsWith(bytes: Uint8Array, begin: readonly number[]): boolean {
  return begin.every((byte, index) => (Number.isNaN(byte) ? index < bytes.length : bytes[index] === byte));
}

/** A file's first bytes; undefined if reading takes too long. Rejects if it can't be read. */
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

/** Reasons for files that can't be decoded, by URI; stops when the time is over. */
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
    // A partly damaged image can be opened; a note then names the damage.
    return notes.find(({ code }) => code === 'undecodable');
  } catch (error) {
    if (isCoded(error, 'cancelled')) throw error;
    const why = isCoded(error) ? error.details.reason : undefined;
    return why?.code === 'undecodable' ? why : undefined;
  }
}
