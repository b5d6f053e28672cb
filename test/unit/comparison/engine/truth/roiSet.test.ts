import assert from 'node:assert/strict';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { isCoded } from '../../../../../src/base/errors';
import { maskOf } from '../../../../../src/archives/engine/imageObjects';
import { openReference } from '../../../../../src/comparison/engine/truth/openReference';
import { pixelsOf } from '../objects';

/**
 * A ROI as ij.io.RoiEncoder writes it: fields by their places in its header, and what follows it.
 */
function roi(
  type: number,
  [left, top, right, bottom]: readonly [number, number, number, number],
  {
    shorts = [],
    floats = [],
    fields = () => undefined,
    z = 0,
  }: {
    shorts?: readonly number[];
    floats?: readonly number[];
    fields?: (bytes: Buffer) => unknown;
    z?: number;
  } = {},
): Buffer {
  const header2 = 64 + 2 * shorts.length + 4 * floats.length;
  const bytes = Buffer.alloc(header2 + 64);
  bytes.write('Iout');
  bytes.writeInt16BE(227, 4);
  bytes.writeUInt8(type, 6);
  [top, left, bottom, right].forEach((side, at) => bytes.writeInt16BE(side, 8 + 2 * at));
  bytes.writeInt32BE(header2, 60);
  shorts.forEach((value, at) => bytes.writeInt16BE(value, 64 + 2 * at));
  floats.forEach((value, at) => bytes.writeFloatBE(value, 64 + 2 * shorts.length + 4 * at));
  bytes.writeInt32BE(z, header2 + 8);
  fields(bytes);
  return bytes;
}

/** Pixels of a row that is drawn. */
const WIDTH = 8;

describe('A RoiSet.zip of ImageJ', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rois-'));
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function written(rois: Record<string, Buffer>, name = 'RoiSet.zip'): Promise<string> {
    const zip = new ZipFile();
    for (const [entry, bytes] of Object.entries(rois)) zip.addBuffer(bytes, entry);
    zip.end();
    const path = join(folder, name);
    await pipeline(zip.outputStream, createWriteStream(path));
    return path;
  }

  async function read(rois: Record<string, Buffer>, name?: string) {
    const { masks, format, unknownSizes } = await openReference(
      await written(rois, name),
      {},
      () => undefined,
    );
    const objects = await masks.objects(0);
    const [image] = masks.summary.images;
    const drawings = Array.from({ length: objects.count }, (_, object) => {
      const pixels = new Set(pixelsOf(maskOf(objects, object), WIDTH));
      return Array.from({ length: 5 }, (_row, y) =>
        Array.from({ length: WIDTH }, (_column, x) => (pixels.has(y * WIDTH + x) ? '#' : '.')).join(''),
      );
    });
    masks.dispose();
    return {
      format,
      isSizeUnknown: unknownSizes.has(0),
      ids: [...objects.ids],
      drawings,
      unreadable: image?.unreadable.map(({ key, reason }) => [key, reason.message]),
      notes: masks.summary.notes.map(({ message, args }) => [message, ...args]),
    };
  }

  const line = (text: string) => text.padEnd(WIDTH, '.');
  const drawing = (...rows: string[]) => Array.from({ length: 5 }, (_, at) => line(rows[at] ?? ''));
  /**
   * Corners of a triangle with legs of 4 and 5 pixels, x of all, then y; no pixel's center is on
   * its side.
   */
  const triangle = [0, 4, 0, 0, 0, 5];

  it('is read as objects: rectangles, ovals, polygons, freehand and traced shapes, and composites', async () => {
    const square = [0, 1, 0, 1, 5, 0, 1, 5, 4, 1, 1, 4, 4];
    const hole = [0, 2, 1, 1, 4, 1, 1, 4, 3, 1, 2, 3, 4];
    const found = await read({
      '3.roi': roi(1, [1, 0, 4, 2]),
      'Nucleus 7.roi': roi(2, [0, 0, 5, 5]),
      '0002-0003-0004.roi': roi(0, [1, 0, 5, 5], { shorts: triangle, fields: at => at.writeUInt16BE(3, 16) }),
      'a.roi': roi(7, [1, 0, 5, 5], { shorts: triangle, fields: at => at.writeUInt16BE(3, 16) }),
      'b.roi': roi(1, [1, 0, 5, 4], {
        floats: [...square, ...hole],
        fields: at => at.writeInt32BE(square.length + hole.length, 36),
      }),
      // Floats follow the integers, which are rounded.
      'c.roi': roi(0, [2, 1, 4, 3], {
        shorts: [0, 0, 0, 0, 0, 0, 0, 0],
        floats: [1.6, 4.4, 4.4, 1.6, 0.6, 0.6, 3.4, 3.4],
        fields: at => {
          at.writeUInt16BE(4, 16);
          at.writeUInt16BE(128, 50);
        },
      }),
    });
    assert.equal(found.format, 'rois');
    assert.ok(found.isSizeUnknown);
    assert.deepEqual(found.ids, [3, 7, 3, 4, 5, 6]);
    const covered = (rows: readonly string[] = []) => rows.join('\n');
    assert.equal(covered(found.drawings[0]), covered(drawing('.###', '.###')));
    assert.equal(covered(found.drawings[1]), covered(drawing('.###.', '#####', '#####', '#####', '.###.')));
    for (const at of [2, 3])
      assert.equal(covered(found.drawings[at]), covered(drawing('.####', '.###', '.##', '.#')));
    assert.equal(covered(found.drawings[4]), covered(drawing('.####', '.#..#', '.#..#', '.####')));
    assert.equal(covered(found.drawings[5]), covered(drawing('', '..##', '..##')));
    assert.deepEqual([found.unreadable, found.notes], [[], []]);
  });

  it('tells which ROIs are no areas or damaged, and reads the others, whatever the zip is called', async () => {
    const found = await read(
      {
        'good.roi': roi(1, [0, 0, 2, 2]),
        'line.roi': roi(3, [0, 0, 2, 2]),
        'text.roi': roi(1, [0, 0, 2, 2], { fields: at => at.writeInt16BE(1, 48) }),
        'cut.roi': roi(0, [0, 0, 2, 2], { fields: at => at.writeUInt16BE(5000, 16) }),
        'none.roi': Buffer.from('no ROI'),
      },
      'mine.zip',
    );
    assert.deepEqual(found.drawings, [drawing('##', '##')]);
    assert.deepEqual(found.unreadable, [
      ['line', "The feature isn't an area"],
      ['text', "The feature isn't an area"],
      ['cut', "The file isn't a ROI of ImageJ"],
      ['none', "The file isn't a ROI of ImageJ"],
    ]);
  });

  it('has the objects of the first plane, and says how many are in others', async () => {
    const found = await read({
      '1.roi': roi(1, [0, 0, 2, 2], { z: 2 }),
      '2.roi': roi(1, [2, 0, 4, 2], { z: 3 }),
      '3.roi': roi(1, [4, 0, 6, 2], { z: 2 }),
    });
    assert.deepEqual(found.ids, [1, 3]);
    assert.deepEqual(found.notes, [
      ['1 object was left out: it is in another plane (z, t) than the first', 1],
    ]);
  });

  it('is refused where a zip of that name has none', async () => {
    await assert.rejects(
      openReference(await written({ 'a.txt': Buffer.from('x') }), {}, () => undefined),
      error => isCoded(error, 'damaged-archive'),
    );
  });
});
