import assert from 'node:assert/strict';
import { distinctNamesInSteps } from '../../../src/archives/masksSummary';
import { matchImages, matchWrittenNamesInSteps } from '../../../src/archives/imageCatalog';
import { runInSlices } from '../../../src/base/node/slices';
import { sortInSteps, type Steps } from '../../../src/base/steps';
import { pairImages } from '../../../src/comparison/node/imagePairing';
import { compareRun } from '../../../src/jobs/node/accountRuns';
import { ComparableJobs } from '../../../src/jobs/node/comparableJobs';
import { ImageOfRow } from '../../../src/linking/node/sessionRows';
import { columnsOfValues } from '../../../src/study/givenColumns';
import { SessionImageColumns } from '../../../src/study/node/sessionImageColumns';
import { storedOf, withStoredInSteps } from '../../../src/study/storedImages';
import { expandFiles } from '../../../src/uploads/node/expandFiles';
import { FakeSessions } from '../jobs/node/fakeSessions';
import { ImagesInMemory } from '../study/node/studiedSession';

/** Milliseconds that work on a path, and comparing two names, take at most on a slow machine. */
const PATH = 0.006;
const COMPARISON = 0.00025;
/** The extension host has other work to do after so many milliseconds. */
const LONGEST = 20;

/**
 * The longest block of work of an operation, in milliseconds of a clock that only counted work
 * moves on: paths that are read, and names that are compared.
 */
async function longestBlock(work: () => Promise<unknown>): Promise<{ longest: number; all: number }> {
  let [now, began, longest] = [0, 0, 0];
  const { normalize } = String.prototype;
  const compare = Object.getOwnPropertyDescriptor(Intl.Collator.prototype, 'compare');
  const realNow = performance.now;
  const { get: comparerOf } = compare ?? {};
  let isOver = false;
  const turn = () => {
    longest = Math.max(longest, now - began);
    began = now;
    if (!isOver) setImmediate(turn);
  };
  try {
    performance.now = () => now;
    String.prototype.normalize = function (this: string, form?: string) {
      now += PATH;
      return normalize.call(this, form);
    };
    Object.defineProperty(Intl.Collator.prototype, 'compare', {
      configurable: true,
      get(this: Intl.Collator) {
        const real = comparerOf?.call(this) as (a: string, b: string) => number;
        return (a: string, b: string) => {
          now += COMPARISON;
          return real(a, b);
        };
      },
    });
    setImmediate(turn);
    await work();
    turn();
    return { longest, all: now };
  } finally {
    isOver = true;
    String.prototype.normalize = normalize;
    performance.now = realNow;
    if (compare) Object.defineProperty(Intl.Collator.prototype, 'compare', compare);
  }
}

/**
 * Paths of images in no order: of wells that occur again on plates, of one name, or of names alone.
 */
const STUDIES = {
  plates: (at: number) => `study/plate ${(at * 7919) % 50}/w${(at * 104_729) % 5000}.tif`,
  'one name': (at: number) => `study/d${(at * 104_729) % 20_011}/img.tif`,
  names: (at: number) => `K\u00f6rper_${(at * 104_729) % 20_011}.tif`,
};

const pathsOf = (study: (at: number) => string, count = 5000) => [
  ...new Set(Array.from({ length: count }, (_, at) => study(at))),
];

const side = (format: 'archive' | 'folder', paths: readonly string[]) => ({
  format,
  images: paths.map((path, at) => ({ id: `${format}${at}`, path, sha256: `${format}${at % 9}` })),
});

/** What the extension host finds out of the names of images. */
const WORK: Record<string, (paths: readonly string[], others: readonly string[]) => Steps<unknown>> = {
  'images of texts': (paths, others) => matchImages(paths, others),
  'images of names that people write': (paths, others) =>
    matchWrittenNamesInSteps(
      paths.map(path => path.replace('.tif', '').toUpperCase()),
      others,
    ),
  'pairs of two results': (paths, others) => pairImages(side('archive', paths), side('archive', others)),
  'pairs with labels': (paths, others) =>
    pairImages(
      side('archive', paths),
      side(
        'folder',
        others.map(path => path.replace('.tif', '_masks.png')),
      ),
    ),
  'pairs with exported files': (paths, others) =>
    pairImages(
      side('archive', paths),
      side(
        'folder',
        others.map((_, at) => `img_${at}.geojson`),
      ),
    ),
  'values that are stored': (paths, others) => withStoredInSteps(paths, stored(others)),
  'values to store': (paths, others) =>
    storedOf({ images: paths, columns: [{ name: 'a', values: [] }], excluded: [] }, stored(others)),
  'values of a program': (paths, others) =>
    columnsOfValues(
      { a: Object.fromEntries(paths.map(path => [`x/${path}`, '1'])) },
      { images: others, columns: [] },
      [],
    ),
  'images without a result': (paths, others) =>
    compareRun(
      paths.map((name, at) => ({ id: `${at}`, name })),
      { aggregate: others, archive: [] },
    ),
  'names of images': paths => distinctNamesInSteps(paths),
  'images in order': paths => sortInSteps(paths, new Intl.Collator('en', { numeric: true }).compare),
};

function stored(paths: readonly string[]) {
  const values = Object.fromEntries(paths.map(path => [`x/${path}`, ['1']]));
  return { columns: [{ name: 'a' }], values, excluded: {}, patterns: ['{a}/{b}.tif'] };
}

describe('What the extension host finds out about names of 5,000 images', function () {
  this.timeout(60_000);

  it('is found in short steps, whatever they are called', async () => {
    const slow: string[] = [];
    for (const [study, path] of Object.entries(STUDIES))
      for (const [what, steps] of Object.entries(WORK)) {
        const paths = pathsOf(path);
        const { longest, all } = await longestBlock(() => runInSlices(steps(paths, paths.toReversed())));
        if (longest > LONGEST) slow.push(`${what}, ${study}: ${longest} ms of ${all}`);
        assert.equal(all > 0, true, `${what}, ${study}: nothing was counted`);
      }
    assert.deepEqual(slow, []);
  });

  it('is counted: work without steps is found', async () => {
    const paths = pathsOf(STUDIES.plates);
    const all = () => Promise.resolve(matchImagesAtOnce(paths));
    assert.equal((await longestBlock(all)).longest > LONGEST, true);
    const collator = new Intl.Collator('en', { numeric: true });
    const sorted = () => Promise.resolve(pathsOf(STUDIES['one name'], 20_000).sort(collator.compare));
    assert.equal((await longestBlock(sorted)).longest > LONGEST, true);
  });

  it('is so for the columns of 20,000 images, which are sorted', async () => {
    const paths = pathsOf(STUDIES['one name'], 20_000);
    const kept = new ImagesInMemory();
    kept.stored = stored(paths.slice(0, 5000));
    const columns = () =>
      new SessionImageColumns({
        source: {
          jobIds: ['job'],
          analyzedItems: () => Promise.resolve(paths.map((path, at) => ({ id: `${at}`, path }))),
        },
        tables: {
          open: () => Promise.resolve({ columns: [{ index: 0, name: 'Image', kind: 'text' }] } as never),
          isOpen: () => true,
          whenRead: () => Promise.resolve({} as never),
          extended: () => undefined,
        },
        masks: () => undefined,
        areas: {
          ofItems: () => Promise.resolve(undefined),
          ofMasks: () => Promise.reject(new Error('unused')),
          onDidSetPixelSizes: () => ({ dispose: () => undefined }),
        },
        request: (method: string): Promise<never> =>
          Promise.resolve((method === 'tableTexts' ? { texts: paths.toReversed() } : {}) as never),
        store: kept,
        log: { info: () => undefined },
        signal: new AbortController().signal,
      }).allImages(new AbortController().signal);
    let found: readonly string[] = [];
    const { longest } = await longestBlock(async () => (found = (await columns()).images));
    assert.deepEqual([found.length, found[0], longest <= LONGEST], [paths.length, 'study/d0/img.tif', true]);
  });

  it('is so for images that jobs have in common, rows of images, and files of a folder', async () => {
    const paths = pathsOf(STUDIES.plates);
    const sessions = new FakeSessions();
    for (const [id, list] of [['mine', paths] as const, ['other', paths.toReversed()] as const]) {
      const items = list.map((name, at) => ({ id: `${id}${at}`, name }));
      sessions.jobs.push({ id, status: 'SUCCEEDED', percentageCompleted: 100 });
      sessions.submitted.set(id, {
        ...{ jobId: id, pipelineId: 'p', items, filesystemIds: [] },
        ...{ submittedAt: '2026-03-01T12:00:00Z', by: 'person' as const },
      });
    }
    const jobs = new ComparableJobs(sessions.session, {
      id: 'mine',
      submitted: sessions.submitted.get('mine'),
    });
    const ofJobs = await longestBlock(() => jobs.loadMore());
    assert.deepEqual([jobs.items[0]?.inCommon, ofJobs.longest <= LONGEST], [paths.length, true]);

    const row = new ImageOfRow({
      images: () => paths.map((filename, at) => ({ id: `${at}`, filename })) as never,
      linkSettled: () => Promise.resolve(),
      columns: () => Promise.resolve([{ index: 0, name: 'Image', kind: 'text' }]),
      cell: () => Promise.resolve(paths[4000] ?? ''),
      onError: error => assert.fail(String(error)),
    });
    let shown = -1;
    row.onDidShow(image => (shown = image));
    const ofRow = await longestBlock(() => row.select(0));
    assert.deepEqual([shown, ofRow.longest <= LONGEST], [4000, true]);

    const files = pathsOf(STUDIES.names, 20_000).map(name => ({ name, uri: name, isFolder: false }));
    const system = {
      stat: (uri: string) => Promise.resolve({ isFolder: uri === 'folder', size: 1 }),
      list: () => Promise.resolve(files),
    };
    const ofFolder = await longestBlock(async () =>
      assert.equal(
        (await expandFiles(system as never, [{ uri: 'folder', name: 'folder' }])).files.length,
        files.length,
      ),
    );
    assert.equal(ofFolder.longest <= LONGEST, true, `${ofFolder.longest} ms`);
  });
});

function matchImagesAtOnce(paths: readonly string[]): unknown {
  const steps = matchImages(paths, paths.toReversed());
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
