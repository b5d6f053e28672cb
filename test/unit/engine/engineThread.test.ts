import assert from 'node:assert/strict';
import { encode } from 'fast-png';
import { isCoded } from '../../../src/base/errors';
import { TILE_SIZE } from '../../../src/protocol/tiles';
import { image, index, rectangle, writeArchive } from '../results/masks/archives';
import { useEngineThreads } from './engineThreads';

describe('an engine thread', () => {
  const threads = useEngineThreads();

  const objectsTable = (text: string) => threads.file('objects.csv', text);

  const masksEntries = {
    'index.json': index('Small', 'Large'),
    'a_objects.json': image(
      'a',
      300,
      300,
      [rectangle(1, 10, 20, 14, 24, 'Small'), rectangle(2, 100, 100, 120, 130, 'Large')],
      'a.tif',
    ),
    'b_objects.json': image('b', 50, 50, [], 'b.tif'),
    'c_objects.json': image('c', 50, 50, [rectangle(1, 0, 0, 2, 2, 'Large')], 'c.tif'),
  };

  it('opens a table and gives its rows under a sort', async () => {
    const path = await objectsTable('Image origin,Object ID\nx/a.tif,2.0\nx/a.tif,10\n');
    const summary = await threads.current.endpoint.request('openTable', { table: 'objects', path });
    assert.deepEqual(summary, {
      columns: [
        { index: 0, name: 'Image origin', kind: 'text' },
        { index: 1, name: 'Object ID', kind: 'number' },
      ],
      rowCount: 2,
      delimiter: ',',
      raggedRows: { count: 0, first: [] },
    });
    const sort = [{ column: 1, descending: true }];
    assert.deepEqual(
      await threads.current.endpoint.request('tableRows', { table: 'objects', start: 0, end: 5, sort }),
      {
        rows: [
          ['x/a.tif', '10'],
          ['x/a.tif', '2.0'],
        ],
        fileRows: [1, 0],
      },
    );
    assert.deepEqual(
      await threads.current.endpoint.request('tablePosition', { table: 'objects', row: 0, sort }),
      {
        position: 1,
      },
    );
    await assert.rejects(
      threads.current.endpoint.request('tableRows', { table: 'aggregate', start: 0, end: 5, sort: [] }),
      error => isCoded(error, 'bad-request'),
    );
  });

  it('opens masks, paints their labels twice, and finds objects', async () => {
    const { path, remove } = await writeArchive(masksEntries);
    const progress: number[] = [];
    threads.current.endpoint.on('progress', ({ what, done }) => {
      if (what === 'masks') progress.push(done);
    });
    try {
      const summary = await threads.current.endpoint.request('openMasks', { path });
      assert.deepEqual(summary.classes, [
        { name: 'Small', count: 1 },
        { name: 'Large', count: 2 },
      ]);
      for (let round = 0; round < 2; round++) {
        const { labels } = await threads.current.endpoint.request('labelTile', {
          image: 0,
          level: 0,
          x: 0,
          y: 0,
        });
        const pixels = new Uint32Array(labels);
        assert.equal(pixels[20 * TILE_SIZE + 10], 1);
        assert.equal(pixels[129 * TILE_SIZE + 119], 2);
        assert.equal(pixels.filter(label => label === 2).length, 600);
        const objects = await threads.current.endpoint.request('maskObjects', { image: 0 });
        assert.deepEqual([...new Uint16Array(objects.classes)], [0, 1]);
        assert.deepEqual([...new Float64Array(objects.ids)], [1, 2]);
        assert.deepEqual([...new Int32Array(objects.boxes)], [10, 20, 14, 24, 100, 100, 120, 130]);
      }
      assert.deepEqual(await threads.current.endpoint.request('objectsAt', { image: 0, x: 100, y: 100 }), {
        objects: [1],
      });
      assert.equal(progress.at(-1), 3);
    } finally {
      await remove();
    }
  });

  it('ties rows to objects, both ways', async () => {
    const { path, remove } = await writeArchive(masksEntries);
    try {
      const table = await objectsTable(
        'Image origin,Object ID,Area,X Position,Y Position\n' +
          'run/c.tif,1.0,8,0.5,0.5\nrun/a.tif,2,1200,109.5,114.5\nrun/a.tif,9,1,0,0\n',
      );
      await threads.current.endpoint.request('openTable', { table: 'objects', path: table });
      await assert.rejects(threads.current.endpoint.request('linkRows', {}), error =>
        isCoded(error, 'bad-request'),
      );
      assert.deepEqual(await threads.current.endpoint.request('rowOfObject', { image: 0, object: 1 }), {
        row: null,
      });
      await threads.current.endpoint.request('openMasks', { path });
      assert.deepEqual(await threads.current.endpoint.request('linkRows', {}), {
        imageColumn: 'Image origin',
        idColumn: 'Object ID',
        matched: 2,
        rowsWithoutObject: 1,
        objectsWithoutRow: 1,
        ambiguous: 0,
        areaRatio: 2,
        areaRatioConstant: true,
        positionOffset: { x: -0.5, y: -0.5, constant: true },
      });
      assert.deepEqual(await threads.current.endpoint.request('objectOfRow', { row: 0 }), {
        object: { image: 2, object: 0 },
      });
      assert.deepEqual(await threads.current.endpoint.request('objectOfRow', { row: 1 }), {
        object: { image: 0, object: 1 },
      });
      assert.deepEqual(await threads.current.endpoint.request('objectOfRow', { row: 2 }), { object: null });
      assert.deepEqual(await threads.current.endpoint.request('rowOfObject', { image: 2, object: 0 }), {
        row: 0,
      });
      assert.deepEqual(await threads.current.endpoint.request('rowOfObject', { image: 2, object: 1 }), {
        row: null,
      });
      assert.deepEqual(await threads.current.endpoint.request('imageOrigin', { image: 0 }), {
        origin: 'run/a.tif',
      });
      assert.deepEqual(await threads.current.endpoint.request('imageOrigin', { image: 1 }), { origin: null });
      const details = await threads.current.endpoint.request('objectDetails', { image: 0, object: 1 });
      assert.deepEqual(details, {
        image: 0,
        object: 1,
        id: 2,
        className: 'Large',
        bbox: [100, 100, 120, 130],
        area: 600,
        centroid: [110, 115],
        perimeter: 96,
        row: 1,
      });
    } finally {
      await remove();
    }
  });

  it('paints pictures', async () => {
    const path = await threads.file(
      'picture.png',
      encode({ width: 2, height: 1, channels: 3, data: Uint8Array.of(1, 2, 3, 4, 5, 6) }),
    );
    const info = await threads.current.endpoint.request('openPicture', { path });
    assert.deepEqual([info.width, info.height, info.channels, info.name], [2, 1, 3, 'picture.png']);
    const { pixels } = await threads.current.endpoint.request('pictureTile', {
      picture: info.picture,
      level: 0,
      x: 0,
      y: 0,
    });
    assert.deepEqual([...new Uint8Array(pixels).subarray(0, 8)], [1, 2, 3, 255, 4, 5, 6, 255]);
    await threads.current.endpoint.request('closePicture', { picture: info.picture });
    await assert.rejects(threads.current.endpoint.request('openPicture', { path: threads.script }), error =>
      isCoded(error, 'bad-request'),
    );
  });

  it('stops what is cancelled and goes on answering', async () => {
    const rows = Array.from({ length: 300_000 }, (_, row) => `text ${(row * 7919) % 300_007}`);
    const path = await objectsTable(['name', ...rows].join('\n'));
    await threads.current.endpoint.request('openTable', { table: 'objects', path });
    const sort = [{ column: 0, descending: false }];
    const controller = new AbortController();
    const cancelled = threads.current.endpoint.request(
      'tableRows',
      { table: 'objects', start: 0, end: 2, sort },
      controller.signal,
    );
    controller.abort();
    await assert.rejects(cancelled, error => isCoded(error, 'cancelled'));
    const { rows: first } = await threads.current.endpoint.request('tableRows', {
      table: 'objects',
      start: 0,
      end: 2,
      sort: [],
    });
    assert.deepEqual(first, [['text 0'], ['text 7919']]);
    const { rows: sorted } = await threads.current.endpoint.request('tableRows', {
      table: 'objects',
      start: 0,
      end: 2,
      sort,
    });
    assert.deepEqual(sorted, [['text 0'], ['text 1']]);
  });

  it('answers a short question while a long one is under way', async () => {
    const rows = Array.from({ length: 300_000 }, (_, row) => `text ${(row * 7919) % 300_007}`);
    await threads.current.endpoint.request('openTable', {
      table: 'objects',
      path: await objectsTable(['name', ...rows].join('\n')),
    });
    const answered: string[] = [];
    const sort = [{ column: 0, descending: false }];
    await Promise.all([
      threads.current.endpoint
        .request('tableRows', { table: 'objects', start: 0, end: 1, sort })
        .then(() => answered.push('sorted')),
      threads.current.endpoint
        .request('tableRows', { table: 'objects', start: 0, end: 1, sort: [] })
        .then(() => answered.push('plain')),
    ]);
    assert.deepEqual(answered, ['plain', 'sorted']);
  });

  it('that is disposed rejects what was asked, and what is asked later', async () => {
    const path = await objectsTable('a\n1\n');
    const asked = threads.current.endpoint.request('openTable', { table: 'objects', path });
    threads.current.dispose();
    await assert.rejects(asked, error => isCoded(error, 'cancelled'));
    await assert.rejects(threads.current.endpoint.request('hashFile', { path }), error =>
      isCoded(error, 'cancelled'),
    );
  });

  it('that crashes rejects what was asked and says so', async () => {
    const broken = await threads.file(
      'broken.js',
      'setImmediate(() => { throw new Error("out of luck"); });',
    );
    const crashing = threads.thread(broken);
    const crash = new Promise<Error>(resolve => crashing.onDidCrash(resolve));
    await assert.rejects(crashing.endpoint.request('hashFile', { path: broken }), /out of luck/);
    assert.match((await crash).message, /out of luck/);
    await assert.rejects(crashing.endpoint.request('hashFile', { path: broken }), /out of luck/);
  });
});
