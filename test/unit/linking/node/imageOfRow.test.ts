import { deepEqual } from 'node:assert/strict';
import type { MaskImage } from '../../../../src/archives/masksSummary';
import { ImageOfRow } from '../../../../src/linking/node/sessionRows';

/** The aggregate table of two images and of their group; responses come when `answer` is called. */
function rowsUnderTest(
  images: readonly (Pick<MaskImage, 'id' | 'filename' | 'path'> & { width?: number; height?: number })[] = [
    { id: 'a', filename: 'plate/a.tif' },
    { id: 'b', filename: 'plate/b.tif' },
  ],
  linkSettled = () => Promise.resolve(),
  hasSizes = false,
) {
  const shown: number[] = [];
  const errors: unknown[] = [];
  const cells = ['All images', 'plate/a.tif', 'b.tif'];
  const sides = ['', '10', '30'];
  const pending: (() => void)[] = [];
  const row = new ImageOfRow({
    images: () => (images.length > 0 ? (images as MaskImage[]) : undefined),
    linkSettled,
    columns: () =>
      Promise.resolve([
        { index: 0, name: 'Group', kind: 'text' },
        { index: 1, name: 'Image origin', kind: 'text' },
        ...(hasSizes
          ? (['Image width', 'Image height'] as const).map((name, at) => ({
              ...{ index: 2 + at, name, kind: 'number' as const },
            }))
          : []),
      ]),
    cell: (at, column) =>
      column > 1
        ? Promise.resolve(sides[at] ?? '')
        : new Promise((resolve, reject) =>
            pending.push(() => (at === 9 ? reject(new Error('lost')) : resolve(cells[at] ?? ''))),
          ),
    onError: error => errors.push(error),
  });
  row.onDidShow(image => shown.push(image));
  const select = async (...rows: number[]) => {
    const selecting = rows.map(at => row.select(at));
    while (pending.length < rows.length && images.length > 0) await Promise.resolve();
    for (const answer of pending.splice(0).reverse()) answer();
    await Promise.all(selecting);
  };
  return { select, shown, errors, row };
}

describe('A row of the aggregate table', () => {
  it('shows the image that it is about', async () => {
    const { select, shown } = rowsUnderTest();
    await select(1);
    await select(2);
    deepEqual(shown, [0, 1]);
  });

  it('shows none of another size than it says', async () => {
    const of = (name: string) => ({ id: name, filename: `plate/${name}.tif`, width: 10, height: 10 });
    const { select, shown } = rowsUnderTest([of('a'), of('b')], undefined, true);
    await select(1);
    await select(2);
    deepEqual(shown, [0]);
  });

  it('shows none where it is of a group, no masks are open, or the cell cannot be read', async () => {
    const { select, shown, errors } = rowsUnderTest();
    await select(0);
    await select(9);
    deepEqual([shown, errors.length], [[], 1]);
    const closed = rowsUnderTest([]);
    await closed.select(1);
    deepEqual(closed.shown, []);
  });

  it('shows the image whose path the link tells, where several have its name', async () => {
    const images: { id: string; filename: string; path?: string }[] = [
      { id: 'x', filename: 'a.tif' },
      { id: 'y', filename: 'a.tif' },
    ];
    const { select, shown, row } = rowsUnderTest(images, () => {
      for (const [at, folder] of ['other', 'plate'].entries())
        Object.assign(images[at] ?? {}, { path: `${folder}/a.tif` });
      row.linked();
      return Promise.resolve();
    });
    await select(1);
    deepEqual(shown, [1]);
  });

  it('shows only the image of the latest', async () => {
    const { select, shown } = rowsUnderTest();
    await select(1, 2);
    deepEqual(shown, [1]);
  });

  it('is matched without a look at all images again', async () => {
    let reads = 0;
    const image = {
      id: 'a',
      get filename() {
        reads++;
        return 'plate/a.tif';
      },
    };
    const { select, shown } = rowsUnderTest([image]);
    await select(1);
    const before = reads;
    await select(1);
    deepEqual([shown, reads], [[0, 0], before]);
  });
});
