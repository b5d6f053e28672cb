import { CodedError } from '../../base/errors';
import { reason } from '../../base/reasons';
import { fullFrameRuns } from '../../archives/objectMask';
import { area, encodeCounts, MAX_MASK_PIXELS } from '../../archives/runLengthEncoding';
import { pathOfImage } from '../../archives/masksSummary';
import type { MaskedObject } from '../../archives/engine/masks';
import type { Exporter } from './exporter';
import { populationsOfImage } from './exportedPopulations';
import type { OutputFile } from '../../base/node/outputFolder';
import { safeFileName } from '../../results/node/fileStems';

/**
 * COCO's JSON for object detection, with all images in one file:
 * https://cocodataset.org/#format-data. Masks are compressed run-length encodings of the whole
 * image. IDs of images, categories and annotations start at 1. `bbox` is x, y, width, height. Added
 * fields: `object_id` is the object's ID in the archive, `populations` has the paths of its
 * populations.
 */
export const coco: Exporter = {
  fileNames: ({ name }) => [cocoName(name)],

  check(image) {
    const { width, height } = image;
    if (width * height <= MAX_MASK_PIXELS) return;
    throw new CodedError('bad-request', 'The image is too large for COCO', {
      subject: pathOfImage(image),
      reason: reason(
        'COCO allows images of up to {2} pixels; this one has {0} × {1}',
        width,
        height,
        MAX_MASK_PIXELS,
      ),
    });
  },

  async write({ request, summary, selection, folder, report, signal, progress }) {
    const categories = new Map(
      selection.classes.map(index => [summary.classes[index]?.name ?? '', index + 1]),
    );
    await folder.write(cocoName(request.name), async file => {
      const info = { description: request.name, run: summary.resultId, date_created: summary.dateRun };
      await file.appendText(`{"info":${JSON.stringify(info)},\n"licenses":[],\n"images":[`);
      const images = selection.images.map(({ image }) => ({
        id: image.index + 1,
        file_name: pathOfImage(image),
        width: image.width,
        height: image.height,
        source_id: image.id,
      }));
      await appendList(file, images);
      await file.appendText('],\n"categories":[');
      await appendList(
        file,
        [...categories].map(([name, id]) => ({ id, name, supercategory: '' })),
      );
      await file.appendText('],\n"annotations":[');
      let count = 0;
      for (const [index, { image }] of selection.images.entries()) {
        const populations = populationsOfImage(image.index, request.populations);
        for await (const object of selection.objects(image.index, signal)) {
          const annotation = {
            id: count + 1,
            image_id: image.index + 1,
            category_id: categories.get(object.className) ?? 0,
            ...annotationOf(object, image.width, image.height),
            ...(populations && {
              // Like in GeoJSON, names must not contain the separator of paths.
              populations: populations
                .of(object.index)
                .map(({ path }) => path.map(name => name.replaceAll('/', '-')).join('/')),
            }),
          };
          // Write the ID separately, because JSON.stringify doesn't support bigint.
          const id = typeof object.id === 'bigint' ? String(object.id) : JSON.stringify(object.id);
          const json = `${JSON.stringify(annotation).slice(0, -1)},"object_id":${id}}`;
          await file.appendText(`${count === 0 ? '\n' : ',\n'}${json}`);
          count++;
          progress(index, object.index / image.objectCount);
        }
        progress(index, 1);
      }
      await file.appendText(']}\n');
      report.objects += count;
    });
  },
};

function cocoName(name: string): string {
  return `${safeFileName(name)}_coco.json`;
}

function annotationOf({ score, mask }: MaskedObject, width: number, height: number) {
  return {
    segmentation: { size: [height, width], counts: encodeCounts(fullFrameRuns(mask, width, height)) },
    area: area(mask.runs),
    bbox: [mask.x, mask.y, mask.width, mask.height],
    iscrowd: 0,
    ...(score !== undefined && { score }),
  };
}

async function appendList(file: OutputFile, items: readonly unknown[]): Promise<void> {
  for (const [index, item] of items.entries())
    await file.appendText(`${index === 0 ? '\n' : ',\n'}${JSON.stringify(item)}`);
}
