import { open, opendir, stat } from 'node:fs/promises';
import { basename, extname, join, relative, sep } from 'node:path';
import { CodedError, isCoded, throwIfCanceled, toPlainError } from '../../../base/errors';
import { whenReleased } from '../../../base/node/diskErrors';
import { unreadableFile } from '../../../base/node/fileErrors';
import { reason, type Reason, countedReason } from '../../../base/reasons';
import { ClassNames } from '../../../archives/engine/classNames';
import type { ImageObjects } from '../../../archives/engine/imageObjects';
import { DEFAULT_MEMORY, bytesOf, type LocatedImage, Masks } from '../../../archives/engine/masks';
import { openMasks } from '../../../archives/engine/openMasks';
import { readCocoFile } from './cocoFile';
import { readGeojsonFile } from './geojsonFile';
import { readLabelImage } from './labelImage';
import { readRoiSet } from './roiSet';
import {
  countNote,
  type CountKind,
  locatedReference,
  masksOfReference,
  type OnRead,
  type ReferenceImage,
  type ReferenceMasks,
  countedNotes,
} from './referenceMasks';

/** The start of JSON with features, unlike COCO's; some tools write other members before `type`. */
const GEOJSON_START = /^\ufeff?\s*(?:\[|\{[^]*"type"\s*:\s*"Feature)/;
const START_BYTES = 4096;
/**
 * File names that ImageJ and our exports use for a zip of ROIs; for other names, its first entry
 * decides.
 */
const ROI_SET = /RoiSet\.zip$/i;
/** Maximum number of files in a folder; more aren't a folder of label images. */
const MAX_FILES = 100_000;

interface OpenReferenceOptions {
  /** Whether an empty file is a result without objects, as a service sends it. */
  mayBeEmpty?: boolean;
  /** Memory for decoded objects in bytes. */
  memory?: number;
  /** Whether separate areas of one label in a label image are separate objects. */
  separatesAreas?: boolean;
}

/**
 * Opens a masks archive, COCO JSON, QuPath GeoJSON, a RoiSet.zip of ImageJ, a label image, or a
 * folder of label images, GeoJSON files and ROI sets. The format is found by content or extension.
 * Throws errors of reading; the summary has unreadable images.
 */
export async function openReference(
  path: string,
  { mayBeEmpty = false, memory = DEFAULT_MEMORY, separatesAreas = false }: OpenReferenceOptions,
  onRead: OnRead,
  signal?: AbortSignal,
): Promise<ReferenceMasks> {
  const stats = await whenReleased(() => stat(path)).catch((error: unknown) => {
    throw unreadableFile(error, path);
  });
  const options = { path, memory, separatesAreas };
  if (stats.isDirectory())
    return await openFiles({ ...(await filesIn(path, signal)), ...options }, onRead, signal);
  if (stats.size === 0 && mayBeEmpty) return archiveReference(Masks.none());
  const bytes = await startOf(path);
  const start = bytes.toString('utf8');
  if (start.startsWith('PK')) {
    if (ROI_SET.test(path) || /\.roi$/i.test(firstEntryOf(bytes)))
      return await openFiles({ ...options, format: 'rois', files: [path] }, onRead, signal);
    return archiveReference(await openMasks(path, { memory, onProgress: onRead }, signal));
  }
  if (GEOJSON_START.test(start) || extname(path).toLowerCase() === '.geojson')
    return await openFiles({ ...options, format: 'geojson', files: [path] }, onRead, signal);
  if (/^\ufeff?\s*\{/.test(start)) return await readCocoFile(path, onRead, signal);
  return await openFiles({ ...options, format: 'labels', files: [path] }, onRead, signal);
}

function archiveReference(masks: Masks): ReferenceMasks {
  return {
    format: 'archive',
    masks,
    crowds: new Map(),
    unknownSizes: new Set(),
    dispose: () => masks.dispose(),
  };
}

/** The name of a zip's first entry, from its header. */
function firstEntryOf(zip: Buffer): string {
  return zip.length < 30 ? '' : zip.toString('utf8', 30, 30 + zip.readUInt16LE(26));
}

async function startOf(path: string): Promise<Buffer> {
  try {
    const file = await whenReleased(() => open(path));
    try {
      const bytes = Buffer.alloc(START_BYTES);
      const { bytesRead } = await file.read(bytes, 0, START_BYTES, 0);
      return bytes.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw unreadableFile(error, path);
  }
}

const FILE_TYPES = new Set(['.png', '.tif', '.tiff', '.geojson']);

/** Files that are never masks: tables, such as those of our exports, and system files. */
const NEVER_MASKS = /^\.|\.csv$|^(?:thumbs\.db|desktop\.ini)$/i;
/** Maximum number of left-out files that are named. */
const MAX_NAMED = 5;

/** The files of a folder and its subfolders that may have masks, sorted by name. */
async function filesIn(
  folder: string,
  signal: AbortSignal | undefined,
): Promise<Pick<ReferenceFiles, 'format' | 'files' | 'notes'>> {
  const files: string[] = [];
  const leftOut: string[] = [];
  let leftOutCount = 0;
  try {
    for await (const entry of await opendir(folder, { recursive: true })) {
      throwIfCanceled(signal);
      if (!entry.isFile() || NEVER_MASKS.test(entry.name)) continue;
      if (!FILE_TYPES.has(extname(entry.name).toLowerCase()) && !ROI_SET.test(entry.name)) {
        leftOutCount++;
        if (leftOut.length < MAX_NAMED) leftOut.push(entry.name);
        continue;
      }
      if (files.length === MAX_FILES)
        throw new CodedError('bad-request', 'Too many files', {
          reason: reason('The selection has more than {0} files. Select a smaller folder', MAX_FILES),
          subject: folder,
        });
      files.push(join(entry.parentPath, entry.name));
    }
  } catch (error) {
    throw isCoded(error) ? error : unreadableFile(error, folder);
  }
  if (files.length === 0)
    throw new CodedError('bad-request', 'No label images', {
      reason: reason('The folder has no label images (PNG, TIFF), GeoJSON files or ROI sets'),
      subject: folder,
    });
  const { compare } = new Intl.Collator('en', { numeric: true });
  files.sort(compare);
  const names = leftOut.sort(compare).join(', ') + (leftOutCount > leftOut.length ? ', …' : '');
  const notes =
    leftOutCount > 0
      ? [
          countedReason(
            leftOutCount,
            '1 file was left out: it is no PNG, TIFF, GeoJSON or RoiSet.zip file ({1})',
            '{0} files were left out: they are no PNG, TIFF, GeoJSON or RoiSet.zip files ({1})',
            names,
          ),
        ]
      : [];
  return { format: 'folder', files, notes };
}

/** Files to read, with one image each. */
interface ReferenceFiles extends Pick<Required<OpenReferenceOptions>, 'memory' | 'separatesAreas'> {
  /** Path of the folder, or of the only file. */
  path: string;
  format: 'folder' | 'labels' | 'geojson' | 'rois';
  files: readonly string[];
  notes?: readonly Reason[];
}

/** Reads one image from each file: label images, GeoJSON and ROI sets. */
async function openFiles(
  { path, format, files, memory, separatesAreas, notes: notesOnFolder = [] }: ReferenceFiles,
  onRead: OnRead,
  signal: AbortSignal | undefined,
): Promise<ReferenceMasks> {
  const classNames = new ClassNames();
  classNames.indexOf('');
  const images: LocatedImage[] = [];
  const unknownSizes = new Set<number>();
  const inMemory = new Map<number, ImageObjects>();
  let bytes = 0;
  const counts = new Map<CountKind, number>();
  for (const [index, file] of files.entries()) {
    throwIfCanceled(signal);
    if (files.length > 1) onRead(index, files.length);
    const name = format === 'folder' ? relative(path, file).split(sep).join('/') : basename(file);
    const image = await readFile(file, name, files.length === 1 ? onRead : () => undefined, signal);
    if (isGeojson(file) || isRoiSet(file)) unknownSizes.add(index);
    images.push(locatedReference(image, index));
    for (const [kind, count] of image.notes ?? []) countNote(counts, kind, count);
    if (!image.objects) continue;
    bytes += bytesOf(image.objects);
    if (bytes <= memory) inMemory.set(index, image.objects);
  }
  const [firstImage] = images;
  if (files.length === 1 && firstImage?.summary.failure) {
    const { code = 'bad-request', message, details } = firstImage.summary.failure;
    throw new CodedError(code, message, details);
  }
  const notes = [...notesOnFolder, ...[...counts].map(([kind, count]) => countedNotes[kind](count))];
  const masks = masksOfReference(images, classNames, notes, async (index, signalOfRead) => {
    const file = files[index];
    if (file === undefined) throw new CodedError('bad-request', `No image ${index}`);
    const { objects } = await objectsOf(file, basename(file), () => undefined, signalOfRead);
    const { ids = [], areas = [] } = images[index]?.identities ?? {};
    if (!sameNumbers(objects.ids, ids) || !sameNumbers(objects.areas, areas))
      throw new CodedError('file-changed', 'The file changed after it was compared', { subject: file });
    return objects;
  });
  for (const [index, objects] of inMemory) masks.store(index, objects);
  return { format, masks, crowds: new Map(), unknownSizes, dispose: () => masks.dispose() };

  async function readFile(
    file: string,
    name: string,
    onReadOfFile: OnRead,
    signalOfRead: AbortSignal | undefined,
  ): Promise<ReferenceImage> {
    try {
      return await objectsOf(file, name, onReadOfFile, signalOfRead);
    } catch (error) {
      throwIfCanceled(signalOfRead);
      if (!isCoded(error)) throw error;
      return {
        id: name,
        filename: name,
        objects: undefined,
        unreadable: [],
        unreadableCount: 0,
        failure: toPlainError(error),
      };
    }
  }

  async function objectsOf(
    file: string,
    name: string,
    onReadOfFile: OnRead,
    signalOfRead: AbortSignal | undefined,
  ): Promise<ReferenceImage & { objects: ImageObjects }> {
    if (isGeojson(file))
      return {
        ...(await readGeojsonFile(file, classNames, onReadOfFile, signalOfRead)),
        id: name,
        filename: name,
      };
    if (isRoiSet(file))
      return {
        ...(await readRoiSet(file, classNames, onReadOfFile, signalOfRead)),
        id: name,
        filename: name,
      };
    const { objects, areas } = await readLabelImage(file, separatesAreas, signalOfRead);
    const notes = new Map<CountKind, number>();
    countNote(notes, separatesAreas ? 'areas-separated' : 'one-label', areas > 1 ? 1 : 0);
    return { id: name, filename: name, objects, unreadable: [], unreadableCount: 0, notes };
  }

  function isRoiSet(file: string): boolean {
    return format === 'rois' || (format === 'folder' && ROI_SET.test(file));
  }

  function isGeojson(file: string): boolean {
    return format === 'geojson' || (format === 'folder' && extname(file).toLowerCase() === '.geojson');
  }
}

function sameNumbers(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) return false;
  return true;
}
