import { encodeImagejRoi } from '../imagejRoi';
import type { MaskedObject } from '../../masks/engine/masks';
import { classColors } from './classColors';
import type { Exporter } from './exporter';
import { safeFileName, uniqueNames } from '../node/fileStems';
import { ZipWriter } from './zipWriter';

/** RoiSet.zip of ImageJ's ROI Manager, one for each image that has objects. A ROI is named after its class and object. */
export const imagejRois: Exporter = {
  fileNames: (_request, { images }) => images.map(({ stem }) => roiSetName(stem)),

  async write({ request, summary, selection, writeOfImage, signal, progress }) {
    const colorOf = classColors(summary.classes, request.colors);
    for (const [at, { image, stem }] of selection.images.entries()) {
      const objects = selection.objects(image.index, signal);
      const first = await objects.next();
      if (!first.done) {
        await writeOfImage(image, roiSetName(stem), async file => {
          let count = 0;
          const zip = new ZipWriter(file);
          const unique = uniqueNames();
          try {
            for (
              let next: IteratorResult<MaskedObject, void> = first;
              !next.done;
              next = await objects.next()
            ) {
              const { index, className, mask } = next.value;
              const name = unique(roiName(next.value));
              await zip.add(`${name}.roi`, encodeImagejRoi(mask, name, colorOf(className)));
              count++;
              progress(at, index / image.objectCount);
            }
          } finally {
            await objects.return();
          }
          await zip.finish();
          return count;
        });
      }
      progress(at, 1);
    }
  },
};

function roiSetName(stem: string): string {
  return `${stem}_RoiSet.zip`;
}

function roiName({ className, id }: MaskedObject): string {
  return safeFileName(className === '' ? String(id) : `${className} ${id}`);
}
