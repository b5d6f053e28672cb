import assert from 'node:assert/strict';
import { ObjectColumns } from '../../../../src/archives/engine/imageObjects';
import { maskFromRuns } from '../../../../src/archives/objectMask';
import { decodeCounts } from '../../../../src/archives/runLengthEncoding';
import { ComparedImage } from '../../../../src/comparison/engine/comparedImage';
import { analyzeImage } from '../../../../src/sample/node/analysis/analyzeImage';
import { pipelines } from '../../../../src/sample/node/analysis/pipelines';
import { drawnImage } from '../../sample/node/images/drawnImages';

describe('The pipelines of the sample service for bright objects', () => {
  for (const name of ['nuclei.png', 'nuclei-touching.png']) {
    it(`split ${name} differently, but agree on most objects`, async () => {
      const file = drawnImage(name);
      const [bySize, byBrightness] = await Promise.all(
        [2, 1].map(async classes => {
          const pipeline = pipelines.find(
            ({ objects, classes: own }) => objects === 'bright' && own.length === classes,
          );
          assert.ok(pipeline);
          const result = await analyzeImage(file, name, pipeline, new AbortController().signal);
          const columns = new ObjectColumns(1024);
          for (const { id, classIndex, bbox, rle } of result.objects) {
            const mask = maskFromRuns(
              decodeCounts(rle.counts, rle.size[1], rle.size[0]),
              rle.size[0],
              bbox[0],
              bbox[1],
            );
            columns.addMask(mask, { id, classIndex, score: NaN });
          }
          return columns.finish(result.width, result.height);
        }),
      );
      assert.ok(bySize && byBrightness);
      const compared = await ComparedImage.of({ a: byBrightness, b: bySize });
      const { counts } = await compared.match(10, undefined);
      const matched = counts.matched.reduce((sum, { count }) => sum + count, 0);
      const [precision, recall] = [matched / counts.objectsOfB, matched / counts.objectsOfA];
      const found = `precision ${precision}, recall ${recall}`;
      assert.ok(precision > 0.7 && recall > 0.7, found);
      assert.ok(recall < 1 && counts.merged > 0, found);
      // Of few that touch, what is merged may still match the larger one.
      if (name.includes('touching')) assert.ok(precision < 1, found);
    });
  }
});
