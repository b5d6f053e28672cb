import { orientationNote } from '../../../../src/images/exifOrientation';
import type { ImagePage, OpenedBackgroundImage } from '../../../../src/images/backgroundImageInfo';
import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Uri } from 'vscode';
import { CodedError, isCoded } from '../../../../src/base/errors';
import type { MaskImage } from '../../../../src/archives/masksSummary';
import {
  BackgroundImageFinder,
  displayPath,
  type UploadedImage,
} from '../../../../src/linking/node/backgroundImageFinder';
import type { BackgroundImageUse } from '../../../../src/images/backgroundImagePairing';
import type { ResultSource } from '../../../../src/session/node/resultSource';

const signal = new AbortController().signal;
const source: ResultSource = {
  key: 'k',
  title: 't',
  restore: {},
  path: () => Promise.reject(new Error('unused')),
};
const uri = (path: string) => ({ path, fsPath: path }) as Uri;

const image: MaskImage = {
  index: 0,
  id: 'item-1',
  filename: 'a.tif',
  width: 10,
  height: 20,
  objectCount: 0,
  classCounts: [],
  unreadableCount: 0,
};

/** A file that was uploaded, as the system writes it: with a drive on Windows. */
const UPLOADED = { path: resolve('/up/a.tif'), uri: pathToFileURL('/up/a.tif').href };

interface World {
  /** Files by path: width, height and hash. */
  files: Record<
    string,
    {
      width: number;
      height: number;
      sha256?: string;
      levels?: { width: number; height: number }[];
      pages?: ImagePage[];
      orientation?: number;
    }
  >;
  workspace?: string[];
  record?: UploadedImage;
  /** The ID of the item that the record is of, if not that of the image. */
  recordOf?: string;
  items?: { id: string; path: string }[];
  origin?: string;
  selects?: string;
  stored?: { path: string; use?: BackgroundImageUse | undefined };
}

function finder(world: World) {
  const opened: string[] = [];
  const openedFor: number[] = [];
  const closed: number[] = [];
  const file = (path: string) => {
    const known = world.files[path];
    if (!known) throw new CodedError('not-a-file', path);
    return known;
  };
  const made = new BackgroundImageFinder(
    { ...source, ...(world.items && { analyzedItems: () => Promise.resolve(world.items) }) },
    {
      uploadRecord: (_source, id) =>
        Promise.resolve(id === (world.recordOf ?? image.id) ? world.record : undefined),
      unchangedUploads: () => Promise.resolve(new Map()),
      workspaceFilesNamed: name =>
        Promise.resolve((world.workspace ?? []).filter(path => path.endsWith(`/${name}`)).map(uri)),
      storedChoice: () =>
        Promise.resolve(world.stored && { uri: uri(world.stored.path), use: world.stored.use }),
      storeChoice: (_source, _id, chosen, use) => {
        world.stored = { path: typeof chosen === 'string' ? chosen : chosen.path, use };
        return Promise.resolve();
      },
      removeChoice: () => {
        delete world.stored;
        return Promise.resolve();
      },
      selectFile: () => Promise.resolve(world.selects === undefined ? undefined : uri(world.selects)),
    },
    {
      openBackgroundImage: async (path, { level = 0, page = 0, turned, image: of }) => {
        const { levels = [], pages = [], orientation, ...size } = await Promise.resolve(path).then(file);
        opened.push(path);
        openedFor.push(of);
        const { width, height } = turned ? { width: size.height, height: size.width } : size;
        const taken = levels[level] ?? pages.find(one => one.page === page) ?? { width, height };
        return {
          backgroundImage: opened.length,
          width: taken.width,
          height: taken.height,
          channels: 1,
          bitsPerSample: 8,
          sampleKind: 'unsigned',
          name: path,
          fileSize: 5,
          notes: orientation ? orientationNote(orientation) : [],
          look: { page: 0, z: 0, t: 0, channels: [] },
          channelNames: [],
          axes: { page: 1, z: 1, t: 1 },
          levels,
          level,
          pages,
          firstPage: page,
        } satisfies OpenedBackgroundImage;
      },
      closeBackgroundImage: backgroundImage => {
        closed.push(backgroundImage);
        return Promise.resolve();
      },
      hashFile: async path => ({ sha256: (await Promise.resolve(path).then(file)).sha256 ?? '', size: 5 }),
      imageOrigin: () => Promise.resolve(world.origin ?? null),
      localPath: target => Promise.resolve(typeof target === 'string' ? fileURLToPath(target) : target.path),
    },
  );
  return { finder: made, opened, openedFor, closed };
}

const size = { width: 10, height: 20 };

describe('The background image of masks', () => {
  it('is the uploaded file, when it is still the same', async () => {
    const record = { uri: UPLOADED.uri, sha256: 'AB', size: 5, isUnchanged: false };
    const { finder: found } = finder({ files: { [UPLOADED.path]: { ...size, sha256: 'ab' } }, record });
    const result = await found.find(image, signal);
    assert.ok(result.state === 'paired' && result.by === 'record' && result.path === UPLOADED.path);
  });

  it('is the uploaded file of the item that has the path of the image, where the archive does not name the item', async () => {
    const record = { uri: UPLOADED.uri, size: 5, isUnchanged: true };
    const items = [
      { id: 'one', path: 'control/a.tif' },
      { id: 'two', path: 'treated/a.tif' },
    ];
    const world = { files: { [UPLOADED.path]: size }, record, recordOf: 'two', items };
    const found = await finder({ ...world, origin: 'treated/a.tif' }).finder.find(image, signal);
    assert.ok(found.state === 'paired' && found.by === 'record');
    const other = await finder({ ...world, origin: 'control/a.tif' }).finder.find(image, signal);
    assert.equal(other.state, 'missing');
  });

  it('is found again where the image was linked in another way', async () => {
    const world: World = {
      files: { '/w/control/a.tif': size, '/w/treated/a.tif': size },
      workspace: ['/w/control/a.tif', '/w/treated/a.tif'],
    };
    const { finder: found } = finder(world);
    assert.equal((await found.find(image, signal)).state, 'missing');
    assert.deepEqual(await found.relinked(signal), []);
    world.origin = 'treated/a.tif';
    assert.deepEqual(await found.relinked(signal), [0]);
    const again = await found.find(image, signal);
    assert.ok(again.state === 'paired' && again.path === '/w/treated/a.tif');
    assert.deepEqual(await found.relinked(signal), []);
  });

  it('is opened for its image, whose progress is reported', async () => {
    const record = { uri: UPLOADED.uri, size: 5, isUnchanged: true };
    const { finder: found, openedFor } = finder({ files: { [UPLOADED.path]: size }, record });
    await found.find({ ...image, index: 4 }, signal);
    assert.deepEqual(openedFor, [4]);
  });

  it('is the uploaded file, without being hashed when it was not touched since', async () => {
    for (const hash of [{}, { sha256: 'never compared' }]) {
      const record = { uri: UPLOADED.uri, size: 5, isUnchanged: true, ...hash };
      const result = await finder({ files: { [UPLOADED.path]: size }, record }).finder.find(image, signal);
      assert.ok(result.state === 'paired' && result.by === 'record' && result.path === UPLOADED.path);
    }
  });

  it('is not the uploaded file when that was touched and has no hash', async () => {
    const record = { uri: UPLOADED.uri, size: 5, isUnchanged: false };
    const result = await finder({ files: { [UPLOADED.path]: size }, record }).finder.find(image, signal);
    assert.equal(result.state, 'missing');
  });

  it('is looked for elsewhere when the uploaded file has changed or is gone', async () => {
    const changed: World['files'] = { [UPLOADED.path]: { ...size, sha256: 'other' }, '/w/a.tif': size };
    for (const files of [changed, { '/w/a.tif': size }]) {
      const record = { uri: UPLOADED.uri, sha256: 'ab', size: 5, isUnchanged: false };
      const result = await finder({ files, record, workspace: ['/w/a.tif'] }).finder.find(image, signal);
      assert.ok(result.state === 'suggested' && result.path === '/w/a.tif' && result.isOther);
    }
  });

  it('is found by its content where it was moved or copied, and is only suggested by its path where that says otherwise', async () => {
    const record = { uri: UPLOADED.uri, sha256: 'AB', size: 5, isUnchanged: false };
    const world = (sha256?: string): World => ({
      files: { '/w/x/a.tif': { ...size, ...(sha256 && { sha256 }) } },
      record,
      workspace: ['/w/x/a.tif'],
      origin: 'x/a.tif',
    });
    const moved = await finder(world('ab')).finder.find(image, signal);
    assert.ok(moved.state === 'paired' && moved.by === 'record' && moved.path === '/w/x/a.tif');
    const { finder: found, closed } = finder(world('other'));
    const other = await found.find(image, signal);
    assert.ok(other.state === 'suggested' && other.isOther && other.path === '/w/x/a.tif');
    assert.deepEqual(closed, [1]);
  });

  it('is only suggested where the uploaded file was changed in its place', async () => {
    const record = { uri: UPLOADED.uri, size: 5, isUnchanged: false, sha256: 'ab' };
    const world: World = {
      files: { [UPLOADED.path]: { ...size, sha256: 'changed' } },
      record,
      workspace: [UPLOADED.path],
      origin: 'up/a.tif',
    };
    const changed = await finder(world).finder.find(image, signal);
    assert.ok(changed.state === 'suggested' && changed.isOther);
  });

  it('is searched as before once what was selected is undone', async () => {
    const world: World = {
      files: { '/w/a.tif': size, '/w/b.tif': size },
      workspace: ['/w/a.tif'],
      selects: '/w/b.tif',
    };
    const { finder: made } = finder(world);
    const chosen = await made.choose(image, signal);
    assert.ok(chosen.state === 'paired' && chosen.by === 'choice' && chosen.path === '/w/b.tif');
    const undone = await made.undoChoice(image, signal);
    assert.ok(undone.state === 'suggested' && undone.path === '/w/a.tif');
    assert.equal((await finder(world).finder.find(image, signal)).state, 'suggested');
  });

  it('is paired by folder and name, with the path of the objects table', async () => {
    const world = {
      files: { '/w/x/a.tif': size, '/w/y/a.tif': size },
      workspace: ['/w/x/a.tif', '/w/y/a.tif'],
      origin: 'y/a.tif',
    };
    const result = await finder(world).finder.find(image, signal);
    assert.ok(result.state === 'paired' && result.by === 'path' && result.path === '/w/y/a.tif');
    const elsewhere = await finder({ ...world, origin: 'run/y/a.tif' }).finder.find(image, signal);
    assert.ok(elsewhere.state === 'suggested' && elsewhere.path === '/w/y/a.tif');
  });

  it('is not guessed among several files', async () => {
    const world = {
      files: { '/w/x/a.tif': size, '/w/y/a.tif': size },
      workspace: ['/w/x/a.tif', '/w/y/a.tif'],
    };
    assert.deepEqual(await finder(world).finder.find(image, signal), { state: 'missing', sameName: 2 });
  });

  it('is only suggested where the name alone matches, and paired for good once confirmed', async () => {
    const world: World = { files: { '/w/a.tif': size }, workspace: ['/w/a.tif'] };
    const { finder: first, closed } = finder(world);
    assert.equal((await first.find(image, signal)).state, 'suggested');
    assert.deepEqual(closed, [1]);
    const confirmed = await first.confirm(image, signal);
    assert.ok(confirmed.state === 'paired' && confirmed.by === 'choice');
    assert.equal(await first.find(image, signal), confirmed);
    const later = await finder(world).finder.find(image, signal);
    assert.ok(later.state === 'paired' && later.by === 'choice');
  });

  it('of another size than the masks is not painted', async () => {
    const world = { files: { '/w/a.tif': { width: 5, height: 10 } }, workspace: ['/w/a.tif'] };
    const { finder: found, closed } = finder(world);
    assert.equal((await found.find(image, signal)).state, 'other-size');
    assert.deepEqual(closed, [1]);
  });

  it('of which several images have the size of the masks is not taken unasked, and the one that is selected is stored', async () => {
    const area = (number: number, page: number): ImagePage => ({
      ...size,
      page,
      role: { kind: 'area', number },
    });
    const pages = [area(1, 0), area(2, 4), { ...size, page: 8, role: { kind: 'macro' } } as const];
    const world: World = {
      files: { '/w/a.scn': { ...size, levels: [size], pages } },
      stored: { path: '/w/a.scn' },
    };
    const { finder: found } = finder(world);
    const first = await found.find(image, signal);
    assert.ok(first.state === 'other-size' && first.fitting === 2);
    assert.deepEqual(first.offers, [
      { kind: 'page', ...area(1, 0) },
      { kind: 'page', ...area(2, 4) },
      { kind: 'scaled', ...size },
    ]);
    const [, second = assert.fail()] = first.offers;
    const accepted = await found.accept(image, second, signal);
    assert.ok(accepted.state === 'paired' && accepted.backgroundImage.firstPage === 4);
    assert.deepEqual(world.stored, { path: '/w/a.scn', use: { page: 4 } });
    const again = await finder(world).finder.find(image, signal);
    assert.ok(again.state === 'paired' && again.backgroundImage.firstPage === 4);
  });

  it('of which one image alone has the size of the masks is that one', async () => {
    const pages: ImagePage[] = [
      { ...size, page: 0, role: { kind: 'slide' } },
      { ...size, page: 1, role: { kind: 'macro' } },
    ];
    const world: World = { files: { '/w/a.ndpi': { ...size, pages } }, stored: { path: '/w/a.ndpi' } };
    assert.equal((await finder(world).finder.find(image, signal)).state, 'paired');
  });

  it('of another size is offered by the level or the page that fits, and stretched; what is accepted is stored', async () => {
    const levels = [{ width: 40, height: 80 }, { width: 20, height: 40 }, size];
    const pages = [
      { width: 40, height: 80, page: 0 },
      { ...size, page: 3 },
    ];
    const file = { width: 40, height: 80 };
    for (const [more, offer, use] of [
      [{ levels }, { kind: 'level', level: 2, ...size }, { level: 2 }],
      [{ pages }, { kind: 'page', page: 3, ...size }, { page: 3 }],
    ] as const) {
      const world: World = {
        files: { '/w/a.tif': { ...file, ...more } },
        workspace: ['/w/a.tif'],
      };
      const { finder: found } = finder(world);
      const first = await found.find(image, signal);
      assert.ok(first.state === 'other-size');
      assert.deepEqual(first.offers, [offer, { kind: 'scaled', ...file }]);
      const accepted = await found.accept(image, offer, signal);
      assert.ok(accepted.state === 'paired' && !accepted.stretched && accepted.backgroundImage.width === 10);
      assert.deepEqual(world.stored, { path: '/w/a.tif', use });
      const later = await finder(world).finder.find(image, signal);
      assert.ok(later.state === 'paired' && later.by === 'choice' && later.backgroundImage.width === 10);
    }
  });

  it('that its EXIF orientation turns to the size of the masks is offered turned before it is stretched', async () => {
    const file = { width: 20, height: 10 };
    const offersOf = async (orientation: number, masks = image) => {
      const world: World = { files: { '/w/a.jpg': { ...file, orientation } }, selects: '/w/a.jpg' };
      const { finder: found } = finder(world);
      const first = await found.choose(masks, signal);
      assert.ok(first.state === 'other-size');
      return { world, found, first };
    };
    const { world, found, first } = await offersOf(6);
    const [turned] = first.offers;
    assert.deepEqual(first.offers, [
      { kind: 'turned', turned: 6, ...size },
      { kind: 'scaled', ...file },
    ]);
    assert.equal(first.orientation, 6);
    const accepted = await found.accept(image, turned ?? assert.fail(), signal);
    assert.ok(accepted.state === 'paired' && !accepted.stretched && accepted.backgroundImage.width === 10);
    assert.deepEqual(world.stored?.use, { turned: 6 });
    const later = await finder(world).finder.find(image, signal);
    assert.ok(later.state === 'paired' && later.backgroundImage.width === 10);
    // Neither an image that is rotated by 180°, nor one of another shape.
    for (const { first: other } of [await offersOf(3), await offersOf(6, { ...image, width: 11 })])
      assert.deepEqual([other.offers, other.orientation], [[{ kind: 'scaled', ...file }], undefined]);
  });

  it('of another size that was selected is stretched to fit only after a confirmation', async () => {
    const world: World = { files: { '/p/half.png': { width: 5, height: 10 } }, selects: '/p/half.png' };
    const { finder: found } = finder(world);
    const chosen = await found.choose(image, signal);
    assert.ok(chosen.state === 'other-size');
    assert.deepEqual(chosen.offers, [{ kind: 'scaled', width: 5, height: 10 }]);
    await assert.rejects(found.accept(image, { kind: 'level', level: 0, ...size }, signal), error =>
      isCoded(error, 'bad-request'),
    );
    const accepted = await found.accept(image, chosen.offers[0] ?? assert.fail(), signal);
    assert.ok(accepted.state === 'paired' && accepted.stretched);
    const later = await finder(world).finder.find(image, signal);
    assert.ok(later.state === 'paired' && later.stretched);
  });

  it('can be selected; Esc changes nothing, an invalid selection replaces nothing', async () => {
    const world: World = { files: { '/p/b.tif': size, '/p/small.tif': { width: 1, height: 1 } } };
    const { finder: found } = finder(world);
    assert.deepEqual(await found.choose(image, signal), { state: 'missing', sameName: 0 });
    world.selects = '/p/b.tif';
    const chosen = await found.choose(image, signal);
    assert.ok(chosen.state === 'paired' && chosen.path === '/p/b.tif');
    world.selects = '/p/small.tif';
    assert.equal((await found.choose(image, signal)).state, 'other-size');
    assert.equal(await found.find(image, signal), chosen);
    assert.equal(world.stored?.path, '/p/b.tif');
  });

  it('is not waited for after loading is stopped, and looked for again on request', async () => {
    const world: World = { files: { '/w/a.tif': size }, workspace: ['/w/a.tif'] };
    const { finder: found } = finder(world);
    const first = found.find(image, signal);
    // Stopped as soon as it has begun.
    await Promise.resolve();
    await Promise.resolve();
    found.stop(image.index);
    await assert.rejects(first, error => isCoded(error, 'cancelled'));
    assert.equal((await found.find(image, signal)).state, 'suggested');
    found.stop(image.index);
  });

  it('is looked for again where the selected one is gone', async () => {
    const world: World = {
      files: { '/w/a.tif': size },
      workspace: ['/w/a.tif'],
      stored: { path: '/gone/a.tif' },
    };
    assert.equal((await finder(world).finder.find(image, signal)).state, 'suggested');
  });
});

describe('The path of a background image', () => {
  it('is shown as Windows writes it, with its drive or its server', () => {
    assert.equal(displayPath('file:///c%3A/Data/a%20b.tif', true), 'c:\\Data\\a b.tif');
    assert.equal(displayPath('file:///C:/Data/a.tif', true), 'C:\\Data\\a.tif');
    assert.equal(displayPath('file://nas/plates/a.tif', true), '\\\\nas\\plates\\a.tif');
  });

  it('is shown as other systems write it', () => {
    assert.equal(displayPath('file:///home/me/a%20b.tif', false), '/home/me/a b.tif');
    assert.equal(displayPath('memory:/plates/a%C3%A9.tif', false), '/plates/a\u00e9.tif');
    assert.equal(displayPath('no URI', false), 'no URI');
  });
});
