import { bigTiff, type TiledDirectory } from './bigTiffFixture';
import { encodeJpeg, type JpegShape, type Paint } from './encodeJpeg';
import { ndpi, type NdpiDirectory, type NdpiFile } from './ndpiFixture';

/** A tissue on white, with edges, at 1 / scale of its size. */
export const tissue =
  (scale = 1, focus = 0): Paint =>
  (px, py) => {
    const [x, y] = [px * scale, py * scale];
    const wave = Math.sin(x / 23) * Math.cos(y / 31) + Math.sin((x + y) / 57 + focus);
    if (wave < -0.2) return [238 - focus * 10, 236, 240];
    const dark = (Math.floor(x / 24) + Math.floor(y / 40)) % 3 === 0;
    return dark ? [92, 60 + ((x / 4) % 60), 150] : [214, 130 + 40 * wave, 190 - ((y / 5) % 50)];
  };

/** A level of a slide as one stream. */
export function level(
  shape: JpegShape,
  facts: Omit<NdpiDirectory, 'width' | 'height' | 'jpeg'>,
  paint: Paint,
): NdpiDirectory {
  return { ...facts, width: shape.width, height: shape.height, jpeg: encodeJpeg(shape, paint) };
}

/** A small slide: levels in intervals of half a row, a whole coarsest level, a macro image. */
export function smallNdpi(sampling: readonly [number, number] = [2, 1]): NdpiFile {
  const mcus = 16 / sampling[0];
  const sized = (width: number, height: number, restart = 0): JpegShape => ({
    width,
    height,
    sampling,
    restart,
  });
  return ndpi([
    level(sized(256, 192, mcus), { lens: 20 }, tissue()),
    level(sized(128, 96, mcus / 2), { lens: 10, resolution: 22_000 }, tissue(2)),
    level(sized(64, 48), { lens: 5, resolution: 11_000, starts: 'none' }, tissue(4)),
    level(sized(96, 32), { lens: -1, resolution: 300, starts: 'none' }, tissue(5)),
    level(sized(48, 16), { lens: -2, resolution: 150, starts: 'none' }, tissue(9)),
  ]);
}

/** A directory of JPEG tiles; `paint` is given places in all of it. */
function tiled(
  size: Pick<TiledDirectory, 'width' | 'height' | 'tileWidth' | 'tileHeight'>,
  paint: Paint,
  more: Partial<TiledDirectory> = {},
): TiledDirectory {
  const { tileWidth: width, tileHeight: height } = size;
  const tile = (column: number, row: number) =>
    encodeJpeg({ width, height, sampling: [2, 1] }, (x, y) => paint(column * width + x, row * height + y))
      .bytes;
  return { ...size, tile, ...more };
}

const SCN_NAMESPACE = 'http://www.leica-microsystems.com/scn/2010/10/01';

/** nm of a pixel. */
const NM = 500;

/** A slide of two areas, 100 µm apart, each with two levels, and the photo of the whole glass. */
export function smallScn(): Uint8Array {
  const area = { width: 256, height: 192 };
  const coarse = { width: 128, height: 96 };
  const view = (x: number, y: number, { width, height } = area) =>
    `<view sizeX="${width * NM}" sizeY="${height * NM}" offsetX="${x * NM}" offsetY="${y * NM}"/>`;
  const settings =
    '<scanSettings><objectiveSettings><objective>20</objective></objectiveSettings>' +
    '<illuminationSettings><numericalAperture>0.75</numericalAperture>' +
    '<illuminationSource>brightfield</illuminationSource></illuminationSettings></scanSettings>';
  const dimension = (size: { width: number; height: number }, r: number, ifd: number) =>
    `<dimension sizeX="${size.width}" sizeY="${size.height}" r="${r}" ifd="${ifd}"/>`;
  const image = (name: string, place: string, dimensions: string) =>
    `<image name="${name}"><device model="Leica SCN400"/><pixels sizeX="1" sizeY="1">${dimensions}</pixels>${place}${settings}</image>`;
  const glass = { width: 600, height: 300 };
  const xml =
    `<?xml version="1.0" encoding="UTF-8"?><scn xmlns="${SCN_NAMESPACE}">` +
    `<collection name="slide" sizeX="${glass.width * NM}" sizeY="${glass.height * NM}">` +
    image('macro', view(0, 0, glass), dimension({ width: 120, height: 60 }, 0, 0)) +
    image('first', view(20, 30), dimension(area, 0, 1) + dimension(coarse, 1, 2)) +
    image('second', view(310, 64), dimension(area, 0, 3) + dimension(coarse, 1, 4)) +
    '</collection></scn>';
  const tile = { tileWidth: 64, tileHeight: 48 };
  return bigTiff([
    tiled({ width: 120, height: 60, ...tile }, tissue(5), { description: xml }),
    tiled({ ...area, ...tile }, tissue()),
    tiled({ ...coarse, ...tile }, tissue(2), { reduced: true }),
    tiled({ ...area, ...tile }, tissue(1, 1)),
    tiled({ ...coarse, ...tile }, tissue(2, 1), { reduced: true }),
  ]);
}

/** An area of a slide of Ventana's: its tiles in the file, and where its lower left lies. */
export interface BifAreaShape {
  column: number;
  row: number;
  across: number;
  down: number;
  x: number;
  y: number;
}

export const BIF_TILE = { width: 64, height: 48 };
export const BIF_AREAS: readonly BifAreaShape[] = [
  { column: 0, row: 0, across: 3, down: 2, x: 10, y: 120 },
  { column: 4, row: 0, across: 2, down: 3, x: 230, y: 20 },
];

/**
 * A slide of two areas whose tiles overlap by these pixels, with levels in which one tile of the
 * file has 2 × 2 and 4 × 4 tiles, the photo of the glass and a thumbnail. Each tile is painted as
 * where it lies in its area, so that seams fit.
 */
export function smallBif(overlap: { x: readonly number[]; y: number }): Uint8Array {
  const { width, height } = BIF_TILE;
  const mean = overlap.x.reduce((sum, one) => sum + one, 0) / overlap.x.length;
  const infos = BIF_AREAS.map(({ across, down, x, y }, index) => {
    const numberOf = (column: number, row: number) => {
      const fromBottom = down - 1 - row;
      return fromBottom * across + (fromBottom % 2 === 0 ? column : across - 1 - column) + 1;
    };
    const joints: string[] = [];
    const joint = (direction: string, one: number, other: number, overlapX: number, overlapY: number) =>
      joints.push(
        `<TileJointInfo FlagJoined="1" Confidence="98" Direction="${direction}" Tile1="${one}" Tile2="${other}" OverlapX="${overlapX}" OverlapY="${overlapY}"/>`,
      );
    for (let row = 0; row < down; row++)
      for (let column = 0; column < across; column++) {
        const nth = overlap.x[(row + column) % overlap.x.length] ?? 0;
        if (column + 1 < across) joint('RIGHT', numberOf(column, row), numberOf(column + 1, row), nth, 0);
        if (row > 0) joint('UP', numberOf(column, row), numberOf(column, row - 1), 0, overlap.y);
      }
    return `<ImageInfo AOIScanned="1" AOIIndex="${index}" Width="${width}" Height="${height}" NumRows="${down}" NumCols="${across}" Pos-X="${x}" Pos-Y="${y}">${joints.join('')}</ImageInfo>`;
  });
  const origins = BIF_AREAS.map(
    ({ column, row }, index) => `<AOI${index} OriginX="${column * width}" OriginY="${row * height}"/>`,
  );
  const xmp = `<EncodeInfo Ver="2"><SlideStitchInfo>${infos.join('')}</SlideStitchInfo><AoiOrigin>${origins.join('')}</AoiOrigin></EncodeInfo>`;
  const [columns, rows] = [8, 4];
  const file = { width: columns * width, height: rows * height };
  const tile = { tileWidth: width, tileHeight: height };
  /** The place in the slide of a pixel of the file's grid of tiles. */
  const paint =
    (factor: number): Paint =>
    (px, py) => {
      const [x, y] = [px * factor, py * factor];
      const [column, row] = [Math.floor(x / width), Math.floor(y / height)];
      return tissue(1, column >= 4 ? 1 : 0)(x - column * mean, y - row * overlap.y);
    };
  const levelOf = (number: number, factor: number): TiledDirectory =>
    tiled({ width: file.width / factor, height: file.height / factor, ...tile }, paint(factor), {
      description: `level=${number} mag=${20 / factor} quality=90`,
      ...(number === 0 ? { xmp } : { reduced: true }),
    });
  return bigTiff([
    tiled({ width: 128, height: 48, ...tile }, tissue(6), {
      description: 'Label Image',
      xmp: '<iScan Magnification="20" ScanRes="0.465" ScanWhitePoint="235"/>',
    }),
    tiled({ width: 64, height: 48, ...tile }, tissue(8), { description: 'Thumbnail' }),
    levelOf(0, 1),
    levelOf(1, 2),
    levelOf(2, 4),
  ]);
}
