/*
 * Studies with known truth: which image is which. A study is made from a seed and some kinds, each
 * of which says how one thing about it is; more kinds can be added to KINDS, and other questions be
 * asked of the same studies.
 */

/** An object of an image: a filled rectangle, in pixels. */
export interface MadeObject {
  id: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface MadeImage {
  folder: string;
  name: string;
  /** Of the analyzed image. */
  itemId: string;
  objects: MadeObject[];
  isInArchive: boolean;
  /** The objects that have rows; none where the table lacks the image. */
  rows: MadeObject[];
}

/** How each thing about a study may be. */
export const KINDS = {
  filter: ['none', 'by size', 'random', 'first'],
  missing: ['none', 'in the archive', 'in the table', 'on both sides'],
  numbering: ['scan order', 'by size', 'running', 'random'],
  positions: ['exact', 'decimals', 'whole pixels', 'half a pixel off', 'µm', 'absent'],
  areas: ['exact', 'whole', 'tens', 'hundreds', 'absent'],
  layout: ['random', 'replicated', 'tracked', 'grid', 'moved grid', 'few'],
  items: ['unknown', 'known'],
} as const;

export type Kinds = { [Kind in keyof typeof KINDS]: (typeof KINDS)[Kind][number] };

export interface Study {
  seed: number;
  kinds: Kinds;
  images: MadeImage[];
  /** µm per pixel where positions and areas are in µm, else 1. */
  scale: number;
}

export const WIDTH = 500;
export const HEIGHT = 400;

/** Numbers from 0 up to 1 that depend on a seed alone (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A study of a seed; kinds that aren't given are drawn. */
export function makeStudy(seed: number, given: Partial<Kinds> = {}): Study {
  const random = randomNumbers(Math.imul(seed, 2654435761));
  const upTo = (least: number, most: number) => least + Math.floor(random() * (most - least + 1));
  const draw = <T>(all: readonly T[]): T => all[upTo(0, all.length - 1)] as T;
  const drawn = Object.fromEntries(
    Object.entries(KINDS).map(([kind, values]) => [kind, draw<string>(values)]),
  );
  const kinds = { ...drawn, ...given } as Kinds;
  const folders = ['control', 'treated', 'washed', 'late'].slice(0, upTo(2, 4));
  const names = ['img_1.png', 'img_2.png', 'img_3.png'].slice(0, upTo(1, 3));
  const places = folders.flatMap(folder => names.map(name => ({ folder, name })));
  const layout = new Layout(kinds.layout, random);
  const lists = numbered(
    places.map(() => layout.image()),
    kinds.numbering,
    random,
  );
  const whole = places.map((place, at): MadeImage => {
    const objects = lists[at] ?? [];
    return {
      ...place,
      itemId: `item-${at}`,
      objects,
      isInArchive: true,
      rows: objects,
    };
  });
  for (let trial = 0; ; trial++) {
    const missing = withMissing(whole, trial < 50 ? kinds.missing : 'none', random);
    const images = filtered(missing, trial < 100 ? kinds.filter : 'none', random);
    const scale = kinds.positions === 'µm' ? 0.1 + random() : 1;
    if (showsNames(images)) return { seed, kinds, images, scale };
  }
}

/** Whether anybody sees that names occur again: in the table or in the archive. */
function showsNames(images: readonly MadeImage[]): boolean {
  const haveTwice = (some: readonly MadeImage[]) => new Set(some.map(({ name }) => name)).size < some.length;
  const withRows = images.filter(({ rows }) => rows.length > 0);
  const archived = images.filter(({ isInArchive }) => isInArchive);
  return withRows.length > 0 && archived.length > 0 && (haveTwice(withRows) || haveTwice(archived));
}

type Shape = Omit<MadeObject, 'id'>;

/** Draws the objects of one image after the other, as like each other as the kind says. */
class Layout {
  private readonly template: Shape[];
  private readonly spread: number;

  constructor(
    private readonly kind: Kinds['layout'],
    private readonly random: () => number,
  ) {
    const most = [4, 12, 40][this.upTo(0, 2)] ?? 4;
    const count = kind === 'few' ? 4 : this.upTo(Math.min(3, most), most);
    this.template = Array.from({ length: count }, () => this.shape());
    this.spread = this.upTo(1, 3);
  }

  image(): Shape[] {
    const { kind, template, spread } = this;
    const moved = (by: number) => Math.max(0, this.upTo(-by, by));
    if (kind === 'few') return Array.from({ length: this.upTo(1, 4) }, () => this.shape());
    if (kind === 'random')
      return Array.from({ length: this.upTo(Math.max(1, template.length - 4), template.length) }, () =>
        this.shape(),
      );
    if (kind === 'replicated' || kind === 'tracked')
      return template
        .filter(() => this.random() < 0.95)
        .map(shape => ({
          ...shape,
          ...(kind === 'tracked'
            ? { width: shape.width + moved(1), height: shape.height + moved(1) }
            : this.sides()),
          x: Math.max(0, shape.x + this.upTo(-spread, spread)),
          y: Math.max(0, shape.y + this.upTo(-spread, spread)),
        }));
    const columns = Math.max(1, Math.ceil(Math.sqrt(template.length)));
    const pitch = kind === 'grid' ? 40 : this.upTo(30, 45);
    const origin = kind === 'grid' ? [10, 10] : [this.upTo(0, 60), this.upTo(0, 40)];
    // Equal sides on a grid of whole pixels: all centers are the same.
    const side = this.upTo(2, 4) * 2;
    const length = Math.max(1, template.length - this.upTo(0, 2));
    return Array.from({ length }, (_, at) => {
      const [width, height] = this.random() < 0.5 ? [side, side] : [side + 2, side];
      return {
        width,
        height,
        x: (origin[0] ?? 0) + (at % columns) * pitch - width / 2 + 8,
        y: (origin[1] ?? 0) + Math.floor(at / columns) * pitch - height / 2 + 8,
      };
    });
  }

  private shape(): Shape {
    return { ...this.sides(), x: this.upTo(0, WIDTH - 40), y: this.upTo(0, HEIGHT - 40) };
  }

  private sides(): Pick<Shape, 'width' | 'height'> {
    return { width: this.upTo(3, 24), height: this.upTo(3, 24) };
  }

  private upTo(least: number, most: number): number {
    return least + Math.floor(this.random() * (most - least + 1));
  }
}

function areaOf({ width, height }: Shape): number {
  return width * height;
}

function numbered(
  images: readonly Shape[][],
  kind: Kinds['numbering'],
  random: () => number,
): MadeObject[][] {
  let next = 1;
  return images.map(shapes => {
    const inOrder = shapes.toSorted((a, b) =>
      kind === 'by size' ? areaOf(b) - areaOf(a) : a.y - b.y || a.x - b.x,
    );
    const used = new Set<number>();
    return inOrder
      .map((shape, at) => {
        let id = at + 1;
        if (kind === 'running') id = next++;
        if (kind === 'random')
          do id = 1 + Math.floor(random() * shapes.length * 4);
          while (used.has(id));
        used.add(id);
        return { id, ...shape };
      })
      .toSorted((a, b) => a.id - b.id);
  });
}

function withMissing(
  images: readonly MadeImage[],
  kind: Kinds['missing'],
  random: () => number,
): MadeImage[] {
  const folders = [...new Set(images.map(({ folder }) => folder))];
  const isOut = () => {
    // Whole folders, or some images.
    const lost = random() < 0.5 ? folders[Math.floor(random() * folders.length)] : undefined;
    return ({ folder }: MadeImage) => (lost === undefined ? random() < 0.35 : folder === lost);
  };
  const [ofArchive, ofTable] = [isOut(), isOut()];
  return images.map(image => ({
    ...image,
    isInArchive: !((kind === 'in the archive' || kind === 'on both sides') && ofArchive(image)),
    rows: (kind === 'in the table' || kind === 'on both sides') && ofTable(image) ? [] : image.objects,
  }));
}

function filtered(images: readonly MadeImage[], kind: Kinds['filter'], random: () => number): MadeImage[] {
  const areas = images.flatMap(({ objects }) => objects.map(areaOf)).toSorted((a, b) => a - b);
  const least = areas[Math.floor(random() * 0.6 * areas.length)] ?? 0;
  const isBelow = random() < 0.3;
  const share = 0.3 + 0.65 * random();
  const first = 1 + Math.floor(random() * 8);
  return images.map(image => ({
    ...image,
    rows: image.rows.filter((object, at) => {
      if (kind === 'by size') return isBelow ? areaOf(object) <= least : areaOf(object) >= least;
      if (kind === 'random') return random() < share;
      return kind === 'none' || at < first;
    }),
  }));
}

/**
 * The table of a study: a line of names, then a line for each row, beside the image that it is of.
 */
export function tableOf({ kinds, images, scale }: Study): {
  header: string;
  rows: { line: string; image: number; object: MadeObject }[];
} {
  const header = ['Image origin', 'Object ID'];
  if (kinds.areas !== 'absent') header.push('Area');
  if (kinds.positions !== 'absent') header.push('X Position', 'Y Position');
  const place = (value: number) => {
    if (kinds.positions === 'exact') return value.toFixed(6);
    if (kinds.positions === 'decimals') return value.toFixed(1);
    if (kinds.positions === 'whole pixels') return value.toFixed(0);
    if (kinds.positions === 'half a pixel off') return (value - 0.5).toFixed(2);
    return (value * scale + 1000).toFixed(2);
  };
  const size = (value: number) => {
    if (kinds.areas === 'exact') return (value * scale * scale).toFixed(4);
    const step = { whole: 1, tens: 10, hundreds: 100 }[kinds.areas as string] ?? 1;
    return String(Math.round((value * scale * scale) / step) * step);
  };
  const rows = images.flatMap(({ folder, name, rows: objects }, image) =>
    objects.map(object => {
      const cells = [`${folder}/${name}`, String(object.id)];
      if (kinds.areas !== 'absent') cells.push(size(areaOf(object)));
      if (kinds.positions !== 'absent')
        cells.push(place(object.x + object.width / 2), place(object.y + object.height / 2));
      return { line: cells.join(), image, object };
    }),
  );
  return { header: header.join(), rows };
}
