import assert from 'node:assert/strict';
import { omeSeries, readOmeXml } from '../../../../src/images/tiff/omeSeries';
import type { TiffPlane } from '../../../../src/images/tiff/tiffPlanes';

const ome = (pixels: string, inner = '') =>
  `<?xml version="1.0"?><!-- <Pixels SizeX="9"/> --><ome:OME xmlns:ome="x"><ome:Image Name="a &lt; b &#x41;"><ome:Pixels ${pixels}>${inner}</ome:Pixels></ome:Image></ome:OME>`;

describe('OME metadata', () => {
  it('are read whatever the prefix, the quotes and the entities', () => {
    const [image] = readOmeXml(
      ome(
        `DimensionOrder='XYCZT' SizeX="5" SizeY="4" SizeZ="3" SizeC="2" SizeT="1" PhysicalSizeX="1e2" PhysicalSizeXUnit="nm"`,
        `<Channel Name="Cy5 &amp; &quot;x&quot;" Color="-16776961" SamplesPerPixel="1"/><Channel/><TiffData IFD="2" FirstZ="1" PlaneCount="4"/>`,
      ),
    );
    assert.deepEqual(image, {
      name: 'a < b A',
      order: 'CZT',
      width: 5,
      height: 4,
      z: 3,
      c: 2,
      t: 1,
      channels: [{ name: 'Cy5 & "x"', color: [255, 0, 0], samplesPerPixel: 1 }, { samplesPerPixel: 1 }],
      tiffData: [{ ifd: 2, c: 0, z: 1, t: 0, planes: 4 }],
      pixelSize: { x: 0.1, y: 0.1, from: 'ome' },
    });
  });

  it('have no pixel size in units that are not lengths', () => {
    for (const unit of ['pixel', 'reference frame', 'lightyear']) {
      const [image] = readOmeXml(ome(`SizeX="5" PhysicalSizeX="2" PhysicalSizeXUnit="${unit}"`));
      assert.equal(image?.pixelSize, undefined);
    }
    assert.equal(readOmeXml(ome('SizeX="5" PhysicalSizeX="-1"'))[0]?.pixelSize, undefined);
  });

  it('are absent in other texts, and harmless in damaged ones', () => {
    assert.deepEqual(readOmeXml('ImageJ=1.53'), []);
    assert.deepEqual(readOmeXml('<html><Pixels SizeX="4"/></html>'), []);
    assert.deepEqual(readOmeXml('<OME><Image><Pixels SizeX="4'), []);
    const [image] = readOmeXml('<OME><Image><Pixels SizeX="x" SizeC="-4" SizeZ="1e400"/></Image></OME>');
    assert.deepEqual([image?.width, image?.c, image?.z], [1, 1, 1]);
  });
});

describe('the planes of an OME image', () => {
  const planes = Array.from({ length: 6 }, (): TiffPlane => [{ width: 5, height: 4 } as TiffPlane[number]]);
  const series = (pixels: string, inner = '') => {
    const [image] = readOmeXml(ome(`SizeX="5" SizeY="4" ${pixels}`, inner));
    return omeSeries(image ?? assert.fail(), planes, 'a.ome.tif', {
      isOnlyImage: true,
      references: { left: 1000 },
    });
  };

  it('follow the order of the dimensions by default', () => {
    const zFirst = series('DimensionOrder="XYZCT" SizeZ="3" SizeC="2"');
    assert.deepEqual(zFirst?.place({ page: 0, z: 2, t: 0 }, 1), { plane: 5, sample: 0 });
    assert.deepEqual(zFirst?.place({ page: 0, z: 0, t: 0 }, 1), { plane: 3, sample: 0 });
    const cFirst = series('DimensionOrder="XYCZT" SizeZ="3" SizeC="2"');
    assert.deepEqual(cFirst?.place({ page: 0, z: 1, t: 0 }, 1), { plane: 3, sample: 0 });
  });

  it('follow the entry of each directory where there is one', () => {
    const made = series(
      'DimensionOrder="XYZCT" SizeZ="1" SizeC="2"',
      '<TiffData IFD="4" FirstC="0"/><TiffData IFD="1" FirstC="1"/>',
    );
    assert.deepEqual(made?.place({ page: 0, z: 0, t: 0 }, 0), { plane: 4, sample: 0 });
    assert.deepEqual(made?.place({ page: 0, z: 0, t: 0 }, 1), { plane: 1, sample: 0 });
  });

  it('leave out those of other files of a set, and recognize a file that was renamed', () => {
    const data = (ifd: number, c: number, name: string) =>
      `<TiffData IFD="${ifd}" FirstC="${c}" PlaneCount="1"><UUID FileName="${name}">u</UUID></TiffData>`;
    const set = series('SizeC="2"', data(0, 0, 'a.ome.tif') + data(0, 1, 'b.ome.tif'));
    assert.deepEqual(set?.place({ page: 0, z: 0, t: 0 }, 0), { plane: 0, sample: 0 });
    assert.equal(set?.place({ page: 0, z: 0, t: 0 }, 1), undefined);
    const renamed = series('SizeC="2"', data(0, 0, 'old.ome.tif') + data(1, 1, 'old.ome.tif'));
    assert.deepEqual(renamed?.place({ page: 0, z: 0, t: 0 }, 1), { plane: 1, sample: 0 });
  });

  it('are samples where a channel has several', () => {
    const color = series('SizeC="3"', '<Channel SamplesPerPixel="3"/>');
    assert.equal(color?.channels, undefined);
    assert.deepEqual(color?.place({ page: 0, z: 0, t: 0 }, 2), { plane: 0, sample: 2 });
  });

  it('are none where their numbers are absurd', () => {
    assert.equal(series('SizeC="4000000000"'), undefined);
  });
});
