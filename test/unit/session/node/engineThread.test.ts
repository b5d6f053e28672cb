import { reason } from '../../../../src/base/reasons';
import assert from 'node:assert/strict';
import { encode } from 'fast-png';
import { isCoded } from '../../../../src/base/errors';
import { receivedLabels } from '../../../../src/archives/labelRuns';
import { unpackIntegers } from '../../../../src/protocol/packed';
import { TILE_SIZE } from '../../../../src/protocol/tiles';
import { image, index, rectangle, writeArchive } from '../../archives/engine/archives';
import { useEngineThreads } from './engineThreads';

/** MB: enough for all tables here. */
const memory = 1024;

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

  it('opens a table and returns its rows in the order of a sort', async () => {
    const path = await objectsTable('Image origin,Object ID\nx/a.tif,2.0\nx/a.tif,10\n');
    const summary = await threads.current.endpoint.request('openTable', {
      table: 'objects',
      path,
      options: { memory },
    });
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
        const tile = await threads.current.endpoint.request('labelTile', {
          image: 0,
          level: 0,
          x: 0,
          y: 0,
        });
        const pixels = receivedLabels(tile, TILE_SIZE ** 2);
        assert.equal(pixels[20 * TILE_SIZE + 10], 1);
        assert.equal(pixels[129 * TILE_SIZE + 119], 2);
        assert.equal(pixels.filter(label => label === 2).length, 600);
        const { classes } = await threads.current.endpoint.request('objectClasses', { image: 0 });
        assert.deepEqual([...new Uint8Array(classes)], [0, 1]);
        const all = { image: 0, from: 0, count: 9 };
        const { boxes, kind } = await threads.current.endpoint.request('objectBoxes', all);
        assert.deepEqual([...unpackIntegers(boxes, kind)], [10, 20, 14, 24, 100, 100, 120, 130]);
      }
      assert.deepEqual(await threads.current.endpoint.request('objectsAt', { image: 0, x: 100, y: 100 }), {
        objects: [1],
      });
      assert.equal(progress.at(-1), 3);
    } finally {
      threads.stop();
      await remove();
    }
  });

  it('links 64-bit IDs that share a double, and shows all their digits', async () => {
    const ids = ['9223372036854775806', '9223372036854775807', '18446744073709551615'];
    const objects = ids.map((id, at) => {
      const json = JSON.stringify(rectangle(5, 10 * at, 0, 10 * at + 5, 5));
      return `"${id}":${json.replace('"id":5', `"id":${id}`)}`;
    });
    const { path, remove } = await writeArchive({
      'a_objects.json': `{"id":"a","filename":"a.tif","width":40,"height":40,"objects":{${objects.join()}}}`,
    });
    try {
      const table = await objectsTable(
        `Image origin,Object ID\na.tif,${ids[2]}\na.tif,${ids[0]}\na.tif,${ids[1]}\n`,
      );
      const { endpoint } = threads.current;
      await endpoint.request('openTable', { table: 'objects', path: table, options: { memory } });
      const { notes } = await endpoint.request('openMasks', { path });
      assert.deepEqual(notes, [reason('The archive has no index.json; classes come from the objects')]);
      const { matched, ambiguous } = await endpoint.request('linkRows', {});
      assert.deepEqual([matched, ambiguous], [3, 0]);
      for (const [object, row] of [1, 2, 0].entries()) {
        const details = await endpoint.request('objectDetails', { image: 0, object });
        assert.deepEqual([details.id, details.row], [ids[object], row]);
      }
    } finally {
      threads.stop();
      await remove();
    }
  });

  it('links rows and objects in both directions', async () => {
    const { path, remove } = await writeArchive(masksEntries);
    try {
      const table = await objectsTable(
        'Image origin,Object ID,Area,X Position,Y Position\n' +
          'run/c.tif,1.0,8,0.5,0.5\nrun/a.tif,2,1200,109.5,114.5\nrun/a.tif,9,1,0,0\n',
      );
      await threads.current.endpoint.request('openTable', {
        table: 'objects',
        path: table,
        options: { memory },
      });
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
      for (const [row, object] of [
        { image: 2, object: 0 },
        { image: 0, object: 1 },
      ].entries()) {
        const details = await threads.current.endpoint.request('objectDetails', object);
        assert.equal(details.row, row);
        assert.deepEqual(await threads.current.endpoint.request('objectOfRow', { row }), {
          object: { ...object, details },
        });
      }
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
      threads.stop();
      await remove();
    }
  });

  it('paints background images', async () => {
    const path = await threads.file(
      'background-image.png',
      encode({ width: 2, height: 1, channels: 3, data: Uint8Array.of(1, 2, 3, 4, 5, 6) }),
    );
    const info = await threads.current.endpoint.request('openBackgroundImage', { path });
    assert.deepEqual([info.width, info.height, info.channels, info.name], [2, 1, 3, 'background-image.png']);
    const { pixels } = await threads.current.endpoint.request('backgroundImageTile', {
      backgroundImage: info.backgroundImage,
      level: 0,
      x: 0,
      y: 0,
    });
    assert.deepEqual([...new Uint8Array(pixels).subarray(0, 8)], [1, 2, 3, 255, 4, 5, 6, 255]);
    await threads.current.endpoint.request('closeBackgroundImage', { backgroundImage: info.backgroundImage });
    await assert.rejects(
      threads.current.endpoint.request('openBackgroundImage', { path: threads.script }),
      error => isCoded(error, 'bad-request'),
    );
  });

  it('stops a canceled request and handles the next one', async () => {
    const rows = Array.from({ length: 300_000 }, (_, row) => `text ${(row * 7919) % 300_007}`);
    const path = await objectsTable(['name', ...rows].join('\n'));
    await threads.current.endpoint.request('openTable', { table: 'objects', path, options: { memory } });
    const sort = [{ column: 0, descending: false }];
    const controller = new AbortController();
    const canceled = threads.current.endpoint.request(
      'tableRows',
      { table: 'objects', start: 0, end: 2, sort },
      controller.signal,
    );
    controller.abort();
    await assert.rejects(canceled, error => isCoded(error, 'cancelled'));
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

  it('responds to a short request while a long one is running', async () => {
    const rows = Array.from({ length: 300_000 }, (_, row) => `text ${(row * 7919) % 300_007}`);
    await threads.current.endpoint.request('openTable', {
      table: 'objects',
      path: await objectsTable(['name', ...rows].join('\n')),
      options: { memory },
    });
    const responses: string[] = [];
    const sort = [{ column: 0, descending: false }];
    await Promise.all([
      threads.current.endpoint
        .request('tableRows', { table: 'objects', start: 0, end: 1, sort })
        .then(() => responses.push('sorted')),
      threads.current.endpoint
        .request('tableRows', { table: 'objects', start: 0, end: 1, sort: [] })
        .then(() => responses.push('plain')),
    ]);
    assert.deepEqual(responses, ['plain', 'sorted']);
  });

  it('rejects pending and later requests once it is disposed', async () => {
    const path = await objectsTable('a\n1\n');
    const pending = threads.current.endpoint.request('openTable', {
      table: 'objects',
      path,
      options: { memory },
    });
    threads.current.dispose();
    await assert.rejects(pending, error => isCoded(error, 'cancelled'));
    await assert.rejects(threads.current.endpoint.request('hashFile', { path }), error =>
      isCoded(error, 'cancelled'),
    );
  });

  it('rejects pending and later requests when it crashes, and reports the crash', async () => {
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
