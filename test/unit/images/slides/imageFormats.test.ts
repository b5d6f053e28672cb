import assert from 'node:assert/strict';
import { memorySource } from '../../../../src/images/byteSource';
import { decodeRaster } from '../../../../src/images/decodeRaster';
import { formatOf } from '../../../../src/images/imageFormats';
import { bifFormat } from '../../../../src/images/bif/bifSlide';
import { ndpiFormat } from '../../../../src/images/ndpi/ndpiSlide';
import { scnFormat } from '../../../../src/images/scn/scnSlide';
import { tiffFormat } from '../../../../src/images/tiff/tiffSource';
import { tiff } from '../tiffFixture';
import { reasonText } from '../../words/reasonText';
import { goldenSlide, recorded } from './openSlide';

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));

describe('The format of an image file', () => {
  it('is told by what is in it, whatever its name', async () => {
    const gray = { width: 2, height: 2, samples: new Uint8Array(4) };
    for (const [bytes, format] of [
      [goldenSlide('half-rows-422.ndpi'), ndpiFormat],
      [goldenSlide('two-areas.scn'), scnFormat],
      [goldenSlide('overlaps.bif'), bifFormat],
      [goldenSlide('rgb-33005.svs'), tiffFormat],
      [tiff([gray]), tiffFormat],
      [tiff([gray], false), tiffFormat],
      [bytesOf('\x89PNG\r\n\x1a\n'), undefined],
      [bytesOf('text'), undefined],
      [bytesOf(''), undefined],
    ] as const)
      assert.equal(await formatOf(memorySource(bytes), 'image.dat'), format);
  });

  it('may be one of which all is decoded at once, with white where nothing was scanned', async () => {
    for (const [name, level] of [
      ['half-rows-422.ndpi', 0],
      ['overlaps.bif', 0],
      ['rgb-33005.svs', 0],
    ] as const) {
      const raster = await decodeRaster(goldenSlide(name), name);
      const { width, height, rgba } = recorded(name).levels[level] ?? assert.fail();
      assert.deepEqual([raster.width, raster.height, raster.channels], [width, height, 3]);
      let outside = 0;
      for (let pixel = 0; pixel * 4 < rgba.length; pixel++) {
        if (rgba[pixel * 4 + 3] !== 0) continue;
        outside++;
        assert.equal(raster.samples[pixel * 3], 255);
      }
      assert.equal(outside > 0, name.endsWith('.bif'));
    }
    // Not an area of another size.
    const area = await decodeRaster(goldenSlide('two-areas.scn'), 'a.scn');
    assert.deepEqual([area.width, area.height], [256, 192]);
  });

  it('is refused by its name where it is known and not read', async () => {
    for (const [begin, name] of [
      ['[Virtual Microscope Specimen]\r\nNoLayers=1', 'Hamamatsu VMS'],
      ['\xef\xbb\xbf[Virtual Microscope Specimen]', 'Hamamatsu VMS'],
      ['[Uncompressed Virtual Microscope Specimen]', 'Hamamatsu VMU'],
      ['SQLite format 3\0', 'Sakura SVSLIDE'],
      ['ZISRAWFILE', 'Zeiss CZI'],
      ['\xda\xce\xbe\x0a', 'Nikon ND2'],
      ['\x70\0\0\0', 'Leica LIF'],
    ] as const)
      await assert.rejects(formatOf(memorySource(bytesOf(begin)), 'slide.vms'), error =>
        reasonText(error).startsWith(`${name} files can be uploaded, but aren't shown`),
      );
  });

  it('of a damaged TIFF file is TIFF, which says what is wrong', async () => {
    const cut = bytesOf('II*\0\xff\xff\0\0');
    assert.equal(await formatOf(memorySource(cut), 'a.tif'), tiffFormat);
  });
});
