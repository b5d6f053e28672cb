import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { throwIfCancelled } from '../../base/errors';
import { encodeImagejRoi } from '../../formats/imagejRoi';
import type { MaskedObject } from '../masks/masks';
import { classColours } from './classColours';
import type { Exporter } from './exporter';
import { safeFileName, uniqueNames } from './fileStems';
import type { OutputFile } from './outputFolder';

/** Time stamp of the entries: exports of the same masks are the same. */
const ENTRY_TIME = new Date(2020, 0, 1);

/** RoiSet.zip of ImageJ's ROI Manager, one for each image that has objects. A ROI is named after its class and object. */
export const imagejRois: Exporter = {
  fileNames: (_request, { images }) => images.map(({ stem }) => roiSetName(stem)),

  async write({ request, summary, selection, folder, report, signal, progress }) {
    const colourOf = classColours(summary.classes, request.colours);
    for (const [at, { image, stem }] of selection.images.entries()) {
      const objects: MaskedObject[] = [];
      // Their runs are the image's, not copies.
      for await (const object of selection.objects(image.index, signal)) objects.push(object);
      if (objects.length > 0) {
        await folder.write(roiSetName(stem), file =>
          writeZip(
            file,
            objects,
            ({ className, id }) => safeFileName(className === '' ? String(id) : `${className} ${id}`),
            (object, name) => {
              progress(at, object.index / image.objectCount);
              return encodeImagejRoi(object.mask, name, colourOf(object.className));
            },
            signal,
          ),
        );
      }
      report.objects += objects.length;
      progress(at, 1);
    }
  },
};

function roiSetName(stem: string): string {
  return `${stem}_RoiSet.zip`;
}

/** Writes a zip with an entry for each object, each encoded when its turn comes. */
async function writeZip(
  file: OutputFile,
  objects: readonly MaskedObject[],
  nameOf: (object: MaskedObject) => string,
  encode: (object: MaskedObject, name: string) => Uint8Array,
  signal: AbortSignal | undefined,
): Promise<void> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  zip.on('error', (error: Error) => output.destroy(error));
  const unique = uniqueNames();
  for (const object of objects) {
    const name = unique(nameOf(object));
    zip.addReadStreamLazy(`${name}.roi`, { mtime: ENTRY_TIME, forceDosTimestamp: true }, give => {
      try {
        throwIfCancelled(signal);
        give(null, Readable.from([encode(object, name)]));
      } catch (error) {
        give(error, Readable.from([]));
      }
    });
  }
  zip.end();
  for await (const chunk of output) {
    throwIfCancelled(signal);
    await file.append(chunk as Uint8Array);
  }
}
