import assert from 'node:assert/strict';
import { readBifTiles } from '../../../../src/images/bif/bifTiles';
import { memorySource } from '../../../../src/images/byteSource';
import { DecodingError } from '../../../../src/images/raster';
import { goldenSlide, largestDifference, openSlide, recorded, samplesOf } from './openSlide';
import { BIF_AREAS, BIF_TILE } from './slideImages';

const OVERLAPS = { 'overlaps.bif': { x: 8, y: 6 }, 'uneven-overlaps.bif': { x: 7.5, y: 5 } };

/** The part of each of a level's tiles that no other covers, by the overlaps' definition. */
function insides(overlap: { x: number; y: number }, factor: number) {
  const [advanceX, advanceY] = [BIF_TILE.width - overlap.x, BIF_TILE.height - overlap.y];
  const top = Math.max(...BIF_AREAS.map(({ y, down }) => y + (down - 1) * advanceY + BIF_TILE.height));
  return BIF_AREAS.flatMap(area => {
    const areaTop = top - area.y - ((area.down - 1) * advanceY + BIF_TILE.height);
    return Array.from({ length: area.across * area.down }, (_, at) => {
      const [column, row] = [at % area.across, Math.floor(at / area.across)];
      const margin = { x: overlap.x / factor + 3, y: overlap.y / factor + 3 };
      const x = Math.ceil((area.x + column * advanceX) / factor + margin.x);
      const y = Math.ceil((areaTop + row * advanceY) / factor + margin.y);
      const width = Math.floor(BIF_TILE.width / factor - 2 * margin.x);
      const height = Math.floor(BIF_TILE.height / factor - 2 * margin.y);
      const [left, up] = [(area.x + column * advanceX) / factor, (areaTop + row * advanceY) / factor];
      // With fractions in the distance of tiles OpenSlide draws all of them between pixels, within
      // its precision.
      const isWhole = [left, up, advanceX / factor, advanceY / factor].every(Number.isInteger);
      return { x, y, width, height, isWhole };
    });
  }).filter(({ width, height }) => width > 1 && height > 1);
}

describe("A slide of Ventana's scanners", () => {
  for (const [name, overlap] of Object.entries(OVERLAPS))
    it(`has its tiles where OpenSlide has them, within a pixel: ${name}`, async () => {
      const known = recorded(name);
      const source = await openSlide(memorySource(goldenSlide(name)), name);
      const { levels, pixelSize, magnification } = source.facts;
      assert.deepEqual(
        [pixelSize, magnification],
        [{ x: 0.465, y: 0.465, from: 'ventana' }, Number(known.power)],
      );
      for (const [at, factor] of [1, 2, 4].entries()) {
        const other = known.levels[at] ?? assert.fail();
        assert.deepEqual(levels[at], { width: other.width, height: other.height });
        const { width, samples } = await samplesOf(source, at);
        const inside = insides(overlap, factor);
        assert.ok(inside.length === 12 || factor === 4);
        if (at === 0) assert.equal(inside[0]?.isWhole, Number.isInteger(overlap.x));
        for (const part of inside) {
          const ours = (x: number, y: number, c: number) => samples[(y * width + x) * 3 + c] ?? NaN;
          for (let y = part.y; y < part.y + part.height; y++)
            for (let x = part.x; x < part.x + part.width; x++)
              for (let c = 0; c < 3; c++) {
                const theirs = other.rgba[(y * other.width + x) * 4 + c] ?? NaN;
                const place = `level ${at}, ${x}, ${y}: ${theirs} and ${ours(x, y, c)}`;
                if (part.isWhole) {
                  assert.ok(Math.abs(ours(x, y, c) - theirs) <= 1, place);
                  continue;
                }
                // Between pixels OpenSlide blends; we take the nearest.
                const around = [-1, 0, 1].flatMap(dy => [-1, 0, 1].map(dx => ours(x + dx, y + dy, c)));
                assert.ok(theirs >= Math.min(...around) - 1 && theirs <= Math.max(...around) + 1, place);
              }
        }
      }
    });

  it('has nothing between its areas', async () => {
    const name = 'overlaps.bif';
    const source = await openSlide(memorySource(goldenSlide(name)), name);
    const other = recorded(name).levels[0] ?? assert.fail();
    const { width, samples } = await samplesOf(source);
    for (let at = 0; at < other.rgba.length / 4; at++)
      assert.equal(
        Number.isNaN(samples[at * 3]),
        other.rgba[at * 4 + 3] === 0,
        `${at % width}, ${Math.floor(at / width)}`,
      );
  });

  it('has the photo of the glass and its thumbnail apart', async () => {
    const name = 'overlaps.bif';
    const file = memorySource(goldenSlide(name));
    const { facts } = await openSlide(file, name);
    assert.deepEqual(
      facts.pages.map(({ role }) => role?.kind),
      ['slide', 'macro', 'thumbnail'],
    );
    const { associated } = recorded(name);
    for (const [page, key] of [
      [1, 'macro'],
      [2, 'thumbnail'],
    ] as const) {
      const source = await openSlide(file, name, { page });
      assert.ok(largestDifference(await samplesOf(source), associated[key] ?? assert.fail()) <= 1);
    }
  });

  it('whose text contradicts itself is refused, not shown with tiles anywhere', () => {
    const text = (joint: string, info = '') =>
      `<EncodeInfo><SlideStitchInfo><ImageInfo AOIScanned="1" Width="64" Height="48" NumRows="2" NumCols="2" Pos-X="0" Pos-Y="0" ${info}>${joint}</ImageInfo></SlideStitchInfo><AoiOrigin><AOI0 OriginX="0" OriginY="0"/></AoiOrigin></EncodeInfo>`;
    const joint = (tiles: string, more = 'OverlapX="8" OverlapY="0" Confidence="9"') =>
      text(`<TileJointInfo Direction="RIGHT" ${tiles} ${more}/>`);
    const read = (xml: string) => readBifTiles(xml, { width: 64, height: 48 });
    // The second row from below goes from right to left: tile 3 is above tile 2.
    assert.equal(read(joint('Tile1="4" Tile2="3"'))?.advanceX, 56);
    assert.equal(read(joint('Tile1="1" Tile2="2"'))?.advanceX, 56);
    for (const wrong of [
      joint('Tile1="3" Tile2="4"'),
      joint('Tile1="1" Tile2="9"'),
      joint('Tile1="1" Tile2="2"', 'OverlapX="1e9" OverlapY="0" Confidence="9"'),
      joint('Tile1="1" Tile2="2"', 'OverlapX="" OverlapY="0" Confidence="9"'),
      text(
        '<TileJointInfo Direction="AROUND" Tile1="1" Tile2="2" OverlapX="8" OverlapY="0" Confidence="9"/>',
      ),
    ])
      assert.throws(
        () => read(wrong),
        error =>
          error instanceof DecodingError &&
          error.reason.message === "The slide's description of its tiles is damaged",
      );
  });
});
