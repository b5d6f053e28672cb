import assert from 'node:assert/strict';
import { createHash, randomFillSync } from 'node:crypto';
import { type EventEmitter } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { crc32, deflateRawSync } from 'node:zlib';
import { ZipFile } from 'yazl';
import { isCoded } from '../../../../../src/base/errors';
import { encodeCounts } from '../../../../../src/archives/runLengthEncoding';
import { MasksArchive } from '../../../../../src/archives/engine/masksArchive';
import { openMasks } from '../../../../../src/archives/engine/openMasks';
import { writeMasksArchive } from '../../../../../src/sample/node/analysisThread';
import { zipOf } from '../../../results/node/zipOf';
import { image, index, record, rectangle } from '../archives';

const MB = 1024 ** 2;

/** An entry of a central directory, which may say anything about any bytes. */
interface ListedEntry {
  name: string;
  /** Where its local header is. */
  at: number;
  compressed: Buffer;
  crc: number;
  size: number;
  /** The compressed size that is listed. */
  listed?: number;
}

function localHeader({ name, compressed, crc, size }: Omit<ListedEntry, 'at'>): Buffer {
  const header = Buffer.alloc(30 + name.length);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(8, 8);
  header.writeUInt32LE(crc, 14);
  header.writeUInt32LE(compressed.length, 18);
  header.writeUInt32LE(size, 22);
  header.writeUInt16LE(name.length, 26);
  header.write(name, 30);
  return header;
}

function directory(entries: readonly ListedEntry[], start: number): Buffer {
  const records = entries.map(({ name, at, compressed, crc, size, listed }) => {
    const entry = Buffer.alloc(46 + name.length);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(20, 6);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(crc, 16);
    entry.writeUInt32LE(listed ?? compressed.length, 20);
    entry.writeUInt32LE(size, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(at, 42);
    entry.write(name, 46);
    return entry;
  });
  const list = Buffer.concat(records);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(start, 16);
  return Buffer.concat([list, end]);
}

/** A zip whose entries follow each other; `change` then says something else about them. */
function zipOfTexts(
  texts: Readonly<Record<string, string>>,
  change: (entries: ListedEntry[]) => void = () => undefined,
): Buffer {
  const parts: Buffer[] = [];
  const entries: ListedEntry[] = [];
  let at = 0;
  for (const [name, text] of Object.entries(texts)) {
    const content = Buffer.from(text);
    const entry = { name, compressed: deflateRawSync(content), crc: crc32(content), size: content.length };
    const header = localHeader(entry);
    parts.push(header, entry.compressed);
    entries.push({ ...entry, at });
    at += header.length + entry.compressed.length;
  }
  change(entries);
  return Buffer.concat([...parts, directory(entries, at)]);
}

const imageText = (id: string) => JSON.stringify(image(id, 10, 10, [rectangle(1, 0, 0, 2, 2)]));
const twoImages = {
  'index.json': JSON.stringify(index('Cell')),
  'a_objects.json': imageText('a'),
  'b_objects.json': imageText('b'),
};

/** Hexadecimal digits that deflate to no less than half. */
function noise(characters: number, seed: number): string {
  const parts: string[] = [];
  let hash = Buffer.from(String(seed));
  for (let length = 0; length < characters; length += 40) {
    hash = createHash('sha1').update(hash).digest();
    parts.push(hash.toString('hex'));
  }
  return parts.join('');
}

describe('A masks archive', () => {
  let folder: string;
  let path: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'masks-archive-'));
    path = join(folder, 'masks.zip');
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function isRefused(message: string): Promise<void> {
    await assert.rejects(
      MasksArchive.open(path),
      error => isCoded(error, 'damaged-archive') && error.details.reason?.message === message,
    );
  }

  async function opens(images: number): Promise<void> {
    const masks = await openMasks(path);
    try {
      assert.equal(masks.summary.images.length, images);
      assert.deepEqual(masks.summary.notes, []);
      assert.ok(masks.summary.images.every(({ objectCount, failure }) => objectCount > 0 && !failure));
    } finally {
      masks.dispose();
    }
  }

  it('leaves nothing at its file, however often large entries are read', async () => {
    const large = JSON.stringify({
      noise: noise(5 * MB, 1),
      ...image('a', 10, 10, [rectangle(1, 0, 0, 2, 2)]),
    });
    const handle = await open(__filename);
    const prototype = Object.getPrototypeOf(handle) as EventEmitter;
    await handle.close();
    const { on } = prototype;
    const handles = new Set<EventEmitter>();
    prototype.on = function (this: EventEmitter, ...args) {
      handles.add(this);
      return on.apply(this, args);
    };
    try {
      await writeFile(path, await zipOf({ 'a_objects.json': large }));
      const archive = await MasksArchive.open(path);
      try {
        const [entry] = archive.contents.images;
        assert.ok(entry);
        for (let time = 0; time < 3; time++) {
          let bytes = 0;
          for await (const chunk of archive.chunks(entry.entry)) bytes += chunk.length;
          assert.equal(bytes, large.length);
        }
        // One whose reading is stopped.
        for await (const chunk of archive.chunks(entry.entry)) if (chunk.length > 0) break;
        const listeners = [...handles].flatMap(emitter =>
          emitter.eventNames().map(name => emitter.listenerCount(name)),
        );
        assert.deepEqual(listeners, []);
      } finally {
        archive.dispose();
      }
    } finally {
      prototype.on = on;
    }
  });

  for (const compress of [true, false])
    it(`gives all bytes of a large entry, ${compress ? 'deflated' : 'stored'}, from memory used again`, async () => {
      // More than is read at once, and more than one piece and one chunk.
      const content = randomFillSync(Buffer.alloc(9 * MB));
      const zip = new ZipFile();
      zip.addBuffer(content, 'a_objects.json', { compress, compressionLevel: compress ? 1 : 0 });
      zip.end();
      await pipeline(zip.outputStream, createWriteStream(path));
      const archive = await MasksArchive.open(path);
      try {
        const [image] = archive.contents.images;
        assert.ok(image);
        let at = 0;
        for await (const chunk of archive.chunks(image.entry)) {
          // By then the next bytes are read ahead.
          await nextTurn();
          assert.ok(content.subarray(at, at + chunk.length).equals(chunk));
          at += chunk.length;
        }
        assert.equal(at, content.length);
      } finally {
        archive.dispose();
      }
    });

  it('is refused before anything is inflated where entries share their bytes', async () => {
    const shared = zipOfTexts({ 'index.json': '{}', 'a_objects.json': imageText('a') }, entries => {
      const [, first] = entries;
      assert.ok(first);
      for (let at = 0; at < 4000; at++) entries.push({ ...first, name: `${at}_objects.json` });
    });
    await writeFile(path, shared);
    await isRefused('"{0}" overlaps another entry of the archive');
  });

  it('is refused where the header of an entry is within the data of another', async () => {
    const content = Buffer.from(imageText('b'));
    const inner = {
      name: 'b_objects.json',
      compressed: deflateRawSync(content),
      crc: crc32(content),
      size: content.length,
    };
    const innerBytes = Buffer.concat([localHeader(inner), inner.compressed]);
    // A stored block of deflate: its data begin after five bytes.
    const block = Buffer.alloc(5);
    block.writeUInt8(1, 0);
    block.writeUInt16LE(innerBytes.length, 1);
    block.writeUInt16LE(~innerBytes.length & 0xffff, 3);
    const compressed = Buffer.concat([block, innerBytes]);
    const outer = { name: 'a_objects.json', compressed, crc: crc32(innerBytes), size: innerBytes.length };
    const header = localHeader(outer);
    const entries = [
      { ...outer, at: 0 },
      { ...inner, at: header.length + block.length },
    ];
    const start = header.length + compressed.length;
    await writeFile(path, Buffer.concat([header, compressed, directory(entries, start)]));
    await isRefused('"{0}" overlaps another entry of the archive');
  });

  it('is refused where an entry is said to be longer than the file', async () => {
    const longer = zipOfTexts(twoImages, ([, first]) => {
      if (first) first.listed = 10 * MB;
    });
    await writeFile(path, longer);
    await isRefused('"{0}" is cut off');
  });

  it('is refused where all of it inflates too much, though no entry is large', async () => {
    // Each entry is just below the size from which its own ratio counts.
    const bomb = ' '.repeat(15 * MB);
    const entries = Object.fromEntries([1, 2, 3, 4, 5].map(at => [`${at}_objects.json`, bomb]));
    await writeFile(path, zipOfTexts(entries));
    await isRefused('The archive is more than {0} times as large when extracted');
  });

  describe('opens', () => {
    it('as the sample service writes it', async () => {
      const entries = await Promise.all(
        ['a', 'b', 'c'].map(async imageId => {
          const place = join(folder, `${imageId}.json`);
          await writeFile(place, imageText(imageId));
          return { imageId, path: place };
        }),
      );
      const run = { resultId: 'r', dateRun: '2026-01-01T00:00:00.000Z', classNames: ['Cell'] };
      await writeMasksArchive(path, entries, run);
      await opens(3);
    });

    it('with 5,000 images of long runs, which deflate well', async () => {
      // Each column of a rectangle in the frame has the runs of the one before it: a difference of
      // 0, always the same character.
      const [width, height] = [6000, 4000];
      const counts = encodeCounts([
        height / 4,
        ...Array.from({ length: 2 * width - 1 }, () => height / 2),
        height / 4,
      ]);
      const runs = [1, 2].map(id => record(id, [0, 1000, width, 3000], [height, width], counts));
      const texts = Object.fromEntries(
        Array.from({ length: 5000 }, (_, at) => {
          const id = `i${at}`;
          return [`${id}_objects.json`, JSON.stringify(image(id, width, height, runs))];
        }),
      );
      const zip = zipOfTexts({ 'index.json': JSON.stringify(index('Cell')), ...texts });
      const inflated = Object.values(texts).reduce((sum, text) => sum + text.length, 0);
      assert.ok(inflated > 64 * MB && inflated > 90 * zip.length, `${inflated} bytes from ${zip.length}`);
      await writeFile(path, zip);
      // Its list decides, and its entries inflate; to read 100 million runs takes a minute, and is
      // tested elsewhere with fewer.
      const archive = await MasksArchive.open(path);
      try {
        const { images } = archive.contents;
        assert.equal(images.length, 5000);
        for (const { entry } of [images[0], images[4999]].filter(one => one !== undefined))
          assert.equal(await archive.readText(entry), texts[entry.fileName]);
      } finally {
        archive.dispose();
      }
    });

    it('with records of Zip64', async () => {
      const zip = new ZipFile();
      for (const [name, text] of Object.entries(twoImages))
        zip.addBuffer(Buffer.from(text), name, { forceZip64Format: true });
      zip.end({ forceZip64Format: true, comment: '' });
      await pipeline(zip.outputStream, createWriteStream(path));
      await opens(2);
    });

    it('with a prefix, such as a program that extracts it', async () => {
      const prefix = Buffer.from('#!/bin/sh\nexit 0\n'.repeat(100));
      const plain = zipOfTexts(twoImages);
      const list = plain.indexOf(Buffer.from('504b0102', 'hex'));
      const parts = plain.subarray(0, list);
      const moved: ListedEntry[] = [];
      zipOfTexts(twoImages, entries => {
        for (const entry of entries) moved.push({ ...entry, at: entry.at + prefix.length });
      });
      await writeFile(path, Buffer.concat([prefix, parts, directory(moved, prefix.length + list)]));
      await opens(2);
    });

    it('with folders, empty files, and what macOS adds', async () => {
      const zip = new ZipFile();
      zip.addEmptyDirectory('masks/');
      zip.addBuffer(Buffer.alloc(0), 'masks/empty.txt');
      for (const [name, text] of Object.entries(twoImages)) {
        zip.addBuffer(Buffer.from(text), `masks/${name}`);
        zip.addBuffer(Buffer.from('x'), `__MACOSX/masks/._${name}`);
      }
      zip.end();
      await pipeline(zip.outputStream, createWriteStream(path));
      await opens(2);
    });
  });
});
