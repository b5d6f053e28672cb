import { CodedError } from '../../../src/base/errors';
import type { MaskImage } from '../../../src/formats/masksSummary';
import type { ObjectDetails } from '../../../src/protocol/masksEngine';
import { type PictureInfo } from '../../../src/protocol/pictureEngine';
import { TILE_SIZE } from '../../../src/protocol/tiles';
import type {
  MasksPageSide,
  MasksPanelSide,
  MasksStart,
  PicturePairing,
} from '../../../src/protocol/masksPage';
import { RpcEndpoint, type RpcMessage } from '../../../src/protocol/rpc';
import { boxOf, depth, makeCells, paintCells, type Cell } from './cells';
import { InPagePort } from './inPagePort';

export interface FakeMasksOptions {
  strings: Record<string, string>;
  images: number;
  width: number;
  height: number;
  cells: number;
  picture: 'fluorescence' | 'bright-field' | 'suggested' | 'missing' | 'other-size';
  broken?: boolean;
  /** How many classes there are, those after the third with longer and longer names. */
  classes?: number;
  /** It never opens, or cannot be. */
  opening?: 'forever' | 'fails';
  /** Channels of the picture when it is fluorescence. */
  channels?: number;
}

const FIRST_CLASSES = ['Nucleus', 'Mitotic', 'Debris, out of focus'];

/** Stands in for the masks' panel in the preview: made-up cells, their labels and their picture, tile by tile. */
export function fakeMasksPanel(options: FakeMasksOptions, toPage: (message: unknown) => void) {
  const { strings, width, height } = options;
  const CLASSES = [...FIRST_CLASSES];
  for (let at = CLASSES.length; at < (options.classes ?? 0); at++)
    CLASSES.push(`CD${at} positive ${'and CD8 negative '.repeat(at % 4)}T cell`);
  const port = new InPagePort(toPage);
  const fake = { onHeard: (_name: string, _value: unknown) => undefined as void };
  const cellsOf = new Map<number, Cell[]>();
  /** Five images' worth, again and again. */
  const cells = (position: number) => {
    const image = position % 5;
    const known = cellsOf.get(image) ?? makeCells(image === 4 ? 0 : options.cells, width, height, image + 1);
    cellsOf.set(image, known);
    return known;
  };
  const images = Array.from({ length: options.images }, (_, index): MaskImage => {
    const counts = CLASSES.map((_name, kind) => cells(index).filter(cell => cell.kind === kind).length);
    return {
      index,
      id: `image-${index}`,
      filename: `Plate 3/Well B${index + 1}/nuclei_${String(index + 1).padStart(3, '0')}.tif`,
      width,
      height,
      objectCount: counts.reduce((a, b) => a + b, 0),
      classCounts: counts,
      unreadable:
        index === 0
          ? [
              { key: '77', reason: 'runs sum to 143, expected 12 × 12' },
              { key: '112', reason: 'a cut-off number' },
            ]
          : [],
      unreadableCount: index === 0 ? 2 : 0,
      ...(index === 2 && {
        failure: {
          code: 'damaged-archive' as const,
          message: 'image-2_objects.json is damaged: its checksum does not match. Download the masks again.',
        },
      }),
    };
  });
  const start: MasksStart = {
    strings,
    title: 'Plate 3, nuclei by size — masks',
    masks: {
      resultId: 'preview',
      classes: CLASSES.map((name, kind) => ({
        name,
        count: images.reduce((sum, image) => sum + (image.classCounts[kind] ?? 0), 0),
      })),
      images,
      notes: ['Class “Debris, out of focus” is not listed in index.json.'],
    },
    link: {
      imageColumn: 'Image origin',
      idColumn: 'Object ID',
      matched: 4012,
      rowsWithoutObject: 3,
      objectsWithoutRow: 0,
      ambiguous: 0,
      areaRatio: 0.4225,
      areaRatioConstant: true,
    },
    opacity: 0.45,
    hovered: null,
    selected: null,
    classColours: {},
    pixelSizes: {},
    filtered: null,
  };
  const measures = (image: number) =>
    cells(image).map((_, object) => details(cells(image), image, object, width, height));
  /** Even objects pass the made-up filter. */
  let filtered = false;
  const fluorescence: [number, number, number][] =
    options.channels === 3
      ? [
          [0, 120, 255],
          [0, 255, 0],
          [255, 0, 255],
        ]
      : [[255, 255, 255]];
  const colours: [number, number, number][] =
    options.picture === 'bright-field'
      ? [
          [255, 0, 0],
          [0, 255, 0],
          [0, 0, 255],
        ]
      : fluorescence;
  const picture: PictureInfo = {
    picture: 1,
    width,
    height,
    channels: options.picture === 'bright-field' ? 3 : (options.channels ?? 1),
    bitsPerSample: options.picture === 'bright-field' ? 8 : 16,
    name: 'nuclei_001.tif',
    notes: options.picture === 'bright-field' ? [] : ['The first of 3 pages is shown.'],
    sampleKind: 'unsigned',
    look: {
      page: 0,
      z: 0,
      t: 0,
      channels: colours.map(colour => ({ shown: true, colour, low: 180, high: 2200 })),
    },
    channelNames: options.picture === 'bright-field' ? ['red', 'green', 'blue'] : ['DAPI', 'FITC', ''],
    axes: { page: 1, z: options.channels === 3 ? 12 : 1, t: 1 },
    levels: [{ width, height }],
    level: 0,
    pages: [],
    firstPage: 0,
    pixelSize: { x: 0.325, y: 0.325, from: 'ome' },
    compression: 'Deflate',
  };
  const paired: PicturePairing = {
    state: 'paired',
    how: 'Uploaded from this file',
    picture,
    path: '/home/ana/Plate 3/Well B1/nuclei_001.tif',
  };
  const suggested: PicturePairing = {
    state: 'suggested',
    how: 'Only the file name is the same.',
    path: '/home/ana/other/nuclei_001.tif',
  };
  const otherSize: PicturePairing = {
    state: 'unreadable',
    how: `The picture has ${2 * width} × ${2 * height} pixels, the masks have ${width} × ${height}; it is not shown under them.`,
    path: '/home/ana/Plate 3/Well B1/nuclei_001.svs',
    offers: [
      { kind: 'level', level: 1, width, height },
      { kind: 'page', page: 3, width, height },
      { kind: 'scaled', width: 2 * width, height: 2 * height },
    ],
  };
  const missing: PicturePairing = { state: 'missing', how: 'No file with this name in the workspace.' };
  const painted = new Map<number, Uint8ClampedArray>();
  let shownImage = 0;
  const damaged = new CodedError(
    'damaged-archive',
    'masks.zip is damaged: it ends in the middle of an entry. Download the masks again.',
  );
  const endpoint = new RpcEndpoint<MasksPanelSide, MasksPageSide>(port, {
    strings: () => strings,
    start: () => {
      if (options.opening === 'fails') return Promise.reject(damaged);
      if (!options.opening) return start;
      endpoint.send('progress', { done: 1740, total: 5000, text: 'Reading…' });
      return new Promise<MasksStart>(() => undefined);
    },
    retry: () => start,
    labelTile: ({ image, level, x, y, hidden }) => ({
      labels: labelTile(cells(image), level, x, y, width, height, hidden),
      overlaps: true,
    }),
    thumbnail: ({ image, size }) => {
      const scale = size / Math.max(width, height);
      const [w, h] = [Math.round(width * scale), Math.round(height * scale)];
      const classes = new Uint16Array(w * h);
      const labels = new Uint32Array(w * h);
      for (const [object, cell] of cells(image).entries()) {
        const [x1, y1, x2, y2] = boxOf(cell, width, height).map(each => Math.floor(each * scale));
        for (let y = y1 ?? 0; y <= (y2 ?? 0) && y < h; y++)
          for (let x = x1 ?? 0; x <= (x2 ?? 0) && x < w; x++)
            if (depth(cell, (x + 0.5) / scale, (y + 0.5) / scale) <= 1) {
              classes[y * w + x] = cell.kind + 1;
              labels[y * w + x] = object + 1;
            }
      }
      return { width: w, height: h, labels: labels.buffer, classes: classes.buffer };
    },
    objectMeasures: ({ image }) => {
      const all = measures(image);
      return {
        areas: Float64Array.from(all, each => each.area).buffer,
        perimeters: Float64Array.from(all, each => each.perimeter).buffer,
        centroids: Float64Array.from(all.flatMap(each => each.centroid)).buffer,
        from: 0,
        count: all.length,
      };
    },
    objectsInRegion: ({ image, polygon = [] }) => {
      const [x1 = 0, y1 = 0, , , x2 = 0, y2 = 0] = polygon;
      const inside = cells(image).flatMap((cell, i) =>
        cell.x >= Math.min(x1, x2) &&
        cell.x <= Math.max(x1, x2) &&
        cell.y >= Math.min(y1, y2) &&
        cell.y <= Math.max(y1, y2)
          ? [i]
          : [],
      );
      return { objects: inside };
    },
    objectColumns: () => ({
      columns: [
        { column: 3, name: 'Area' },
        { column: 4, name: 'Perimeter' },
        { column: 9, name: 'Mean Intensity of Channel 1 (background subtracted)' },
      ],
    }),
    objectValues: ({ image, column }) => ({
      values: Float64Array.from(measures(image), (each, i) =>
        i % 17 === 3 ? NaN : column === 4 ? each.perimeter : each.area,
      ).buffer,
      total: measures(image).length,
    }),
    valueScale: () => {
      const counts = new Uint32Array(256);
      for (const { area } of measures(0))
        counts[Math.min(255, Math.floor(area / 8))] = (counts[Math.min(255, Math.floor(area / 8))] ?? 0) + 1;
      return { min: 0, max: 2048, counts: counts.buffer };
    },
    shownObjects: ({ image }) => ({
      shown: filtered ? Uint8Array.from(cells(image), (_, i) => (i + 1) % 2).buffer : null,
    }),
    objectRow: ({ row }) => ({
      cells: [
        { name: 'Image origin', text: 'Plate 3/Well B1/nuclei_001.tif' },
        { name: 'Object ID', text: `${row + 1}.0` },
        { name: 'Class', text: CLASSES[row % 3] ?? '' },
        { name: 'Area', text: '314.25' },
        { name: 'Perimeter', text: '71.8' },
        { name: 'Feret Diameter Maximum', text: '22.6' },
      ],
    }),
    pickObjects: ({ objects }) => {
      fake.onHeard('pickObjects', objects);
      return { rows: objects.length };
    },
    choosePixelSize: () => ({ pixelSize: 0.5 }),
    saveView: ({ name }) => {
      fake.onHeard('saveView', name);
      return { save: 1 };
    },
    saveViewPart: ({ bytes, last }) => {
      fake.onHeard('saveViewPart', new Uint8Array(bytes).slice(0, 8).join(' '));
      return { saved: last ? '/home/ana/view.png' : null };
    },
    pictureContrast: () => ({
      channels: picture.look.channels.map(({ low, high }, at) => ({
        low,
        high,
        lowest: 0,
        highest: 4095,
        counts: Array.from({ length: 64 }, (_, i) =>
          Math.round(9000 * Math.exp(-((i - 6 - 4 * at) ** 2) / 40) + 400 * Math.exp(-((i - 34) ** 2) / 200)),
        ),
      })),
    }),
    lockContrast: () => ({}),
    pixelValues: ({ x, y }) => ({
      values: picture.look.channels.map((_, at) => ((x * 7 + y * 13) % 900) + 100 * at),
    }),
    objectIntensity: ({ object }) => ({
      means: picture.look.channels.map((_, at) => 812.4 + object + 100 * at),
      pixels: 100,
    }),
    maskObjects: ({ image }) => {
      const all = cells(image);
      return {
        from: 0,
        count: all.length,
        classes: new Uint16Array(all.map(cell => cell.kind)).buffer,
        ids: new Float64Array(all.map((_, i) => i + 1)).buffer,
        boxes: new Int32Array(all.flatMap(cell => boxOf(cell, width, height))).buffer,
      };
    },
    objectsAt: ({ image, x, y }) => {
      const hits = cells(image).flatMap((cell, i) => (depth(cell, x + 0.5, y + 0.5) <= 1 ? [i] : []));
      return { objects: hits.reverse() };
    },
    objectDetails: ({ image, object }) => details(cells(image), image, object, width, height),
    picture: ({ image }) => {
      shownImage = image;
      const unpaired = { suggested, missing, 'other-size': otherSize };
      return options.picture in unpaired ? unpaired[options.picture as keyof typeof unpaired] : paired;
    },
    confirmPicture: () => paired,
    choosePicture: () => paired,
    acceptPicture: () => paired,
    pictureTile: ({ level, x, y }) => {
      const stain = options.picture === 'bright-field' ? 'bright-field' : 'fluorescence';
      const whole = painted.get(shownImage) ?? paintCells(cells(shownImage), width, height, stain);
      painted.set(shownImage, whole);
      return { pixels: pictureTile(whole, level, x, y, width, height) };
    },
  });
  for (const name of [
    'hover',
    'select',
    'shown',
    'showTable',
    'failure',
    'visibility',
    'classColours',
  ] as const) {
    endpoint.on(name, value => fake.onHeard(name, value));
  }
  const filter = (on: boolean) => {
    filtered = on;
    endpoint.send('filtered', on ? { rowCount: 2006, total: 4012 } : null);
  };
  return Object.assign(fake, { filter, receive: (message: RpcMessage) => port.receive(message), endpoint });
}

function details(
  all: readonly Cell[],
  image: number,
  object: number,
  width: number,
  height: number,
): ObjectDetails {
  const cell = all[object];
  if (!cell) throw new Error(`No object ${object}`);
  const area = Math.round(Math.PI * cell.long * cell.short);
  return {
    image,
    object,
    id: object + 1,
    className: FIRST_CLASSES[cell.kind] ?? '',
    score: 0.93,
    bbox: boxOf(cell, width, height),
    area,
    centroid: [cell.x, cell.y],
    perimeter: 2 * Math.PI * Math.sqrt((cell.long ** 2 + cell.short ** 2) / 2),
    row: object,
  };
}

function labelTile(
  all: readonly Cell[],
  level: number,
  tx: number,
  ty: number,
  width: number,
  height: number,
  hidden: ArrayBuffer | undefined,
): ArrayBuffer {
  const bits = hidden && new Uint8Array(hidden);
  const labels = new Uint32Array(TILE_SIZE * TILE_SIZE);
  const step = 2 ** level;
  const [left, top] = [tx * TILE_SIZE * step, ty * TILE_SIZE * step];
  all.forEach((cell, object) => {
    if (bits && ((bits[object >> 3] ?? 0) >> (object & 7)) & 1) return;
    const [x1, y1, x2, y2] = boxOf(cell, width, height);
    const from = (value: number, origin: number) => Math.max(0, Math.floor((value - origin) / step) - 1);
    const to = (value: number, origin: number) => Math.min(TILE_SIZE, Math.ceil((value - origin) / step) + 1);
    for (let y = from(y1, top); y < to(y2, top); y++) {
      for (let x = from(x1, left); x < to(x2, left); x++) {
        const [px, py] = [left + Math.floor((x + 0.5) * step), top + Math.floor((y + 0.5) * step)];
        if (px >= width || py >= height) continue;
        if (depth(cell, px + 0.5, py + 0.5) <= 1) labels[y * TILE_SIZE + x] = object + 1;
      }
    }
  });
  return labels.buffer;
}

function pictureTile(
  whole: Uint8ClampedArray,
  level: number,
  tx: number,
  ty: number,
  width: number,
  height: number,
): ArrayBuffer {
  const out = new Uint8ClampedArray(TILE_SIZE * TILE_SIZE * 4);
  const step = 2 ** level;
  for (let y = 0; y < TILE_SIZE; y++) {
    for (let x = 0; x < TILE_SIZE; x++) {
      const [px, py] = [(tx * TILE_SIZE + x) * step, (ty * TILE_SIZE + y) * step];
      if (px >= width || py >= height) continue;
      for (let channel = 0; channel < 4; channel++) {
        let sum = 0;
        let n = 0;
        for (let dy = 0; dy < step && py + dy < height; dy++) {
          for (let dx = 0; dx < step && px + dx < width; dx++) {
            sum += whole[((py + dy) * width + px + dx) * 4 + channel] ?? 0;
            n++;
          }
        }
        out[(y * TILE_SIZE + x) * 4 + channel] = sum / n;
      }
    }
  }
  return out.buffer;
}
