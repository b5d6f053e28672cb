import { deepEqual, equal, ok } from 'node:assert/strict';
import { proposeColumns } from '../../../src/study/imagePattern';
import { analyzeImage } from '../../../src/sample/node/analysis/analyzeImage';
import { pipelines } from '../../../src/sample/node/analysis/pipelines';
import { plateImages } from '../../../src/sample/node/images/plateImages';
import { samplePlate } from '../../../src/sample/node/sampleProcess';

describe('The sample plate', () => {
  const images = plateImages();

  it('has 24 wells, of which folders and names tell compound and well', () => {
    const { columns = [], unmatched } = proposeColumns(images.map(({ name }) => name)) ?? {};
    deepEqual(unmatched, []);
    deepEqual(
      columns.map(({ name, role, reference }) => [name, role, reference]),
      [
        ['Condition', 'condition', 'DMSO'],
        ['Well', 'well', undefined],
      ],
    );
    equal(new Set(columns[1]?.values).size, 24);
    deepEqual([...new Set(columns[0]?.values)], samplePlate.conditions);
  });

  it('has controls that its pipeline tells apart, and a well without nuclei', async () => {
    const pipeline = pipelines.find(({ id }) => id === samplePlate.pipelineId);
    ok(pipeline);
    const counts = new Map<string, number>();
    for (const { name, bytes } of images.filter(image => /DMSO|stauro/.test(image.name))) {
      const { objects } = await analyzeImage(bytes(), name, pipeline, new AbortController().signal);
      counts.set(name, objects.length);
    }
    const of = (compound: string) =>
      [...counts].flatMap(([name, count]) => (name.startsWith(compound) ? [count] : []));
    ok(of('DMSO').every(count => count > 15));
    ok(of('stauro').every(count => count < 9));
    equal(counts.get('staurosporine/C06.png'), 0);
  });
});
