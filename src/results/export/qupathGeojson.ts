import { detectionFeature } from '../../formats/geojson';
import { classColours } from './classColours';
import type { Exporter } from './exporter';
import { nameUuid } from './nameUuid';

/** GeoJSON as QuPath reads it, a FeatureCollection of detections for each image. An object keeps its UUID over exports. */
export const qupathGeojson: Exporter = {
  fileNames: (_request, { images }) => images.map(({ stem }) => `${stem}.geojson`),

  async write({ request, summary, selection, folder, report, signal, progress }) {
    const colourOf = classColours(summary.classes, request.colours);
    for (const [at, { image, stem }] of selection.images.entries()) {
      await folder.write(`${stem}.geojson`, async file => {
        await file.appendText('{"type":"FeatureCollection","features":[');
        let count = 0;
        for await (const { index, id, className, score, mask } of selection.objects(image.index, signal)) {
          const feature = detectionFeature(mask, {
            id: nameUuid(summary.resultId ?? '', image.id, index),
            name: String(id),
            className,
            colour: colourOf(className),
            ...(score !== undefined && { score }),
          });
          await file.appendText(`${count === 0 ? '\n' : ',\n'}${JSON.stringify(feature)}`);
          count++;
          progress(at, index / image.objectCount);
        }
        await file.appendText(']}\n');
        report.objects += count;
      });
      progress(at, 1);
    }
  },
};
