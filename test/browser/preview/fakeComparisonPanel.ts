import { CodedError } from '../../../src/base/errors';
import {
  comparedClasses,
  type ComparedImageScores,
  type ComparisonScores,
  Outcome,
} from '../../../src/comparison/comparison';
import type {
  ComparisonPageSide,
  ComparisonPanelSide,
  ComparisonStart,
  ComparisonState,
  ShownSide,
} from '../../../src/comparison/comparisonPage';
import { meanRatios, pooledScores, scoresOf, thresholds } from '../../../src/comparison/scores';
import { packJson } from '../../../src/protocol/packed';
import type { PageStrings } from '../../../src/pages/pageTranslations';
import { RpcEndpoint } from '../../../src/protocol/rpc';
import { boxOf, type Cell, makeCells, paintCells } from './cells';
import { cellLabelTile, shrunkTile } from './cellTiles';
import { fakeImage, fakePairings } from './fakeImages';
import { InPagePort } from './inPagePort';
import { seededNumbers } from './seededNumbers';

export interface FakeComparisonOptions {
  strings: PageStrings;
  images: number;
  width: number;
  height: number;
  cells: number;
  /** A comes from a run, not from a file of ground truth. */
  ofRuns?: boolean;
  /** Objects of A have no class, as those of a label image. */
  isWithoutClass?: boolean;
  /** Each side has a class that the other doesn't have. */
  hasUnknownClasses?: boolean;
  /** So many images of each side have no partner. */
  unpaired?: number;
  /** The first two of them would be pairs, but for their files or their sizes. */
  doubts?: 'hash' | 'size';
  /** Which file is the image beneath is only suggested. */
  suggested?: boolean;
  /** The table of pairs shows every other one. */
  filtered?: boolean;
  /** An object is pointed at in the masks of a side. */
  isHovered?: boolean;
  /** It can't be opened. */
  fails?: boolean;
}

/** What a made-up cell of A became in B. */
interface Fate {
  cell: Cell;
  a?: number;
  b?: number;
  /** Overlap of the pair. */
  iou: number;
  isSplit?: true;
}

/**
 * A made-up image: cells of both sides, of which some are missed, some split, and others only in B.
 */
class ComparedCells {
  readonly a: Cell[];
  readonly b: Cell[] = [];
  readonly fates: Fate[] = [];

  constructor(options: FakeComparisonOptions, image: number) {
    const { width, height } = options;
    // So that no two images have as many.
    const cells = options.cells - 9 * image;
    const random = seededNumbers(50 + image);
    this.a = makeCells(cells, width, height, image + 1);
    this.a.forEach((cell, a) => {
      const chance = random();
      if (chance < 0.08) this.fates.push({ cell, a, iou: 0 });
      else if (chance < 0.14) {
        // Two halves along its longer axis.
        const { cos, sin } = cell.turned;
        const half = (side: 1 | -1): Cell => ({
          ...cell,
          x: cell.x + side * cos * cell.long * 0.52,
          y: cell.y + side * sin * cell.long * 0.52,
          long: cell.long * 0.5,
          short: cell.short * 0.85,
        });
        this.fates.push({ cell, a, iou: 0, isSplit: true });
        for (const side of [1, -1] as const) {
          this.fates.push({ cell: half(side), b: this.b.length, iou: 0 });
          this.b.push(half(side));
        }
      } else {
        const grown = 0.85 + random() * 0.35;
        const moved = {
          ...cell,
          x: cell.x + (random() - 0.5) * 3,
          long: cell.long * grown,
          short: cell.short * grown,
        };
        this.fates.push({ cell, a, b: this.b.length, iou: grown > 1 ? 1 / grown ** 2 : grown ** 2 });
        this.b.push(moved);
      }
    });
    for (const extra of makeCells(Math.round(cells / 12), width, height, image + 91)) {
      this.fates.push({ cell: extra, b: this.b.length, iou: 0 });
      this.b.push(extra);
    }
  }

  counts(threshold: number) {
    const matched = this.fates.filter(({ iou }) => iou >= threshold);
    const tp = matched.length;
    const iouSum = matched.reduce((sum, { iou }) => sum + iou, 0);
    return { tp, fp: this.b.length - tp, fn: this.a.length - tp, iouSum };
  }

  outcomes(side: 'a' | 'b', threshold: number) {
    const flags = new Uint8Array(this[side].length);
    const partners = new Int32Array(this[side].length).fill(-1);
    for (const fate of this.fates) {
      const object = fate[side];
      if (object === undefined) continue;
      if (fate.isSplit) flags[object] = Outcome.SplitOrMerged;
      if (fate.iou < threshold) continue;
      flags[object] = Outcome.Matched;
      partners[object] = fate[side === 'a' ? 'b' : 'a'] ?? -1;
    }
    return { flags, partners };
  }
}

/**
 * Replaces the panel of a comparison in the preview: made-up cells of both sides, and what became
 * of them.
 */
export function fakeComparisonPanel(options: FakeComparisonOptions, toPage: (message: unknown) => void) {
  const { strings, width, height } = options;
  const port = new InPagePort(toPage);
  const fake = { onMessage: (_name: string, _value: unknown) => undefined as void };
  const images = Array.from({ length: options.images }, (_, image) => new ComparedCells(options, image));
  const spare = options.unpaired ?? 0;
  const nucleusOfA = options.isWithoutClass ? '' : 'Nucleus';
  const classesOf = (of: 'a' | 'b') => [
    { name: 'Nucleus', count: 1200 },
    { name: 'Mitotic', count: 80 },
    ...(options.hasUnknownClasses ? [{ name: of === 'a' ? 'Apoptotic' : 'Debris', count: 12 }] : []),
  ];
  const side = (of: 'a' | 'b'): ShownSide => ({
    title: of === 'a' ? (options.ofRuns ? 'Nuclei by size' : 'truth.json') : 'Nuclei by shape',
    isTruth: of === 'a' && !options.ofRuns,
    classes: of === 'a' && options.isWithoutClass ? [{ name: '', count: 1280 }] : classesOf(of),
    images: [
      ...images.map((cells, at) => ({
        name: `Plate 3/Well B${at + 1}/nuclei_${String(at + 1).padStart(3, '0')}.tif`,
        width,
        height,
        objectCount: cells[of].length,
        unreadableCount: at === 1 && of === 'b' ? 2 : 0,
        unreadable: at === 1 && of === 'b' ? '17: Run 1 is negative (-3); 20: Run 1 is negative (-3)' : '',
      })),
      ...Array.from({ length: spare }, (_, at) => ({
        name: of === 'a' ? `annotated_${at + 1}.png` : `Plate 3/Well C${at + 1}/nuclei_00${at + 1}.tif`,
        width: of === 'a' && options.doubts === 'size' ? 2 * width : width,
        height,
        objectCount: 10,
        unreadableCount: 0,
        unreadable: '',
      })),
    ],
    areas: of === 'a' && options.isWithoutClass ? 'together' : null,
    notes:
      of === 'b' || options.ofRuns
        ? []
        : options.isWithoutClass
          ? ['1 image has several areas with one label, as a binary mask has: all of them are one object.']
          : ["3 annotations were left out: their images aren't in the file."],
  });
  const spares = Array.from({ length: spare }, (_, at) => images.length + at);
  let state: ComparisonState = {
    unpairedA: spares,
    unpairedB: spares,
    skipped: [],
    classes: 'all',
    classPairs: options.isWithoutClass
      ? []
      : [
          { a: 'Nucleus', b: 'Nucleus' },
          { a: 'Mitotic', b: 'Mitotic' },
        ],
    region: null,
    pairs: images.map((_, at) => ({ a: at, b: at, by: 'path' })),
    doubtful: options.doubts
      ? spares.slice(0, 2).map(at => ({ a: at, b: at, why: options.doubts ?? 'hash' }))
      : [],
    canUndo: false,
  };
  const start: ComparisonStart = {
    title: `${side('a').title} vs. ${side('b').title}`,
    sides: packJson({ a: side('a'), b: side('b') }),
    state: packJson(state),
    threshold: 0.5,
    selected: null,
    filtered: options.filtered ? { rowCount: 310, total: 620 } : null,
  };
  const scoresAt = (threshold: number): ComparisonScores => {
    const each = images.map((cells, at): ComparedImageScores => ({
      a: at,
      b: at,
      objectsOfA: cells.a.length,
      objectsOfB: cells.b.length,
      ignored: 0,
      split: cells.fates.filter(({ isSplit }) => isSplit).length,
      merged: 0,
      scores: scoresOf(cells.counts(threshold)),
    }));
    const pooled = pooledScores(each.map(({ scores }) => scores));
    const ofMitotic = scoresOf({ tp: 24, fp: 10, fn: 9, iouSum: 17 });
    const ofNuclei = scoresOf({
      tp: pooled.tp - 31,
      fp: pooled.fp,
      fn: pooled.fn,
      iouSum: pooled.iouSum * (1 - 31 / pooled.tp),
    });
    return {
      threshold,
      classes: comparedClasses(state, side('a').classes, side('b').classes),
      pooled,
      meanOverImages: meanRatios(each.map(({ scores }) => scores)),
      byClass: [
        { a: nucleusOfA, b: 'Nucleus', scores: ofNuclei },
        { a: 'Mitotic', b: 'Mitotic', scores: ofMitotic },
      ],
      meanOverClasses: meanRatios([ofNuclei, ofMitotic]),
      confusions: [
        { a: nucleusOfA, b: 'Nucleus', count: pooled.tp - 31 },
        { a: nucleusOfA, b: 'Mitotic', count: 7 },
        { a: 'Mitotic', b: 'Mitotic', count: 24 },
        { a: nucleusOfA, count: pooled.fn },
        { b: 'Nucleus', count: pooled.fp - 3 },
        { b: 'Mitotic', count: 3 },
      ],
      split: each.reduce((sum, { split }) => sum + split, 0),
      merged: 0,
      ignored: 0,
      images: each,
    };
  };
  const cellsOf = (image: number): ComparedCells => {
    const found = images[image];
    if (!found) throw new Error(`No image ${image}`);
    return found;
  };
  const changed = (changes: Partial<ComparisonState>) => {
    state = { ...state, ...changes };
    return packJson(state);
  };
  const told = (name: string, value: unknown) => fake.onMessage(name, value);
  const opened = () =>
    options.fails
      ? Promise.reject(new CodedError('damaged-archive', 'truth.json has no list of annotations.'))
      : start;
  const endpoint = new RpcEndpoint<ComparisonPanelSide, ComparisonPageSide>(port, {
    strings: () => strings,
    start: opened,
    retry: opened,
    comparisonCurve: () => ({
      points: thresholds.map(each => {
        const { threshold, pooled, meanOverImages } = scoresAt(each / 20);
        return { threshold, pooled, meanOverImages };
      }),
    }),
    comparisonScores: ({ threshold }) => scoresAt(threshold),
    comparedObjects: ({ side: of, image, threshold, from = 0 }) => {
      const { flags, partners } = cellsOf(image).outcomes(of, threshold);
      return { outcomes: flags.buffer, partners: partners.buffer, from, count: flags.length, isLast: true };
    },
    comparedTile: ({ side: of, image, level, x, y, hidden }) => {
      const labels = cellLabelTile(cellsOf(image)[of], level, x, y, width, height, hidden);
      return { labels, inRuns: false };
    },
    comparedObjectsAt: ({ side: of, image, x, y }) => {
      const boxes = cellsOf(image)[of].map((cell, object) => ({ object, box: boxOf(cell, width, height) }));
      const found = boxes.filter(({ box: [x1, y1, x2, y2] }) => x >= x1 && x < x2 && y >= y1 && y < y2);
      return { objects: found.map(({ object }) => object) };
    },
    comparedFacts: ({ side: of, image, object }) => {
      const cell = cellsOf(image)[of][object];
      if (!cell) throw new Error(`No object ${object}`);
      return {
        id: object + 1,
        className: of === 'a' ? nucleusOfA : 'Nucleus',
        bbox: boxOf(cell, width, height),
        area: Math.round(Math.PI * cell.long * cell.short),
        centroid: [cell.x, cell.y],
        perimeter: 2 * Math.PI * cell.long,
      };
    },
    comparedIou: ({ image, a, b }) => ({
      iou: cellsOf(image).fates.find(fate => fate.a === a && fate.b === b)?.iou ?? 0,
    }),
    separateAreas: value => {
      told('separateAreas', value);
      return {};
    },
    imageBeneath: ({ a, by }) => {
      told('imageBeneath', { a, by });
      const { paired, suggested } = fakePairings({
        ...fakeImage('fluorescence', width, height),
        backgroundImage: a,
      });
      return options.suggested && by === 'find' ? suggested : paired;
    },
    backgroundImageTile: ({ backgroundImage: image, level, x, y }) => {
      const whole = paintCells(cellsOf(image).a, width, height, 'fluorescence');
      return { pixels: shrunkTile(whole, level, x, y, width, height) };
    },
    compareAgain: choice => {
      told('compareAgain', choice);
      return changed(choice);
    },
    pairImages: pair => {
      told('pairImages', pair);
      return changed({
        unpairedA: state.unpairedA.filter(at => at !== pair.a),
        unpairedB: state.unpairedB.filter(at => at !== pair.b),
        pairs: [...state.pairs, { ...pair, by: 'hand' }],
        canUndo: true,
      });
    },
    pairDoubtful: () => {
      told('pairDoubtful', {});
      const ofOtherFiles = state.doubtful.filter(({ why }) => why === 'hash');
      const isLeft = (at: number) => !ofOtherFiles.some(({ a }) => a === at);
      return changed({
        unpairedA: state.unpairedA.filter(isLeft),
        unpairedB: state.unpairedB.filter(isLeft),
        pairs: [...state.pairs, ...ofOtherFiles.map(({ a, b }) => ({ a, b, by: 'hand' as const }))],
        doubtful: state.doubtful.filter(({ why }) => why !== 'hash'),
        canUndo: true,
      });
    },
    undoPairing: () => {
      told('undoPairing', {});
      const pairs = state.pairs.filter(({ by }) => by !== 'hand');
      return changed({ unpairedA: spares, unpairedB: spares, pairs, canUndo: false });
    },
    openPairs: value => {
      told('openPairs', value);
      return {};
    },
    // The table of pairs shows every other one.
    shownObjects: ({ a, b }) => {
      const everyOther = (cells: readonly unknown[]) => Uint8Array.from(cells, (_, at) => at % 2).buffer;
      return { a: everyOther(cellsOf(a).a), b: everyOther(cellsOf(b).b) };
    },
    saveAll: value => {
      told('saveAll', value);
      return { saved: 'comparison' };
    },
    saveDrawing: ({ name, type, data }) => {
      told('saveDrawing', { name, type, text: type === 'svg' ? new TextDecoder().decode(data) : '' });
      return { saved: name };
    },
  });
  endpoint.on('shown', value => {
    told('shown', value);
    // The first object of each image.
    if (options.isHovered) endpoint.send('hovered', { side: 'a', image: 0, object: 0 });
  });
  endpoint.on('failure', value => told('failure', value));
  return Object.assign(fake, { endpoint, port });
}
