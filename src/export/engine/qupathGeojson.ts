import { detectionFeature } from '../geojson';
import { pathOfImage } from '../../masks/masksSummary';
import { classColors } from './classColors';
import type { Exporter } from './exporter';
import { nameUuid } from './nameUuid';

/** GeoJSON as QuPath reads it, a FeatureCollection of detections for each image. An object has the same UUID in every export. */
export const qupathGeojson: Exporter = {
  fileNames: (_request, { images }) => images.map(({ stem }) => `${stem}.geojson`),

  async write({ request, summary, selection, writeOfImage, signal, progress }) {
    const colorOf = classColors(summary.classes, request.colors);
    for (const [at, { image, stem }] of selection.images.entries()) {
      await writeOfImage(image, `${stem}.geojson`, async file => {
        await file.appendText('{"type":"FeatureCollection","features":[');
        let count = 0;
        for await (const { index, id, className, score, mask } of selection.objects(image.index, signal)) {
          const feature = detectionFeature(mask, {
            id: nameUuid(summary.resultId ?? '', image.id, index),
            name: String(id),
            imagePath: pathOfImage(image),
            className,
            color: colorOf(className),
            ...(score !== undefined && { score }),
          });
          await file.appendText(`${count === 0 ? '\n' : ',\n'}${JSON.stringify(feature)}`);
          count++;
          progress(at, index / image.objectCount);
        }
        await file.appendText(']}\n');
        return count;
      });
      progress(at, 1);
    }
  },
};
