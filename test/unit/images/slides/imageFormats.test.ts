import assert from 'node:assert/strict';
import { memorySource } from '../../../../src/images/byteSource';
import { formatOf } from '../../../../src/images/imageFormats';
import { bifFormat } from '../../../../src/images/bif/bifSlide';
import { ndpiFormat } from '../../../../src/images/ndpi/ndpiSlide';
import { scnFormat } from '../../../../src/images/scn/scnSlide';
import { tiffFormat } from '../../../../src/images/tiff/tiffSource';
import { tiff } from '../tiffFixture';
import { reasonText } from '../../words/reasonText';
import { goldenSlide } from './openSlide';

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
        reasonText(error).startsWith(`${name} files can be uploaded and analyzed`),
      );
  });

  it('of a damaged TIFF file is TIFF, which says what is wrong', async () => {
    const cut = bytesOf('II*\0\xff\xff\0\0');
    assert.equal(await formatOf(memorySource(cut), 'a.tif'), tiffFormat);
  });
});
