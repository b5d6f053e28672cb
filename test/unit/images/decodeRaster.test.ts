import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { crc32, deflateSync } from 'node:zlib';
import { encode } from 'fast-png';
import { isCoded } from '../../../src/base/errors';
import { reasonText, sentences } from '../words/reasonText';
import { decodeRaster } from '../../../src/images/decodeRaster';
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
  colorType: number,
  rows: number[][],
  extra: [type: string, data: number[]][] = [],
): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, colorType], 8);
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
    isCoded(error, 'bad-request') && error.details.subject === 'cells' && reason.test(reasonText(error));
}

function ramp(length: number, step: number): number[] {
  return Array.from({ length }, (_, i) => (i * step) % 256);
}

describe('decodeRaster', () => {
  describe('reads PNG', () => {
    for (const [name, channels, photometric, alpha] of [
      ['gray', 1, 'black-is-zero', undefined],
      ['gray with alpha', 2, 'black-is-zero', 1],
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

    it('of 1, 2 and 4 bits, as the file has them', async () => {
      const one = await decodeRaster(
        png(10, 2, 1, 0, [
          [0b10110000, 0b01000000],
          [0xff, 0xc0],
        ]),
        'cells',
      );
      assert.deepEqual([...one.samples.subarray(0, 10)], [1, 0, 1, 1, 0, 0, 0, 0, 0, 1]);
      assert.deepEqual(
        [...one.samples.subarray(10)],
        Array.from({ length: 10 }, () => 1),
      );
      const two = await decodeRaster(png(5, 1, 2, 0, [[0b00011011, 0b01000000]]), 'cells');
      assert.deepEqual([...two.samples], [0, 1, 2, 3, 1]);
      const four = await decodeRaster(png(3, 1, 4, 0, [[0x0f, 0x80]]), 'cells');
      assert.deepEqual([...four.samples], [0, 15, 8]);
      assert.deepEqual(
        [one, two, four].map(raster => raster.bitsPerSample),
        [1, 2, 4],
      );
      assert.deepEqual(four.notes, []);
    });

    // Files written for this test; sums by Pillow 12.3 and imagecodecs 2026.3.6 (libpng 1.6.55),
    // which spread samples to 0…255.
    for (const [bits, sum, file] of [
      [
        1,
        62,
        'iVBORw0KGgoAAAANSUhEUgAAAA0AAAALAQAAAAH7zgpaAAAAN0lEQVR42mNgYARCJiBkZmBhYGBgCWEIYQxh+MO4gimCOYRlBcMKxqW/mR49YF5rwfLoH8PSBQCo0gwv/m0H5wAAAABJRU5ErkJggg==',
      ],
      [
        2,
        17000 / 85,
        'iVBORw0KGgoAAAANSUhEUgAAAA0AAAALAgAAAAG8bnCKAAAASUlEQVR42mNgYARCJiBkXsESwbCCZfJfho0bGIFkeQHjkz9Mxw4wH9vMcugzg58D47HQQBGmOUwxDMxrljKxsgBZaxmeWPo1AACjrxW9f07tNgAAAABJRU5ErkJggg==',
      ],
      [
        4,
        18020 / 17,
        'iVBORw0KGgoAAAANSUhEUgAAAA0AAAALBAAAAAEzLoUqAAAAbklEQVR42gFjAJz/AAgBgAFMAgACxMQDrskE0mAAYuAEYWZmUwAvyWMAAe3e3tcAX5PXAbZmVgJ4irwDbpqbBHg0rABUMhABOJq7mquqpAJmeHiKqqzAA6YSM6u0tMcEZs7dzt280QCykI9tXDogRVwpa9f/5q0AAAAASUVORK5CYII=',
      ],
    ] as const) {
      it(`of ${bits} bits, interlaced`, async () => {
        const { width, height, samples } = await decodeRaster(Buffer.from(file, 'base64'), 'cells');
        const expected = Array.from({ length: 13 * 11 }, (_, i) => {
          const [x, y] = [i % 13, Math.floor(i / 13)];
          return (x * 5 + y * 3 + Math.floor((x * y) / 4)) % 2 ** bits;
        });
        assert.deepEqual([width, height, ...samples], [13, 11, ...expected]);
        let total = 0;
        for (const sample of samples) total += sample;
        assert.equal(total, sum);
      });
    }

    it('interlaced, of few bits, not where a byte is damaged', async () => {
      const file = Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAA0AAAALBAAAAAEzLoUqAAAAbklEQVR42gFjAJz/AAgBgAFMAgACxMQDrskE0mAAYuAEYWZmUwAvyWMAAe3e3tcAX5PXAbZmVgJ4irwDbpqbBHg0rABUMhABOJq7mquqpAJmeHiKqqzAA6YSM6u0tMcEZs7dzt280QCykI9tXDogRVwpa9f/5q0AAAAASUVORK5CYII=',
        'base64',
      );
      // A sample of the stored image data.
      file[80] = (file[80] ?? 0) ^ 1;
      await assert.rejects(
        decodeRaster(file, 'cells'),
        error =>
          isCoded(error, 'bad-request') &&
          error.details.reason?.message === 'The {0} data is damaged or cut off',
      );
    });

    it('with a palette, interlaced', async () => {
      const file =
        'iVBORw0KGgoAAAANSUhEUgAAAA0AAAALAgMAAAGu299kAAAACVBMVEUBAgMoMjzI0tzO4TVdAAAASklEQVR42mNQYHRgdGAKYGpjbmG5wyDB4nmbQWUC46RtDJ4KjJPWMU0KYDbfwuL5HSTYNslTnmmSp2oDc6jqJBMWVSCXQSKxjQEAUo8R/cKt4WoAAAAASUVORK5CYII=';
      const { samples } = await decodeRaster(Buffer.from(file, 'base64'), 'cells');
      const palette = [1, 2, 3, 40, 50, 60, 200, 210, 220];
      for (let i = 0; i < 13 * 11; i++) {
        const color = ((i % 13) + 2 * Math.floor(i / 13)) % 3;
        assert.deepEqual([...samples.subarray(i * 3, i * 3 + 3)], palette.slice(color * 3, color * 3 + 3));
      }
    });

    it('with a palette, with and without transparent colors', async () => {
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

    it('of RGB by its samples, whatever palette and transparent color it suggests', async () => {
      const suggested: [string, number[]] = ['PLTE', [1, 2, 3, 4, 5, 6]];
      for (const [colorType, depth, channels, tRNS] of [
        [2, 8, 3, [0, 10, 0, 20, 0, 30]],
        [6, 8, 4, []],
        [2, 16, 3, [0, 10, 0, 20, 0, 30]],
      ] as const) {
        const row = ramp(2 * channels * (depth / 8), 37);
        const extra: [string, number[]][] = tRNS.length > 0 ? [suggested, ['tRNS', [...tRNS]]] : [suggested];
        const raster = await decodeRaster(png(2, 1, depth, colorType, [row], extra), 'cells');
        const view = Buffer.from(row);
        const expected = Array.from({ length: 2 * channels }, (_, i) =>
          depth === 8 ? row[i] : view.readUInt16BE(2 * i),
        );
        assert.deepEqual([raster.channels, ...raster.samples], [channels, ...expected]);
      }
      // One pixel, and a transparent color of three numbers.
      const tRNS: [string, number[]] = ['tRNS', [0, 7, 0, 8, 0, 9]];
      const pixel = await decodeRaster(png(1, 1, 8, 2, [[7, 8, 9]], [tRNS]), 'cells');
      assert.deepEqual([...pixel.samples], [7, 8, 9]);
    });

    it('but not of places in a palette that is missing', async () => {
      await assert.rejects(
        decodeRaster(png(3, 1, 8, 3, [[2, 0, 1]]), 'cells'),
        cannotBeRead(/palette is missing/),
      );
    });

    it('without rotating it, and adds a note', async () => {
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
      assert.match(sentences(raster.notes), /rotated by 90°/);
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
      it(`in color, ${progressive ? 'progressive' : 'baseline'}`, async () => {
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

    it('in gray, as one channel', async () => {
      const gray = rgba.map((value, i) => (i % 4 === 3 ? 255 : (rgba[i - (i % 4)] ?? value)));
      const raster = await decodeRaster(await jpeg(gray, width, height, { gray: true }), 'cells');
      assert.equal(raster.channels, 1);
      raster.samples.forEach((sample, i) => assert.ok(Math.abs(sample - (gray[i * 4] ?? NaN)) <= 3));
    });

    it('without rotating it, and adds a note', async () => {
      const plain = await jpeg(rgba, width, height);
      const block = [...Buffer.from('Exif\0\0', 'latin1'), ...turned];
      const file = Buffer.concat([
        plain.subarray(0, 2),
        Uint8Array.from([0xff, 0xe1, 0, block.length + 2, ...block]),
        plain.subarray(2),
      ]);
      const raster = await decodeRaster(file, 'cells');
      assert.deepEqual([raster.width, raster.height], [width, height]);
      assert.match(sentences(raster.notes), /rotated by 90°/);
    });

    it('but rejects one that is cut off', async () => {
      const whole = await jpeg(rgba, width, height);
      await assert.rejects(
        decodeRaster(whole.subarray(0, whole.length - 40), 'cells'),
        cannotBeRead(/^The JPEG data is damaged or cut off/),
      );
      await assert.rejects(decodeRaster(whole.subarray(0, 30), 'cells'), cannotBeRead(/header/));
    });

    for (const progressive of [false, true]) {
      it(`that lacks only its end marker, with a note${progressive ? ', progressive' : ''}`, async () => {
        const whole = await jpeg(rgba, width, height, { progressive });
        const { samples } = await decodeRaster(whole, 'cells');
        for (const missing of [1, 2]) {
          const raster = await decodeRaster(whole.subarray(0, whole.length - missing), 'cells');
          assert.deepEqual(raster.samples, samples);
          assert.match(sentences(raster.notes), /lacks its end marker/);
        }
        const scan = whole.findIndex((byte, i) => byte === 0xff && whole[i + 1] === 0xda);
        for (let length = scan + 20; length < whole.length - 6; length += 5) {
          const cut = decodeRaster(whole.subarray(0, length), 'cells');
          await assert.rejects(cut, cannotBeRead(/^The JPEG data/), `${length} bytes`);
        }
      });
    }

    it('but not with damaged tables, in our words', async () => {
      const whole = await jpeg(rgba, width, height);
      const table = whole.findIndex((byte, i) => byte === 0xff && whole[i + 1] === 0xc4);
      const damaged = whole.map((byte, i) => (i > table + 4 && i < table + 9 ? 255 : byte));
      await assert.rejects(
        decodeRaster(damaged, 'cells'),
        cannotBeRead(/^The JPEG data is damaged or cut off$/),
      );
    });

    it("but rejects by name what the decoder can't read", async () => {
      const whole = await jpeg(rgba, width, height);
      const frame = whole.findIndex((byte, i) => byte === 0xff && whole[i + 1] === 0xc0);
      const changed = (at: number, value: number) =>
        whole.map((byte, i) => (i === frame + at ? value : byte));
      await assert.rejects(decodeRaster(changed(1, 0xc3), 'cells'), cannotBeRead(/Lossless JPEG/));
      await assert.rejects(decodeRaster(changed(4, 12), 'cells'), cannotBeRead(/12-bit/));
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

    it('whose zero is white, unchanged and marked so', async () => {
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

    it('of packed bits and of signed or double numbers, and notes what was converted', async () => {
      const packed = await decodeRaster(
        tiff([{ width: 4, height: 1, samples: Uint8Array.from([0b00011011]), bits: 2 }]),
        'cells',
      );
      assert.deepEqual([packed.bitsPerSample, ...packed.samples], [2, 0, 1, 2, 3]);
      assert.deepEqual(packed.notes, []);
      const signed = await decodeRaster(
        tiff([{ width: 2, height: 1, samples: Int16Array.from([-5, 7]) }]),
        'cells',
      );
      assert.deepEqual([...signed.samples], [-5, 7]);
      assert.match(sentences(signed.notes), /Signed/);
      const double = await decodeRaster(
        tiff([{ width: 1, height: 1, samples: Float64Array.from([0.5]) }]),
        'cells',
      );
      assert.deepEqual(double.samples, Float32Array.from([0.5]));
      assert.match(sentences(double.notes), /single precision/);
    });

    // Written by tifffile; the formula is in test/golden/images/make.py.
    for (const [file, second] of [
      ['channels-focus-time.ome.tif', 3],
      ['imagej-stack.tif', 1],
    ] as const) {
      it(`of several channels, all at the first focus and time: ${file}`, async () => {
        const { width, height, channels, photometric, samples } = await decodeRaster(
          await readFile(`test/golden/images/${file}`),
          file,
        );
        assert.deepEqual([width, height, channels, photometric], [61, 47, 2, 'black-is-zero']);
        const gray = (at: number, plane: number) =>
          ((at % 61) * 257 + Math.floor(at / 61) * 1031 + 5 + plane * 4001) % 65_536;
        assert.deepEqual(
          samples,
          Uint16Array.from(samples, (_, i) => gray(i >> 1, (i & 1) * second)),
        );
      });
    }

    it('of OME whose first plane is another page than the first', async () => {
      const planes = '<TiffData IFD="1" FirstZ="0"/><TiffData IFD="0" FirstZ="1"/>';
      const description = `<OME><Image><Pixels SizeX="1" SizeY="1" SizeZ="2">${planes}</Pixels></Image></OME>`;
      const page = (value: number) => ({ width: 1, height: 1, samples: Uint8Array.of(value), description });
      const raster = await decodeRaster(tiff([page(11), page(22)]), 'cells');
      assert.deepEqual([...raster.samples], [22]);
    });

    it('of OME whose first time is in another file: the first plane of this one', async () => {
      const planes = ['0', '1']
        .map(t => `<TiffData IFD="0" FirstT="${t}"><UUID FileName="t${t}.ome.tif">${t}</UUID></TiffData>`)
        .join('');
      const description = `<OME><Image><Pixels SizeX="1" SizeY="1" SizeT="2">${planes}</Pixels></Image></OME>`;
      const file = tiff([{ width: 1, height: 1, samples: Uint8Array.of(22), description }]);
      assert.deepEqual([...(await decodeRaster(file, 't1.ome.tif')).samples], [22]);
    });

    it('whose last strip has rows beyond the image', async () => {
      // Written for this test; read in the same way by Pillow 12.3 (LibTIFF).
      const file =
        'SUkqADgAAAB4nGPk4BeTVdE2AgACeADNeJyzdHD3C41JzgIAClgCjQgAAAAYAAAAEAAAABAAAAAJAAABAwABAAAABAAAAAEBAwABAAAAAwAAAAIBAwABAAAACAAAAAMBAwABAAAACAAAAAYBAwABAAAAAQAAABEBBAACAAAAKAAAABUBAwABAAAAAQAAABYBAwABAAAAAgAAABcBBAACAAAAMAAAAAAAAAA=';
      const { samples } = await decodeRaster(Buffer.from(file, 'base64'), 'cells');
      assert.deepEqual(
        samples,
        Uint8Array.from({ length: 12 }, (_, i) => i * 7 + 1),
      );
    });

    it('of several pages: the first, with a note', async () => {
      const page = (value: number) => ({ width: 1, height: 1, samples: Uint8Array.from([value]) });
      const raster = await decodeRaster(tiff([page(11), page(22), page(33)]), 'cells');
      assert.deepEqual([...raster.samples], [11]);
      assert.match(sentences(raster.notes), /3 pages/);
    });

    it('without rotating it, and adds a note', async () => {
      const raster = await decodeRaster(
        tiff([{ width: 2, height: 1, samples: Uint8Array.from([1, 2]), orientation: 3 }]),
        'cells',
      );
      assert.deepEqual([raster.width, ...raster.samples], [2, 1, 2]);
      assert.match(sentences(raster.notes), /rotated by 180°/);
    });

    it('but rejects an unknown compression, by name or number', async () => {
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
        cannotBeRead(/compression 999/),
      );
    });

    it('but rejects one whose samples or directory are cut off', async () => {
      const file = tiff([{ width: 40, height: 40, samples: new Uint16Array(1600) }]);
      await assert.rejects(decodeRaster(file.subarray(0, 2000), 'cells'), cannotBeRead(/cut off|damaged/));
      const short = { width: 40, height: 40, samples: new Uint16Array(100) };
      await assert.rejects(decodeRaster(tiff([short]), 'cells'), cannotBeRead(/cut off|damaged/));
    });
  });

  it('refuses an empty file and what is not an image', async () => {
    await assert.rejects(decodeRaster(new Uint8Array(0), 'cells'), cannotBeRead(/empty/));
    await assert.rejects(
      decodeRaster(Buffer.from('not an image at all'), 'cells'),
      cannotBeRead(/isn't a PNG, JPEG, WebP or TIFF/),
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
    await assert.rejects(decodeRaster(flipped, 'cells'), cannotBeRead(/^The PNG data is damaged or cut off/));
    await assert.rejects(decodeRaster(file.subarray(0, 20), 'cells'), cannotBeRead(/header/));
  });

  it('refuses a PNG whose data inflate to more than its size needs, and does not read its texts', async () => {
    const bomb = png(
      4,
      4,
      8,
      0,
      Array.from({ length: 4 }, () => new Array<number>(1_000_000).fill(0)),
    );
    await assert.rejects(decodeRaster(bomb, 'cells'), cannotBeRead(/larger than the image's size/));
    const profile = [...Buffer.from('p\0\0'), ...deflateSync(Buffer.alloc(1000)).subarray(0, 5)];
    const damagedProfile = png(1, 1, 8, 0, [[9]], [['iCCP', profile]]);
    assert.deepEqual([...(await decodeRaster(damagedProfile, 'cells')).samples], [9]);
  });

  it('refuses a PNG of several headers, or none at its beginning', async () => {
    const header = (width: number): [type: string, data: number[]] => [
      'IHDR',
      [0, 0, 0, width, 0, 0, 0, 1, 8, 0, 0, 0, 0],
    ];
    const damaged = cannotBeRead(/^The PNG data is damaged or cut off/);
    await assert.rejects(decodeRaster(png(4, 1, 8, 0, [[1, 2, 3, 4]], [header(2)]), 'cells'), damaged);
    const late = png(4, 1, 8, 0, [[1, 2, 3, 4]], [header(2)]);
    late.set(Buffer.from('hide'), 12);
    await assert.rejects(decodeRaster(late, 'cells'), damaged);
  });

  it('refuses a WebP file that is cut off', async () => {
    const webp = await readFile('test/golden/images/rgb8.webp');
    assert.equal((await decodeRaster(webp, 'cells')).width, 61);
    await assert.rejects(decodeRaster(webp.subarray(0, 40), 'cells'), cannotBeRead(/damaged|cut off/));
    await assert.rejects(decodeRaster(webp.subarray(0, 20), 'cells'), cannotBeRead(/header/));
    await assert.rejects(decodeRaster(webp, 'cells', 100), error => isCoded(error, 'bad-request'));
  });

  it('refuses an image that would not fit, before anything is allocated', async () => {
    const tooLarge = (error: unknown) =>
      isCoded(error, 'bad-request') && /more than the limit/.test(reasonText(error));
    await assert.rejects(decodeRaster(png(100_000, 100_000, 16, 6, [[0]]), 'cells'), tooLarge);
    const page = { width: 60_000, height: 60_000, samples: new Uint8Array(4) };
    await assert.rejects(decodeRaster(tiff([page]), 'cells'), tooLarge);
    const small = encode({ width: 20, height: 20, data: new Uint8Array(400), channels: 1, depth: 8 });
    await assert.rejects(decodeRaster(small, 'cells', 399), tooLarge);
    assert.equal((await decodeRaster(small, 'cells', 400)).width, 20);
  });
});
