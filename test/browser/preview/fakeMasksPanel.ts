import { CodedError } from '../../../src/base/errors';
import type {
  MasksPageSide,
  MasksPanelSide,
  MasksStart,
  PackedMasksStart,
} from '../../../src/masks/masksPage';
import type { LinkReport } from '../../../src/linking/rowLinks';
import type { ObjectRef } from '../../../src/archives/masksSummary';
import { packIntegers, packJson } from '../../../src/protocol/packed';
import type { PageStrings } from '../../../src/pages/pageTranslations';
import { RpcEndpoint } from '../../../src/protocol/rpc';
import { boxOf, type Cell, depth, paintCells, smaller } from './cells';
import { cellLabelTile, cellThumbnail, shrunkTile } from './cellTiles';
import { FakeImageLinks } from './fakeImageLinks';
import { FakeMasks, type FakeMasksSize } from './fakeMasks';
import { fakePairings, fakeImage } from './fakeImages';
import { InPagePort } from './inPagePort';

export interface FakeMasksOptions extends FakeMasksSize {
  strings: PageStrings;
  backgroundImage: 'fluorescence' | 'bright-field' | 'suggested' | 'missing' | 'other-size' | 'loading';
  /** It never opens, or can't be opened. */
  opening?: 'forever' | 'fails';
  /** Three fifths of the first image were read, and half of the others. */
  reading?: boolean;
  /** They come without a table. */
  choosesTable?: boolean;
  /** An image file by itself: no masks, no table. */
  imageOnly?: boolean;
  /** No objects can be loaded. */
  objectsFail?: boolean;
  /** Channels of a fluorescence background image. */
  channels?: number;
}

const LINK: LinkReport = {
  imageColumn: 'Image origin',
  idColumn: 'Object ID',
  matched: 4012,
  rowsWithoutObject: 3,
  objectsWithoutRow: 0,
  ambiguous: 0,
  areaRatio: 0.4225,
  areaRatioConstant: true,
};

const SAME_NAMES: NonNullable<LinkReport['sameNames']> = {
  linked: { areas: 7, positions: 2 },
  open: 3,
  suggested: 2,
};

/** A column of the table. */
const WITHOUT_NUMBERS = 12;

const populations = [
  { path: ['Cells'], listed: 0, color: '#4e79a7' },
  { path: ['Cells', 'Ki67+'], listed: 1, color: '#f28e2b' },
  { path: ['Cells', 'Ki67+', 'Ki67+ large'], listed: 2, color: '#e15759' },
  { path: ['Debris'], listed: 3, color: '#59a14f', hidden: true as const },
];
/** The place of the population that colors an object, + 1; 0 for none. */
const placeOf = (object: number) => [0, 1, 1, 2, 2, 3, 1][object % 7] ?? 0;
/** A column of images, of texts. */
const OF_TEXTS = 11;

/** The images of an archive as those of an image file. */
function withoutObjects({ images }: MasksStart['masks']): MasksStart['masks'] {
  return {
    classes: [],
    notes: [],
    images: images.map(({ index, id, width, height }) => ({
      index,
      id,
      width,
      height,
      filename: images.length > 1 ? `nuclei_001.tif, page ${index + 1}` : 'nuclei_001.tif',
      objectCount: 0,
      classCounts: [],
      unreadable: [],
      unreadableCount: 0,
    })),
  };
}

/** Masks of which only the names and sizes of most images are known. */
function beingRead(masks: MasksStart['masks']): MasksStart['masks'] {
  const images = masks.images.map((image, at) =>
    at % 2 === 0 ? { ...image, objectCount: 0, classCounts: [], isPartial: true as const } : image,
  );
  return { ...masks, images };
}

/**
 * What was painted of cells: several images have the same, and every test of the page waits for
 * them.
 */
class Painted {
  private readonly of = new Map<readonly Cell[], Map<string, unknown>>();

  once<T>(cells: readonly Cell[], what: string, paint: () => T): T {
    const known = this.of.get(cells) ?? new Map<string, unknown>();
    this.of.set(cells, known);
    if (!known.has(what)) known.set(what, paint());
    return known.get(what) as T;
  }
}

/**
 * Replaces the masks' panel in the preview: made-up cells, their labels and their background image,
 * tile by tile.
 */
export function fakeMasksPanel(options: FakeMasksOptions, toPage: (message: unknown) => void) {
  const { strings, width, height } = options;
  const masks = new FakeMasks(options);
  const port = new InPagePort(toPage);
  const fake = { onMessage: (_name: string, _value: unknown) => undefined as void };
  const summary = options.imageOnly
    ? withoutObjects(masks.summary())
    : options.reading
      ? beingRead(masks.summary())
      : masks.summary();
  const start: PackedMasksStart = {
    title: options.imageOnly ? 'nuclei_001.tif' : 'Plate 3, nuclei by size — masks',
    masks: packJson(summary),
    ...(options.reading && { isReading: true }),
    ...(!options.imageOnly &&
      !options.choosesTable && {
        link: { ...LINK, ...(options.sameNames && { sameNames: SAME_NAMES }) },
      }),
    opacity: 0.45,
    hasMasks: !options.imageOnly,
    choosesTable: options.choosesTable ?? false,
    hovered: null,
    // As it was before the page was loaded again.
    selected: JSON.parse(sessionStorage.getItem('selected') ?? 'null') as ObjectRef | null,
    classColors: {},
    pixelSizes: {},
    selections: {},
    filtered: null,
  };
  /** Whether rows and objects are linked. */
  let linked = !options.choosesTable;
  /** No values of columns can be loaded. */
  let valuesFail = false;
  /** Even objects pass the made-up filter. */
  let filtered = false;
  const stain = options.backgroundImage === 'bright-field' ? 'bright-field' : 'fluorescence';
  const backgroundImage = fakeImage(stain, width, height, options.channels);
  const pairings = fakePairings(backgroundImage);
  const painted = new Painted();
  const damaged = new CodedError(
    'damaged-archive',
    'masks.zip is damaged: it ends in the middle of an entry. Download the masks again.',
  );
  const imageLinks = new FakeImageLinks(summary.images);
  const endpoint = new RpcEndpoint<MasksPanelSide, MasksPageSide>(port, {
    imageLinks: () => imageLinks.shown(),
    linkThumbnail: ({ image }) => {
      const small = cellThumbnail(masks.cells(image), 96, width, height);
      return { width: small.width, height: small.height, labels: small.labels };
    },
    linkImages: ({ links }) => {
      fake.onMessage('linkImages', links);
      imageLinks.link(links);
      return imageLinks.shown();
    },
    strings: () => strings,
    start: () => {
      if (options.opening === 'fails') return Promise.reject(damaged);
      if (!options.opening) return start;
      endpoint.send('progress', { done: 1740, total: 5000, text: 'Reading…' });
      return new Promise<PackedMasksStart>(() => undefined);
    },
    retry: () => start,
    labelTile: ({ image, level, x, y, hidden, count }) => {
      if (options.imageOnly) throw new Error('An image file has no masks');
      return {
        labels: cellLabelTile(
          masks.cells(image).slice(0, count === 'known' ? undefined : count),
          level,
          x,
          y,
          width,
          height,
          hidden,
        ),
        inRuns: false,
        overlaps: true,
      };
    },
    thumbnail: ({ image, size }) => {
      const cells = masks.cells(image);
      return painted.once(cells, `thumbnail of ${size}`, () => cellThumbnail(cells, size, width, height));
    },
    objectAreas: ({ image }) => {
      const all = masks.measures(image);
      const { buffer: areas, kind } = packIntegers(Float64Array.from(all, each => each.area));
      return { areas, kind, from: 0, count: all.length };
    },
    objectMeasures: ({ image }) => {
      const all = masks.measures(image);
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
      const inside = masks
        .cells(image)
        .flatMap((cell, i) =>
          cell.x >= Math.min(x1, x2) &&
          cell.x <= Math.max(x1, x2) &&
          cell.y >= Math.min(y1, y2) &&
          cell.y <= Math.max(y1, y2)
            ? [i]
            : [],
        );
      return { objects: inside };
    },
    shapesOfSelection: ({ selection }) => {
      const areas = selection.flatMap(({ image, objects }) =>
        objects.map(object => masks.measures(image)[object]?.area ?? 0),
      );
      const count = areas.length;
      const mean = areas.reduce((sum, area) => sum + area, 0) / count;
      const sd = count > 1 ? mean / 7 : null;
      const length = { count, mean: Math.sqrt(mean), sd: sd && Math.sqrt(sd) };
      return {
        area: { count, mean, sd },
        perimeter: { count, mean: 4 * Math.sqrt(mean), sd: sd && Math.sqrt(sd) },
        majorAxis: length,
        minorAxis: length,
        feretMaximum: length,
      };
    },
    columnsOfSelection: ({ selection }) => {
      const count = selection.reduce((sum, { objects }) => sum + objects.length, 0);
      const sd = count > 1 ? 12.25 : null;
      const columns = ['Area', 'Perimeter', 'Mean Intensity of Channel 1 (background subtracted)'];
      return { rows: count, columns: columns.map(name => ({ name, count, mean: 314.25, sd })) };
    },
    objectPopulations: ({ image }) => {
      if (valuesFail) return Promise.reject(damaged);
      const places = Uint16Array.from(masks.measures(image), (_, i) => placeOf(i));
      const count = (of: (place: number) => boolean) => places.filter(of).length;
      return {
        populations: populations.map((each, at) => ({
          ...each,
          count: count(place => place === at + 1 || (at === 0 && place > 0)),
        })),
        places: places.buffer,
        total: places.length,
      };
    },
    populationsOfRow: ({ row }) => {
      const place = placeOf(row);
      return { populations: populations.filter((_, at) => place > 0 && (at === 0 || at === place - 1)) };
    },
    objectColumns: () => ({
      hasPopulations: true,
      columns: [
        { column: 3, name: 'Area' },
        { column: 4, name: 'Perimeter' },
        { column: 9, name: 'Mean Intensity of Channel 1 (background subtracted)' },
        { column: WITHOUT_NUMBERS, name: 'Distance to Border' },
        { column: OF_TEXTS, name: 'Treatment', categories: ['DMSO', 'Nocodazole', 'Taxol'] },
      ],
    }),
    objectValues: ({ image, column, categories }) => {
      if (valuesFail) return Promise.reject(damaged);
      if (categories) {
        const positions = Float64Array.from(masks.measures(image), (_, i) =>
          i % 17 === 3 ? NaN : i % categories.length,
        );
        return { values: positions.buffer, total: positions.length };
      }
      const values = Float64Array.from(masks.measures(image), (each, i) =>
        i % 17 === 3 || column === WITHOUT_NUMBERS ? NaN : column === 4 ? each.perimeter : each.area,
      );
      return { values: values.buffer, total: values.length };
    },
    valueScale: ({ column }) => {
      if (column === WITHOUT_NUMBERS) return { min: null, max: null, counts: new ArrayBuffer(0) };
      const counts = new Uint32Array(256);
      for (const { area } of masks.measures(0))
        counts[Math.min(255, Math.floor(area / 8))] = (counts[Math.min(255, Math.floor(area / 8))] ?? 0) + 1;
      return { min: 0, max: 2048, counts: counts.buffer };
    },
    shownObjects: ({ image }) => ({
      shown: filtered ? Uint8Array.from(masks.cells(image), (_, i) => (i + 1) % 2).buffer : null,
    }),
    objectRow: ({ row }) => ({
      cells: [
        { name: 'Image origin', text: 'Plate 3/Well B1/nuclei_001.tif' },
        { name: 'Object ID', text: `${row + 1}.0` },
        { name: 'Class', text: masks.details(0, row).className },
        { name: 'Area', text: '314.25' },
        { name: 'Perimeter', text: '71.8' },
        { name: 'Feret Diameter Maximum', text: '22.6' },
      ],
    }),
    selectRows: ({ selection }) => {
      fake.onMessage('selectRows', selection);
      return { rows: selection.reduce((sum, { objects }) => sum + objects.length, 0) };
    },
    choosePixelSize: () => ({
      pixelSizes: Object.fromEntries(summary.images.map(({ id }) => [id, 0.5])),
    }),
    saveSelections: ({ selections }) => {
      fake.onMessage('saveSelections', selections);
      return {};
    },
    setPixelSizes: ({ pixelSizes }) => {
      fake.onMessage('setPixelSizes', pixelSizes);
      return {};
    },
    copy: ({ text }) => {
      fake.onMessage('copy', text);
      return {};
    },
    saveView: ({ name }) => {
      fake.onMessage('saveView', name);
      return { save: 1 };
    },
    saveViewPart: ({ bytes, last }) => {
      fake.onMessage('saveViewPart', new Uint8Array(bytes).slice(0, 8).join(' '));
      return { saved: last ? '/home/ana/view.png' : null };
    },
    backgroundImageContrast: () => ({
      channels: backgroundImage.look.channels.map(({ low, high }, at) => ({
        low,
        high,
        lowest: 0,
        highest: 4095,
        counts: Array.from({ length: 64 }, (_, i) =>
          Math.round(9000 * Math.exp(-((i - 6 - 4 * at) ** 2) / 40) + 400 * Math.exp(-((i - 34) ** 2) / 200)),
        ),
      })),
    }),
    pixelValues: ({ x, y }) => ({
      values: backgroundImage.look.channels.map((_, at) => ((x * 7 + y * 13) % 900) + 100 * at),
    }),
    objectIntensity: ({ object }) => ({
      means: backgroundImage.look.channels.map((_, at) => 812.4 + object + 100 * at),
      pixels: 100,
    }),
    objectClasses: ({ image, from = 0 }) => {
      if (options.objectsFail) return Promise.reject(damaged);
      if (options.reading && from > 0) return new Promise<never>(() => undefined);
      const cells = masks.cells(image);
      const all = options.reading ? cells.slice(0, Math.floor(cells.length * 0.6)) : cells;
      const classes = new Uint8Array(all.map(cell => cell.kind)).buffer;
      if (options.reading)
        return { from: 0, count: all.length, classes, isWide: false, isLast: false, share: 0.62 };
      return { from: 0, count: all.length, classes, isWide: false, isLast: true };
    },
    objectBoxes: ({ image, from, count }) => {
      const some = masks.cells(image).slice(from, from + count);
      const { buffer, kind } = packIntegers(new Int32Array(some.flatMap(cell => boxOf(cell, width, height))));
      return { boxes: buffer, kind };
    },
    objectsAt: ({ image, x, y }) => {
      const hits = masks.cells(image).flatMap((cell, i) => (depth(cell, x + 0.5, y + 0.5) <= 1 ? [i] : []));
      return { objects: hits.reverse() };
    },
    objectDetails: ({ image, object }) => {
      const { row, ...details } = masks.details(image, object);
      return linked && row !== undefined ? { ...details, row } : details;
    },
    backgroundImage: ({ image }) => {
      if (options.backgroundImage === 'loading') {
        endpoint.send('backgroundImageProgress', { image, done: 3, total: 8 });
        return new Promise<never>((_resolve, reject) =>
          endpoint.on('stopBackgroundImage', () => reject(new CodedError('cancelled', 'Stopped'))),
        );
      }
      const pairing =
        options.backgroundImage in pairings
          ? pairings[options.backgroundImage as keyof typeof pairings]
          : pairings.paired;
      const found = pairing.backgroundImage;
      // Each image has its own, named by its index.
      return found ? { ...pairing, backgroundImage: { ...found, backgroundImage: image } } : pairing;
    },
    confirmBackgroundImage: () => pairings.paired,
    chooseBackgroundImage: () => ({ ...pairings.paired, isChosen: true as const }),
    undoBackgroundImage: () => pairings.paired,
    acceptBackgroundImage: () => pairings.paired,
    backgroundImageTile: ({ backgroundImage: image, level, x, y }) => {
      const cells = masks.cells(image);
      // Of thumbnails, only what is seen is painted.
      const step = level < 2 ? 1 : 2 ** level;
      const [w, h] = [Math.ceil(width / step), Math.ceil(height / step)];
      const whole = painted.once(cells, `1:${step}`, () => paintCells(smaller(cells, step), w, h, stain));
      const tile = () => shrunkTile(whole, step === 1 ? level : 0, x, y, w, h);
      return { pixels: painted.once(cells, `${level}/${x}/${y}`, tile) };
    },
  });
  for (const name of [
    'hover',
    'select',
    'shown',
    'showTable',
    'chooseTable',
    'exportSelected',
    'exportMasks',
    'compareMasks',
    'reloadFile',
    'failure',
    'visibility',
    'classColors',
  ] as const) {
    endpoint.on(name, value => fake.onMessage(name, value));
  }
  const filter = (on: boolean) => {
    filtered = on;
    endpoint.send('filtered', on ? { rowCount: 2006, total: 4012 } : null);
  };
  const link = () => {
    linked = true;
    endpoint.send('link', LINK);
  };
  return Object.assign(fake, {
    filter,
    link,
    failValues: (fail: boolean) => void (valuesFail = fail),
    port,
    endpoint,
  });
}
