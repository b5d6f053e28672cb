import { reason } from '../../../../src/base/reasons';
import { deepEqual, equal, rejects } from 'node:assert/strict';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ResultSession } from '../../../../src/session/node/resultSession';
import { SessionImages } from '../../../../src/session/node/imageFileResult';
import { type InProcessEngine } from './inProcessEngine';
import { openSession } from './sessionFixture';

const { signal } = new AbortController();
const golden = (name: string) => join('test/golden/images', name);

/** What requests about images have in common. */
interface OfImage {
  page?: number;
  backgroundImage?: number;
}

describe('The images of an image file', () => {
  let folder: string;
  let path: string;
  let engines: InProcessEngine[];
  let session: ResultSession;
  let closings: number;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'image-analysis-session-images-test-'));
    path = join(folder, 'pages.tif');
    await copyFile(golden('pages-of-two-sizes.tif'), path);
    const source = {
      key: 'image:pages',
      title: 'pages.tif',
      restore: null,
      path: () => Promise.resolve(path),
    };
    ({ session, engines } = openSession(source));
    closings = 0;
    session.images.onDidClose(() => closings++);
  });
  afterEach(async () => {
    session.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  const requests = () => engines.flatMap(engine => engine.requests);

  it('are opened once each for all panels, without opening masks', async () => {
    const [first, again] = await Promise.all([
      session.images.open(undefined, signal),
      session.images.open(undefined, signal),
    ]);
    equal(first.backgroundImage, again.backgroundImage);
    const [, second] = first.pages;
    const other = await session.images.open(second?.page, signal);
    deepEqual([other.width, other.height], [second?.width, second?.height]);
    deepEqual(requests(), ['openBackgroundImage', 'openBackgroundImage']);
  });

  it('are opened ahead with the tile of the whole image, which a page gets without another request', async () => {
    await session.images.openAhead(signal);
    const { backgroundImage, look } = await session.images.open(undefined, signal);
    const whole = { backgroundImage, level: 0, x: 0, y: 0, look };
    const tile = await session.images.tile(whole, signal);
    equal(tile.pixels.byteLength, 256 * 256 * 4);
    deepEqual(requests(), ['openBackgroundImage', 'backgroundImageTile']);
    // The first page has its buffer: another page, and other tiles, are requested.
    deepEqual(await session.images.tile(whole, signal), tile);
    await session.images.tile({ ...whole, x: 1 }, signal);
    equal(requests().length, 4);
  });

  it('that were opened ahead give no tile of an earlier file or an earlier thread', async () => {
    await session.images.openAhead(signal);
    const { backgroundImage, look } = await session.images.open(undefined, signal);
    const whole = { backgroundImage, level: 0, x: 0, y: 0, look };
    engines[0]?.crash(new Error('Out of memory'));
    await rejects(session.images.tile(whole, signal), { code: 'bad-request' });
    await session.images.openAhead(signal);
    await session.images.close();
    await rejects(session.images.tile(whole, signal), { code: 'bad-request' });
  });

  it('are of the file as it is once they were closed', async () => {
    const before = await session.images.open(undefined, signal);
    await copyFile(golden('gray16-lzw.tif'), path);
    await session.images.close();
    equal(closings, 1);
    const params = { backgroundImage: before.backgroundImage, x: 0, y: 0 };
    await rejects(session.images.request('pixelValues', params, signal), { code: 'bad-request' });
    const after = await session.images.open(undefined, signal);
    deepEqual([after.bitsPerSample, after.compression, after.pages], [16, 'LZW', []]);
  });

  it('are all closed, which is told, also where one could not be', async () => {
    const closed: unknown[] = [];
    let events = 0;
    const request = (method: string, params: object) => {
      const { page = 0, backgroundImage }: OfImage = params;
      if (method === 'openBackgroundImage') return Promise.resolve({ backgroundImage: page } as never);
      closed.push(backgroundImage);
      return backgroundImage === 0
        ? Promise.reject(new Error('the engine is gone'))
        : Promise.resolve({} as never);
    };
    const images = new SessionImages({
      path: () => Promise.resolve(path),
      request,
    });
    images.onDidClose(() => events++);
    for (const page of [undefined, 1, 2]) await images.open(page, signal);
    await rejects(images.close(), /the engine is gone/);
    deepEqual([closed, events], [[0, 1, 2], 1]);
  });

  it('are opened with the page by which their progress is told apart', async () => {
    const named: unknown[] = [];
    const images = new SessionImages({
      path: () => Promise.resolve(path),
      request: (_method: string, params: object) => {
        named.push('image' in params ? params.image : undefined);
        return Promise.resolve({ backgroundImage: named.length } as never);
      },
    });
    for (const page of [undefined, 1, 2]) await images.open(page, signal);
    deepEqual(named, [undefined, 1, 2]);
  });

  it('do not stay open when they were being opened while the others were closed, and are opened again', async () => {
    const open = new Set<number>();
    let opened = 0;
    let respond: () => void = () => undefined;
    const response = new Promise<void>(resolve => (respond = resolve));
    const request = (method: string, params: object) => {
      if (method === 'closeBackgroundImage') {
        const { backgroundImage = 0 }: OfImage = params;
        open.delete(backgroundImage);
        return Promise.resolve({} as never);
      }
      const backgroundImage = ++opened;
      open.add(backgroundImage);
      return (backgroundImage === 1 ? response : Promise.resolve()).then(
        () => ({ backgroundImage }) as never,
      );
    };
    const images = new SessionImages({ path: () => Promise.resolve(path), request });
    const opening = images.open(undefined, signal);
    await new Promise(resolve => setImmediate(resolve));
    const closing = images.close();
    respond();
    await closing;
    const again = await images.open(undefined, signal);
    deepEqual([(await opening).backgroundImage, again.backgroundImage, ...open], [2, 2, 2]);
    await images.close();
    equal(open.size, 0);
  });

  it('open again after a crash, which is told', async () => {
    await session.images.open(undefined, signal);
    engines[0]?.crash(new Error('Out of memory'));
    equal(closings, 1);
    await session.images.open(undefined, signal);
    equal(engines.length, 2);
  });

  it('say why they cannot be opened where the file is damaged, and open once it was mended', async () => {
    await copyFile('package.json', path);
    await rejects(session.images.open(undefined, signal), {
      code: 'bad-request',
      details: { subject: 'pages.tif', reason: reason("The file isn't a PNG, JPEG, WebP or TIFF file") },
    });
    await copyFile(golden('gray1.png'), path);
    equal((await session.images.open(undefined, signal)).compression, 'Deflate');
  });
});
