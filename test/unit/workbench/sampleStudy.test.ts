import assert from 'node:assert/strict';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import { sampleStudy } from '../../../src/sample/node/sampleProcess';
import { proposeColumns } from '../../../src/study/imagePattern';
import { type ImagePart, replicatesOf } from '../../../src/study/replicates';
import { pairedTest, welchTest } from '../../../src/study/statistics';
import { pipelines } from '../../../src/sample/node/analysis/pipelines';
import { FilesystemStore } from '../../../src/sample/node/filesystemStore';
import { studyImages } from '../../../src/sample/node/images/studyImages';
import { call, type ServiceUnderTest, Workshop } from '../sample/node/serviceHarness';

const JOBS = '/api/external/analysis-jobs';
const EMPTY = 'Sample images/study/treated/donor2_s3.png';
const quiet = { trace() {}, info() {}, warn() {}, error() {} };

/** Rows of a CSV file whose cells have no quotes, by column. */
function rowsOf(csv: string): Record<string, string>[] {
  const [header = '', ...lines] = csv.trimEnd().split('\r\n');
  const names = header.split(',');
  return lines.map(line =>
    Object.fromEntries(line.split(',').map((cell, column) => [names[column] ?? '', cell])),
  );
}

describe('The study among the sample images', () => {
  let workshop: Workshop;
  let service: ServiceUnderTest;
  let drawnBefore: number;
  let jobId: string;
  let objects: Record<string, string>[];
  let images: { path: string; condition: string; donor: string }[];

  const follow = async (url: unknown) => {
    const { pathname, search } = new URL(String(url));
    return (await call(service.port, `${pathname}${search}`)).body;
  };
  const item = async (name: string, folderId = '') =>
    (await service.list(`/api/external/filesystem-items?folderId=${folderId}`)).find(
      found => found['name'] === name,
    )?.['id'] ?? '';

  before(async () => {
    workshop = await Workshop.open();
    // With the study alone: drawing the other sample images takes seconds.
    const directory = await workshop.folder();
    await mkdir(join(directory, 'files'));
    const store = await FilesystemStore.open(join(directory, 'items.json'), join(directory, 'files'), quiet);
    const names = studyImages().map(({ name }) => name);
    await store.seed([], names, ['Sample images']);
    service = await workshop.start({ directory });
    drawnBefore = (await readdir(join(directory, 'files'))).length;
    const folder = await item('study', await item('Sample images'));
    jobId = await service.submit([folder], sampleStudy.pipelineId, 'Study');
    const job = await service.ended(`${JOBS}/${jobId}`);
    assert.equal(job['status'], 'SUCCEEDED', String(job['message']));
    objects = rowsOf((await follow(job['objectsDataCSVUrl'])).toString('utf8'));
    const paths = rowsOf((await follow(job['aggregateDataCSVUrl'])).toString('utf8'))
      .filter(({ Level }) => Level === 'Image')
      .map(({ Name }) => Name ?? '');
    const { columns = [] } = proposeColumns(paths) ?? {};
    assert.deepEqual(
      columns.map(({ name, role, reference }) => [name, role, reference]),
      [
        ['Condition', 'condition', 'control'],
        ['Donor', 'replicate', undefined],
        ['Site', undefined, undefined],
      ],
    );
    images = paths.map((path, at) => ({
      path,
      condition: columns[0]?.values[at] ?? '',
      donor: columns[1]?.values[at] ?? '',
    }));
  });

  after(async () => {
    await service.stop();
    await workshop.close();
  });

  /** Values of both conditions' replicates, by an image's contribution, and of all objects. */
  const valuesOf = (
    partOf: (own: Record<string, string>[]) => Pick<ImagePart, 'numerator' | 'denominator'>,
  ) => {
    const parts = images.map(({ path, condition, donor }): ImagePart => {
      const own = objects.filter(row => row['Image origin'] === path);
      return { image: { path }, condition, replicate: [donor], objects: own.length, ...partOf(own) };
    });
    const { replicates } = replicatesOf(parts, { mean: 'objects' });
    return sampleStudy.conditions.map(condition =>
      replicates.filter(one => one.condition === condition).map(({ value }) => value ?? NaN),
    ) as [number[], number[]];
  };
  const meansOf = (measure: string) =>
    valuesOf(own => ({
      numerator: own.reduce((sum, row) => sum + Number(row[measure]), 0),
      denominator: own.length,
    }));
  const pooledTest = (measure: string) => {
    const [control = [], treated = []] = sampleStudy.conditions.map(condition =>
      images
        .filter(image => image.condition === condition)
        .flatMap(({ path }) => objects.filter(row => row['Image origin'] === path))
        .map(row => Number(row[measure])),
    );
    return welchTest(control, treated).p ?? NaN;
  };

  it('is analyzed by a pipeline of the service, in the folders of its conditions', () => {
    const pipeline = pipelines.find(({ id }) => id === sampleStudy.pipelineId);
    assert.match(pipeline?.description ?? '', /^Bright objects:/);
    const folders = new Set(studyImages().map(({ name }) => name.split('/')[0]));
    assert.deepEqual([...folders], [...sampleStudy.conditions]);
  });

  it('has two conditions of three donors with four images each, one of them without objects', () => {
    const counts = new Map<string, number>();
    for (const { condition, donor } of images)
      counts.set(`${condition} ${donor}`, (counts.get(`${condition} ${donor}`) ?? 0) + 1);
    assert.equal(counts.size, 6);
    assert.deepEqual(new Set(counts.values()), new Set([4]));
    const empty = images.filter(({ path }) => !objects.some(row => row['Image origin'] === path));
    assert.deepEqual(
      empty.map(({ path }) => path),
      [EMPTY],
    );
  });

  it('is drawn when it is first analyzed, the same as for those who open it on disk', async () => {
    assert.equal(drawnBefore, 0);
    const folder = join(service.directory, 'files');
    const drawn = await Promise.all((await readdir(folder)).map(name => readFile(join(folder, name), 'hex')));
    assert.equal(drawn.length, studyImages().length);
    for (const { bytes } of studyImages().slice(0, 2))
      assert.ok(drawn.includes(Buffer.from(bytes()).toString('hex')));
  });

  it('has a true effect: the area differs between conditions, by its donors too', () => {
    const [control, treated] = meansOf('Area');
    assert.deepEqual([control.length, treated.length], [3, 3]);
    const unpaired = welchTest(control, treated);
    const paired = pairedTest(control, treated);
    assert.ok((unpaired.difference ?? 0) > 100, `${unpaired.difference} pixels`);
    assert.ok((unpaired.p ?? 1) < 0.02, `p = ${unpaired.p}`);
    assert.ok((paired.p ?? 1) < 0.02, `paired p = ${paired.p}`);
    assert.ok(pooledTest('Area') < 0.001);
  });

  it('has none in brightness, though a test over all objects says p < 0.001', () => {
    const pooled = pooledTest('Mean Intensity');
    assert.ok(pooled < 0.001, `pooled p = ${pooled}`);
    const [control, treated] = meansOf('Mean Intensity');
    assert.ok((welchTest(control, treated).p ?? 0) > 0.5, `p = ${welchTest(control, treated).p}`);
    assert.ok((pairedTest(control, treated).p ?? 0) > 0.2, `paired p = ${pairedTest(control, treated).p}`);
  });

  it('counts the image without objects among those of its donor', () => {
    const [, treated] = valuesOf(own => ({ numerator: own.length, denominator: 1 }));
    const ofDonor = objects.filter(row => row['Image origin']?.includes('/treated/donor2_')).length;
    assert.equal(treated[1], ofDonor / 4);
  });

  it('has masks of all images, also of the one without objects', async () => {
    await service.call(`${JOBS}/${jobId}/download-masks`, { method: 'POST' });
    const masks = await service.ended(`${JOBS}/${jobId}/download-masks`);
    const zip = await fromBufferPromise(await follow(masks['masksZipUrl']), { lazyEntries: true });
    const counts: number[] = [];
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName === 'index.json') continue;
      const content = await buffer(await zip.openReadStreamPromise(entry));
      const { objects: found } = JSON.parse(content.toString('utf8')) as { objects: object };
      counts.push(Object.keys(found).length);
    }
    assert.equal(counts.length, studyImages().length);
    assert.equal(counts.filter(count => count === 0).length, 1);
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      objects.length,
    );
  });
});
