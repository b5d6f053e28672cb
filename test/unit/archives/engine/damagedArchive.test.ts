import assert from 'node:assert/strict';
import { reason, QUOTED } from '../../../../src/base/reasons';
import { readFile, writeFile } from 'node:fs/promises';
import { fromPlainError, isCoded } from '../../../../src/base/errors';
import type { Masks } from '../../../../src/archives/engine/masks';
import { openMasks } from '../../../../src/archives/engine/openMasks';
import { image, index, rectangle, writeArchive } from './archives';
import { withMasks } from './withMasks';

async function openingFails(
  entries: Record<string, unknown>,
  damage: (zip: Buffer) => Buffer,
): Promise<unknown> {
  const { path, remove } = await writeArchive(entries);
  try {
    await writeFile(path, damage(await readFile(path)));
    const masks = await openMasks(path);
    masks.dispose();
    return undefined;
  } catch (error) {
    return error;
  } finally {
    await remove();
  }
}

describe('a damaged masks archive', () => {
  const entries = {
    'index.json': index('Cell'),
    'a_objects.json': image('a', 10, 10, [rectangle(1, 0, 0, 2, 2)]),
  };

  /** Flips bits of the CRC-32 in the central directory's record of an entry. */
  const flipChecksum = (name: string) => (zip: Buffer) => {
    const header = zip.lastIndexOf(Buffer.from(name)) - 46;
    assert.equal(zip.readUInt32LE(header), 0x02014b50);
    zip.writeUInt32LE((zip.readUInt32LE(header + 16) ^ 0xff) >>> 0, header + 16);
    return zip;
  };

  const flipData = (zip: Buffer) => {
    const at = zip.indexOf(Buffer.from('a_objects.json')) + 'a_objects.json'.length + 12;
    zip.writeUInt8(zip.readUInt8(at) ^ 0x5a, at);
    return zip;
  };

  const damages: [name: string, damage: (zip: Buffer) => Buffer][] = [
    ['whose checksum is wrong', flipChecksum('a_objects.json')],
    ['with changed bytes', flipData],
    ['that is cut off', zip => zip.subarray(0, zip.length - 40)],
    ['of which only the beginning is there', zip => zip.subarray(0, 20)],
    ['that is empty', () => Buffer.alloc(0)],
    ['that is something else', () => Buffer.from('<html>Not found</html>'.repeat(20))],
  ];
  for (const [name, damage] of damages) {
    it(`${name} is rejected with damaged-archive`, async () => {
      const error = await openingFails(entries, damage);
      assert.ok(isCoded(error, 'damaged-archive'), String(error));
      assert.match(error.details.subject ?? '', /masks\.zip$/);
    });
  }

  it('is described in our words, whichever of its bytes is wrong', async () => {
    const { path, remove } = await writeArchive(entries);
    try {
      const zip = await readFile(path);
      const kinds = new Set<string>();
      for (let at = 0; at < zip.length; at++) {
        const damaged = Buffer.from(zip);
        damaged.writeUInt8(zip.readUInt8(at) ^ 0xff, at);
        await writeFile(path, damaged);
        const error: unknown = await openMasks(path).then(
          masks => {
            masks.dispose();
            return masks.summary.images[0]?.failure && fromPlainError(masks.summary.images[0].failure);
          },
          (failure: unknown) => failure,
        );
        if (error === undefined) continue;
        assert.ok(isCoded(error, 'damaged-archive'));
        kinds.add(error.details.reason?.message ?? assert.fail(error.message));
      }
      assert.ok(!kinds.has(QUOTED));
      assert.ok(
        kinds.has('"{0}" is damaged') && kinds.has("The archive's list of entries can't be read"),
        [...kinds].join(),
      );
    } finally {
      await remove();
    }
  });

  it('without masks is rejected', async () => {
    assert.ok(isCoded(await openingFails({ 'readme.txt': 'hello' }, zip => zip), 'damaged-archive'));
  });

  it('with a wrong checksum of the index alone is still read', async () => {
    const { path, remove } = await writeArchive(entries);
    try {
      await writeFile(path, flipChecksum('index.json')(await readFile(path)));
      const masks = await openMasks(path);
      assert.deepEqual(masks.summary.notes, [
        reason("Couldn't read the archive's index.json; classes come from the objects"),
      ]);
      masks.dispose();
    } finally {
      await remove();
    }
  });

  it('with an entry that leaves its folder is refused', async () => {
    const error = await openingFails({ 'xx/a_objects.json': image('a', 1, 1, []) }, zip =>
      Buffer.from(zip.toString('latin1').replaceAll('xx/a_objects', '../a_objects'), 'latin1'),
    );
    assert.ok(isCoded(error, 'damaged-archive'), String(error));
  });

  it('that inflates too much uses no memory', async () => {
    const { path, remove } = await writeArchive({
      'a_objects.json': image('a', 1, 1, [], ' '.repeat(40_000_000)),
    });
    try {
      await assert.rejects(
        openMasks(path),
        error => isCoded(error, 'damaged-archive') && / times as large when extracted$/.test(error.message),
      );
    } finally {
      await remove();
    }
  });

  /** Changes the inflated size that the central directory gives for an entry. */
  const sayBytes = (name: string, change: number) => (zip: Buffer) => {
    const header = zip.lastIndexOf(Buffer.from(name)) - 46;
    assert.equal(zip.readUInt32LE(header), 0x02014b50);
    zip.writeUInt32LE(zip.readUInt32LE(header + 24) + change, header + 24);
    return zip;
  };

  describe('whose entry is large, and is read as it is inflated,', () => {
    // Noise does not pack: the entry stays over what is inflated in one go.
    const noise = Array.from({ length: 900_000 }, (_, at) =>
      ((at * 2_654_435_761) % 999_983).toString(36),
    ).join();
    const large = {
      ...entries,
      'a_objects.json': { noise, ...image('a', 10, 10, [rectangle(1, 0, 0, 2, 2)]) },
    };

    it('is read when nothing is damaged, deflated or stored', async () => {
      for (const compress of [true, false]) {
        const { path, remove } = await writeArchive(large, { compress });
        try {
          const masks = await openMasks(path);
          assert.equal(masks.summary.images[0]?.objectCount, 1);
          masks.dispose();
        } finally {
          await remove();
        }
      }
    });
    for (const [name, damage] of [
      ['a wrong checksum', flipChecksum('a_objects.json')],
      ['fewer bytes than it says', sayBytes('a_objects.json', 1)],
      ['more bytes than it says', sayBytes('a_objects.json', -1)],
    ] as const)
      it(`is rejected with ${name}`, async () => {
        const error = await openingFails(large, damage);
        assert.ok(isCoded(error, 'damaged-archive'), String(error));
      });
    it('stops being read when it is canceled halfway', async () => {
      const { path, remove } = await writeArchive(large);
      const cancel = new AbortController();
      try {
        await assert.rejects(openMasks(path, { onProgress: () => cancel.abort() }, cancel.signal), error =>
          isCoded(error, 'cancelled'),
        );
      } finally {
        await remove();
      }
    });
  });

  for (const change of [-1, 1, 100_000])
    it(`with an entry ${change} bytes longer than it is is refused`, async () => {
      const error = await openingFails(entries, sayBytes('a_objects.json', change));
      assert.ok(isCoded(error, 'damaged-archive'), String(error));
    });

  it('with one unreadable entry among many shows the others', async () => {
    const many: Record<string, unknown> = { 'index.json': index('Cell') };
    for (let at = 0; at < 12; at++)
      many[`i${at}_objects.json`] = image(`i${at}`, 10, 10, [rectangle(1, 0, 0, 2, 2)]);
    const { path, remove } = await writeArchive(many);
    try {
      await writeFile(path, flipChecksum('i3_objects.json')(await readFile(path)));
      const masks = await openMasks(path);
      const failed = masks.summary.images.filter(({ failure }) => failure);
      assert.deepEqual(
        failed.map(({ id, failure }) => [id, failure?.code]),
        [['i3', 'damaged-archive']],
      );
      assert.equal(masks.summary.images.length, 12);
      masks.dispose();
    } finally {
      await remove();
    }
  });

  describe('made to overflow a message', () => {
    const MESSAGE_BYTES = 4 * 2 ** 20;
    const bytesOf = ({ summary }: Masks) => Buffer.byteLength(JSON.stringify(summary));

    it('with 60,000 bad objects (200,000 in the full run) counts all and lists the first', async () => {
      const each = process.env['IA_FULL'] ? 10_000 : 3000;
      const many: Record<string, unknown> = { 'index.json': index('Cell') };
      const objects = Object.fromEntries(
        Array.from({ length: each }, (_, at) => [`${'ü'.repeat(90)}${at}`, at % 2 === 0 ? 0 : { id: at }]),
      );
      for (let at = 0; at < 20; at++)
        many[`i${at}_objects.json`] = { ...image(`i${at}`, 10, 10, []), objects };
      await withMasks(many, masks => {
        const { images } = masks.summary;
        assert.deepEqual(
          images.map(({ unreadableCount }) => unreadableCount),
          images.map(() => each),
        );
        assert.equal(images[0]?.unreadable.length, 1000);
        assert.equal(images[0].unreadable[0]?.key, `${'ü'.repeat(60)}…`);
        assert.deepEqual(images[19]?.unreadable, []);
        assert.ok(bytesOf(masks) < MESSAGE_BYTES / 2, `${bytesOf(masks)} bytes`);
        return Promise.resolve();
      });
    });

    it('with extremely long names lists those images as unreadable', async () => {
      const endless = 'n'.repeat(10_000);
      const many = {
        'a_objects.json': image('a', 10, 10, [rectangle(1, 0, 0, 2, 2)], endless),
        'b_objects.json': image(endless, 10, 10, [rectangle(1, 0, 0, 2, 2)], 'b.tif'),
        'c_objects.json': image('c', 10, 10, [rectangle(1, 0, 0, 2, 2)]),
      };
      await withMasks(many, masks => {
        const { images } = masks.summary;
        assert.equal(images.filter(({ failure }) => failure?.code === 'damaged-archive').length, 2);
        assert.equal(images.find(({ id }) => id === 'c')?.objectCount, 1);
        assert.ok(bytesOf(masks) < 5000);
        return Promise.resolve();
      });
    });

    it('with a different class for every object lists the first hundred, and how many more there are', async () => {
      const records = Array.from({ length: 3000 }, (_, at) => rectangle(at + 1, 0, 0, 2, 2, `class ${at}`));
      const many = { 'index.json': index('Cell'), 'a_objects.json': image('a', 10, 10, records) };
      await withMasks(many, masks => {
        const { notes, classes } = masks.summary;
        assert.equal(classes.length, 3001);
        assert.deepEqual([notes.length, notes.at(-1)], [101, reason('… and {0} more like this', 2900)]);
        return Promise.resolve();
      });
    });

    it('with extremely long class names is rejected', async () => {
      const records = [1, 2, 3].map(id => rectangle(id, 0, 0, 2, 2, `${id}`.repeat(400_000)));
      await assert.rejects(
        withMasks({ 'a_objects.json': image('a', 10, 10, records) }, () => Promise.resolve()),
        error => isCoded(error, 'too-many-objects'),
      );
    });

    it('with an index of too many classes is read as if it had no index', async () => {
      const endless = Array.from({ length: 65_537 }, (_, at) => `${at}`);
      const many = {
        'index.json': index(...endless),
        'a_objects.json': image('a', 10, 10, [rectangle(1, 0, 0, 2, 2, 'Cell')]),
      };
      await withMasks(many, masks => {
        const { classes, notes } = masks.summary;
        assert.deepEqual(classes, [{ name: 'Cell', count: 1 }]);
        assert.deepEqual(notes, [
          reason("Couldn't read the archive's index.json; classes come from the objects"),
        ]);
        return Promise.resolve();
      });
    });

    it('with thousands of images and of classes is refused before their counts fill the memory', async () => {
      const many: Record<string, unknown> = {};
      const records = Array.from({ length: 5000 }, (_, at) => rectangle(at + 1, 0, 0, 1, 1, `c${at}`));
      for (let at = 0; at < 2000; at++) many[`i${at}_objects.json`] = '{"height":1,"width":1,"objects":{}}';
      many['a_objects.json'] = image('a', 10, 10, records);
      await withMasks(many, masks => {
        const { images } = masks.summary;
        assert.equal(images.find(({ failure }) => failure)?.failure?.code, 'too-many-objects');
        assert.ok(bytesOf(masks) < 3 * MESSAGE_BYTES, `${bytesOf(masks)} bytes`);
        return Promise.resolve();
      });
    });
  });

  it('that is missing is not-a-file', async () => {
    await assert.rejects(openMasks('/nonexistent/masks.zip'), error => isCoded(error, 'not-a-file'));
  });

  it('stops being opened when it is canceled', async () => {
    const { path, remove } = await writeArchive(entries);
    try {
      await assert.rejects(openMasks(path, {}, AbortSignal.abort()), error => isCoded(error, 'cancelled'));
    } finally {
      await remove();
    }
  });
});
