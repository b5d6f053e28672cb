import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { crc32, deflateSync } from 'node:zlib';
import { encode } from 'fast-png';
import { isCoded } from '../../../src/base/errors';
import { decodeRaster } from '../../../src/formats/decodeRaster';
import { jpeg } from './jpegFixture';
import { tiff } from './tiffFixture';

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

/** A PNG put together by hand: rows are packed samples, without their filter byte. */
function png(
  width: number,
  height: number,
  depth: number,
  colourType: number,
  rows: number[][],
  extra: [type: string, data: number[]][] = [],
): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, colourType], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]),
    chunk('IHDR', header),
    ...extra.map(([type, data]) => chunk(type, Uint8Array.from(data))),
    chunk('IDAT', deflateSync(Buffer.from(rows.flatMap(row => [0, ...row])))),
    chunk('IEND', new Uint8Array(0)),
  ]);
}

/** An EXIF block that says "orientation 6", little-endian. */
const turned = [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0];

function cannotBeRead(reason: RegExp): (error: unknown) => boolean {
  return error =>
    isCoded(error, 'bad-request') &&
    error.details.subject === 'cells' &&
    reason.test(error.details.reason ?? '');
}

function ramp(length: number, step: number): number[] {
  return Array.from({ length }, (_, i) => (i * step) % 256);
}

describe('decodeRaster', () => {
  describe('reads PNG', () => {
    for (const [name, channels, photometric, alpha] of [
      ['grey', 1, 'black-is-zero', undefined],
      ['grey with alpha', 2, 'black-is-zero', 1],
      ['RGB', 3, 'rgb', undefined],
      ['RGB with alpha', 4, 'rgb', 3],
    ] as const) {
      it(`of 8 and 16 bits, ${name}`, async () => {
        const data = Uint8Array.from(ramp(5 * 3 * channels, 7));
        const eight = await decodeRaster(encode({ width: 5, height: 3, data, channels, depth: 8 }), 'cells');
        assert.deepEqual(
          { ...eight, samples: [...eight.samples] },
          {
            width: 5,
            height: 3,
            channels,
            bitsPerSample: 8,
            samples: [...data],
            photometric,
            ...(alpha === undefined ? {} : { alpha }),
            notes: [],
          },
        );
        const wide = Uint16Array.from(data, sample => sample * 257 - 3 * (sample & 1));
        const sixteen = await decodeRaster(
          encode({ width: 5, height: 3, data: wide, channels, depth: 16 }),
          'cells',
        );
        assert.equal(sixteen.bitsPerSample, 16);
        assert.deepEqual(sixteen.samples, wide);
      });
    }

    it('of 1, 2 and 4 bits, spread to 8', async () => {
      const one = await decodeRaster(
        png(10, 2, 1, 0, [
          [0b10110000, 0b01000000],
          [0xff, 0xc0],
        ]),
        'cells',
      );
      assert.deepEqual([...one.samples.subarray(0, 10)], [255, 0, 255, 255, 0, 0, 0, 0, 0, 255]);
      assert.deepEqual(
        [...one.samples.subarray(10)],
        Array.from({ length: 10 }, () => 255),
      );
      const two = await decodeRaster(png(5, 1, 2, 0, [[0b00011011, 0b01000000]]), 'cells');
      assert.deepEqual([...two.samples], [0, 85, 170, 255, 85]);
      const four = await decodeRaster(png(3, 1, 4, 0, [[0x0f, 0x80]]), 'cells');
      assert.deepEqual([...four.samples], [0, 255, 136]);
      assert.match(four.notes.join(), /4 bits/);
    });

    it('with a palette, with and without transparent colours', async () => {
      const palette: [string, number[]] = ['PLTE', [1, 2, 3, 4, 5, 6, 7, 8, 9]];
      const plain = await decodeRaster(png(3, 1, 8, 3, [[2, 0, 1]], [palette]), 'cells');
      assert.deepEqual([...plain.samples], [7, 8, 9, 1, 2, 3, 4, 5, 6]);
      assert.equal(plain.channels, 3);
      const packed = await decodeRaster(
        png(3, 1, 2, 3, [[0b10000100]], [palette, ['tRNS', [9, 8]]]),
        'cells',
      );
      assert.deepEqual([...packed.samples], [7, 8, 9, 255, 1, 2, 3, 9, 4, 5, 6, 8]);
      assert.equal(packed.alpha, 3);
    });

    it('without turning it, and says so', async () => {
      const file = png(
        2,
        1,
        8,
        0,
        [[10, 20]],
        [
          ['eXIf', turned],
          ['eXIf', turned],
        ],
      );
      const raster = await decodeRaster(file, 'cells');
      assert.deepEqual([raster.width, raster.height, ...raster.samples], [2, 1, 10, 20]);
      assert.match(raster.notes.join(), /turned by 90°/);
      assert.equal(raster.notes.length, 1);
    });
  });

  describe('reads JPEG', () => {
    const width = 24;
    const height = 16;
    const rgba = new Uint8ClampedArray(width * height * 4);
    for (let i = 0; i < width * height; i++)
      rgba.set([(i % width) * 9, 200 - (i % width) * 5, 60, 255], i * 4);

    for (const progressive of [false, true]) {
      it(`in colour, ${progressive ? 'progressive' : 'baseline'}`, async () => {
        const raster = await decodeRaster(await jpeg(rgba, width, height, { progressive }), 'cells');
        assert.deepEqual(
          [raster.width, raster.height, raster.channels, raster.photometric],
          [width, height, 3, 'rgb'],
        );
        assert.equal(raster.samples.length, width * height * 3);
        for (let i = 0; i < width * height; i++) {
          for (let c = 0; c < 3; c++) {
            const difference = (raster.samples[i * 3 + c] ?? NaN) - (rgba[i * 4 + c] ?? NaN);
            assert.ok(Math.abs(difference) <= 4, `pixel ${i}, channel ${c} is off by ${difference}`);
          }
        }
      });
    }

    it('in grey, as one channel', async () => {
      const grey = rgba.map((value, i) => (i % 4 === 3 ? 255 : (rgba[i - (i % 4)] ?? value)));
      const raster = await decodeRaster(await jpeg(grey, width, height, { grey: true }), 'cells');
      assert.equal(raster.channels, 1);
      raster.samples.forEach((sample, i) => assert.ok(Math.abs(sample - (grey[i * 4] ?? NaN)) <= 3));
    });

    it('without turning it, and says so', async () => {
      const plain = await jpeg(rgba, width, height);
      const block = [...Buffer.from('Exif\0\0', 'latin1'), ...turned];
      const file = Buffer.concat([
        plain.subarray(0, 2),
        Uint8Array.from([0xff, 0xe1, 0, block.length + 2, ...block]),
        plain.subarray(2),
      ]);
      const raster = await decodeRaster(file, 'cells');
      assert.deepEqual([raster.width, raster.height], [width, height]);
      assert.match(raster.notes.join(), /turned by 90°/);
    });

    it('but not one that is cut off', async () => {
      const whole = await jpeg(rgba, width, height);
      await assert.rejects(
        decodeRaster(whole.subarray(0, whole.length - 40), 'cells'),
        cannotBeRead(/premature end/i),
      );
      await assert.rejects(decodeRaster(whole.subarray(0, 30), 'cells'), cannotBeRead(/header/));
    });

    it('but not what its codec cannot, by name', async () => {
      const whole = await jpeg(rgba, width, height);
      const frame = whole.findIndex((byte, i) => byte === 0xff && whole[i + 1] === 0xc0);
      const changed = (at: number, value: number) =>
        whole.map((byte, i) => (i === frame + at ? value : byte));
      await assert.rejects(decodeRaster(changed(1, 0xc3), 'cells'), cannotBeRead(/lossless JPEG/));
      await assert.rejects(decodeRaster(changed(4, 12), 'cells'), cannotBeRead(/12 bits/));
      await assert.rejects(decodeRaster(changed(9, 4), 'cells'), cannotBeRead(/CMYK/));
    });
  });

  describe('reads TIFF', () => {
    it('of 8, 16 and 32 bits in both byte orders', async () => {
      for (const samples of [
        Uint8Array.from(ramp(12, 21)),
        Uint16Array.from(ramp(12, 21), sample => sample * 250 + 1),
        Float32Array.from(ramp(12, 21), sample => sample / 7 - 9),
      ]) {
        for (const littleEndian of [true, false]) {
          const raster = await decodeRaster(tiff([{ width: 4, height: 3, samples }], littleEndian), 'cells');
          assert.deepEqual(raster.samples, samples);
          assert.deepEqual([raster.width, raster.height, raster.channels], [4, 3, 1]);
          assert.equal(raster.bitsPerSample, samples.BYTES_PER_ELEMENT * 8);
          assert.deepEqual(raster.notes, []);
        }
      }
    });

    it('in RGB, with alpha, compressed', async () => {
      const samples = Uint8Array.from(ramp(2 * 2 * 4, 15));
      const raster = await decodeRaster(
        tiff([
          { width: 2, height: 2, samples, channels: 4, photometric: 2, extraSamples: 2, compression: 8 },
        ]),
        'cells',
      );
      assert.deepEqual(raster.samples, samples);
      assert.deepEqual([raster.channels, raster.alpha, raster.photometric], [4, 3, 'rgb']);
    });

    it('of a part of a larger buffer', async () => {
      const file = tiff([{ width: 2, height: 1, samples: Uint8Array.from([5, 6]) }]);
      const larger = new Uint8Array(file.length + 20);
      larger.set(file, 13);
      const raster = await decodeRaster(larger.subarray(13, 13 + file.length), 'cells');
      assert.deepEqual([...raster.samples], [5, 6]);
    });

    it('that counts from white, unchanged and marked', async () => {
      const raster = await decodeRaster(
        tiff([{ width: 2, height: 1, samples: Uint8Array.from([3, 250]), photometric: 0 }]),
        'cells',
      );
      assert.deepEqual([raster.photometric, ...raster.samples], ['white-is-zero', 3, 250]);
    });

    it('with a palette', async () => {
      const colorMap = Array.from({ length: 768 }, (_, i) => ((i * 3) % 256) * 257);
      const raster = await decodeRaster(
        tiff([{ width: 2, height: 1, samples: Uint8Array.from([0, 10]), photometric: 3, colorMap }]),
        'cells',
      );
      assert.deepEqual([...raster.samples], [0, 0, 0, 30, 30, 30]);
    });

    it('of packed bits and of signed or double numbers, and says what it did', async () => {
      const packed = await decodeRaster(
        tiff([{ width: 4, height: 1, samples: Uint8Array.from([0b00011011]), bits: 2 }]),
        'cells',
      );
      assert.deepEqual([...packed.samples], [0, 85, 170, 255]);
      assert.match(packed.notes.join(), /2 bits/);
      const signed = await decodeRaster(
        tiff([{ width: 2, height: 1, samples: Int16Array.from([-5, 7]) }]),
        'cells',
      );
      assert.deepEqual([...signed.samples], [-5, 7]);
      assert.match(signed.notes.join(), /Signed/);
      const double = await decodeRaster(
        tiff([{ width: 1, height: 1, samples: Float64Array.from([0.5]) }]),
        'cells',
      );
      assert.deepEqual(double.samples, Float32Array.from([0.5]));
      assert.match(double.notes.join(), /single precision/);
    });

    it('of several pages: the first, and says so', async () => {
      const page = (value: number) => ({ width: 1, height: 1, samples: Uint8Array.from([value]) });
      const raster = await decodeRaster(tiff([page(11), page(22), page(33)]), 'cells');
      assert.deepEqual([...raster.samples], [11]);
      assert.match(raster.notes.join(), /3 pages/);
    });

    it('without turning it, and says so', async () => {
      const raster = await decodeRaster(
        tiff([{ width: 2, height: 1, samples: Uint8Array.from([1, 2]), orientation: 3 }]),
        'cells',
      );
      assert.deepEqual([raster.width, ...raster.samples], [2, 1, 2]);
      assert.match(raster.notes.join(), /turned by 180°/);
    });

    it('but not of a codec it does not know, by name or number', async () => {
      const page = { width: 2, height: 1, samples: Uint8Array.from([1, 2]) };
      await assert.rejects(
        decodeRaster(tiff([{ ...page, compression: 34712 }]), 'cells'),
        cannotBeRead(/JPEG 2000/),
      );
      await assert.rejects(
        decodeRaster(tiff([{ ...page, compression: 6 }]), 'cells'),
        cannotBeRead(/old-style JPEG/),
      );
      await assert.rejects(
        decodeRaster(tiff([{ ...page, compression: 999 }]), 'cells'),
        cannotBeRead(/number 999/),
      );
    });

    it('but not one whose samples or directory are cut off', async () => {
      const file = tiff([{ width: 40, height: 40, samples: new Uint16Array(1600) }]);
      await assert.rejects(decodeRaster(file.subarray(0, 2000), 'cells'), cannotBeRead(/cut off|damaged/));
      const short = { width: 40, height: 40, samples: new Uint16Array(100) };
      await assert.rejects(decodeRaster(tiff([short]), 'cells'), cannotBeRead(/cut off|damaged/));
    });
  });

  it('refuses an empty file and what is not a picture', async () => {
    await assert.rejects(decodeRaster(new Uint8Array(0), 'cells'), cannotBeRead(/empty/));
    await assert.rejects(
      decodeRaster(Buffer.from('not a picture at all'), 'cells'),
      cannotBeRead(/not a PNG, JPEG, WebP or TIFF/),
    );
  });

  it('refuses a damaged or cut off PNG', async () => {
    const file = encode({
      width: 20,
      height: 20,
      data: Uint8Array.from(ramp(400, 3)),
      channels: 1,
      depth: 8,
    });
    await assert.rejects(decodeRaster(file.subarray(0, file.length - 30), 'cells'), cannotBeRead(/cut off/));
    const flipped = file.map((byte, i) => (i === 60 ? byte ^ 0x40 : byte));
    await assert.rejects(decodeRaster(flipped, 'cells'), cannotBeRead(/CRC|decompressing/));
    await assert.rejects(decodeRaster(file.subarray(0, 20), 'cells'), cannotBeRead(/header/));
  });

  it('refuses a PNG whose data inflate to more than its size needs, and reads none of its texts', async () => {
    const bomb = png(
      4,
      4,
      8,
      0,
      Array.from({ length: 4 }, () => new Array<number>(1_000_000).fill(0)),
    );
    await assert.rejects(decodeRaster(bomb, 'cells'), cannotBeRead(/inflate to more/));
    const profile = [...Buffer.from('p\0\0'), ...deflateSync(Buffer.alloc(1000)).subarray(0, 5)];
    const damagedProfile = png(1, 1, 8, 0, [[9]], [['iCCP', profile]]);
    assert.deepEqual([...(await decodeRaster(damagedProfile, 'cells')).samples], [9]);
  });

  it('refuses a WebP file that is cut off', async () => {
    const webp = await readFile('test/golden/pictures/rgb8.webp');
    assert.equal((await decodeRaster(webp, 'cells')).width, 61);
    await assert.rejects(decodeRaster(webp.subarray(0, 40), 'cells'), cannotBeRead(/damaged|cut off/));
    await assert.rejects(decodeRaster(webp.subarray(0, 20), 'cells'), cannotBeRead(/header/));
    await assert.rejects(decodeRaster(webp, 'cells', 100), error => isCoded(error, 'bad-request'));
  });

  it('refuses a picture that would not fit, before anything is allocated', async () => {
    const tooLarge = (error: unknown) => isCoded(error, 'bad-request') && /too large/.test(error.message);
    await assert.rejects(decodeRaster(png(100_000, 100_000, 16, 6, [[0]]), 'cells'), tooLarge);
    const page = { width: 60_000, height: 60_000, samples: new Uint8Array(4) };
    await assert.rejects(decodeRaster(tiff([page]), 'cells'), tooLarge);
    const small = encode({ width: 20, height: 20, data: new Uint8Array(400), channels: 1, depth: 8 });
    await assert.rejects(decodeRaster(small, 'cells', 399), tooLarge);
    assert.equal((await decodeRaster(small, 'cells', 400)).width, 20);
  });
});
