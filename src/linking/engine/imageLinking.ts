import { type Evidence, knownSize, resolveTexts } from '../../archives/imageIdentity';
import { Pacer, runInSlices } from '../../base/node/slices';
import { gatherNumbers, type TableSource } from '../../columns/engine/read/tableSource';
import type { RowColumns } from '../../columns/rowColumns';
import type { Masks } from '../../archives/engine/masks';
import type { ImageOfText, NameGroup } from '../../archives/imageCatalog';
import type { ArchiveImage } from '../../archives/masksSummary';
import type { ImageSize } from '../../images/backgroundImageInfo';
import type { LinkParams, OpenImages, OpenReason, SameNames, DistinguishedBy } from '../rowLinks';
import { type NamedObjects, type NamedRows, type Pair, assignImages } from '../imageAssignment';
import { ObjectList, Rounding } from '../objectEvidence';
import type { Roundings } from '../positionEvidence';

/** Maximum number of images and paths listed for a user. */
const MAX_LISTED = 1000;

/** The rows of a table that may belong to images. */
interface RowsOfImages {
  /** The texts of the image column. */
  texts: readonly string[];
  /** For each row, the index of its text. */
  codes: Uint32Array;
  ids: Float64Array;
  idResiduals: readonly Float64Array[];
  areas?: Float64Array;
  columns: Pick<RowColumns, 'position' | 'size'>;
}

/** The image of the masks that each text of a table's image column means. */
interface ImageLinks {
  imageOfText: ImageOfText[];
  /** The path of an image in the table or the upload, by the image's index. */
  paths: ReadonlyMap<number, string>;
  /** The evidence for an image's link, by its index. */
  evidence: ReadonlyMap<number, Evidence>;
  /** Set unless names alone distinguish all images. */
  sameNames?: SameNames;
  open: OpenImages[];
}

/**
 * Finds the image of each text: by a user's link, by names, and for equal names by their objects;
 * see docs/measurements.md, "Identity". Decodes masks only if positions must decide. Throws
 * `cancelled`.
 */
export async function linkImages(
  table: TableSource,
  masks: Masks,
  rows: RowsOfImages,
  otherNames: Pick<LinkParams, 'items' | 'byHand'>,
  signal: AbortSignal,
): Promise<ImageLinks> {
  const { images } = masks.summary;
  const linking = new ObjectsOfNames(table, masks, rows, signal);
  const sizes = await linking.sizes();
  const namedTexts = await runInSlices(resolveTexts(rows.texts, images, { ...otherNames, sizes }), signal);
  const { texts, images: imageOfText, by } = namedTexts;
  const countByEvidence = new Map<DistinguishedBy, number>();
  const countEvidence = (kind: DistinguishedBy) =>
    countByEvidence.set(kind, (countByEvidence.get(kind) ?? 0) + 1);
  for (const kind of by) if (kind === 'hand') countEvidence(kind);
  const evidence = new Map<number, Evidence>();
  const open: OpenImages[] = [];
  let suggested = 0;
  for (const group of namedTexts.groups) {
    if (group.texts.length === 0) continue;
    const assignment = await linking.assign(group, {
      areItemsKnown: namedTexts.areItemsKnown,
      isMissing: namedTexts.isNameMissing,
    });
    for (const { text, image, by: kind, objects } of assignment.certain) {
      imageOfText[text] = image;
      evidence.set(image, { by: kind, ...(objects !== undefined && { objects }) });
      countEvidence(kind);
    }
    const openGroup = unlinkedPart(group, assignment, {
      images,
      texts,
      countOf: text => linking.countOf(text),
    });
    if (!openGroup) continue;
    open.push(openGroup);
    suggested += assignment.suggested.length;
  }
  for (const pair of namedTexts.ofOtherSizes) open.push(...withOtherSize(pair, { images, texts, linking }));
  const paths = new Map(namedTexts.paths);
  imageOfText.forEach((image, text) => {
    if (typeof image !== 'number') return;
    paths.set(image, texts[text] ?? '');
    const kind = by[text];
    if (kind) evidence.set(image, { by: kind });
  });
  const ofOtherSizes = namedTexts.ofOtherSizes.length;
  const sameNames = namedTexts.groups.length + ofOtherSizes > 0 || countByEvidence.size > 0;
  return {
    imageOfText: imageOfText.slice(0, rows.texts.length),
    paths,
    evidence,
    ...(sameNames && {
      sameNames: {
        linked: Object.fromEntries(countByEvidence),
        open: open.reduce((sum, { images: imagesOfGroup }) => sum + imagesOfGroup.length, 0) - ofOtherSizes,
        suggested,
        ...(ofOtherSizes > 0 && { ofOtherSizes }),
      },
    }),
    open,
  };
}

/** The unlinked images for a user: at most 1,000 images and paths of each group. */
export function listedImages(open: readonly OpenImages[]): { groups: OpenImages[]; isCut: boolean } {
  let isCut = false;
  let remaining = MAX_LISTED;
  const groups: OpenImages[] = [];
  for (const { images, paths } of open) {
    if (remaining <= 0 || images.length > MAX_LISTED || paths.length > MAX_LISTED) isCut = true;
    if (remaining <= 0) break;
    groups.push({ images: images.slice(0, remaining), paths: paths.slice(0, MAX_LISTED) });
    remaining -= images.length;
  }
  return { groups, isCut };
}

/** The unlinked part of a group; undefined if none of it has objects or rows. */
function unlinkedPart(
  group: NameGroup,
  assignment: {
    certain: readonly Pair[];
    suggested: readonly Pair[];
    reasonOf: (image: number) => OpenReason;
  },
  names: { images: readonly ArchiveImage[]; texts: readonly string[]; countOf: (text: number) => number },
): OpenImages | undefined {
  const linkedTexts = new Set(assignment.certain.map(({ text }) => text));
  const linkedImages = new Set(assignment.certain.map(({ image }) => image));
  const suggested = new Map(assignment.suggested.map(({ text, image }) => [image, names.texts[text] ?? '']));
  const paths = group.texts
    .filter(text => !linkedTexts.has(text) && names.countOf(text) > 0)
    .map(text => ({ path: names.texts[text] ?? '', rows: names.countOf(text) }));
  const images = group.images
    .filter(image => !linkedImages.has(image))
    .flatMap(image => {
      const archiveImage = names.images[image];
      if (!archiveImage) return [];
      const isDamaged = archiveImage.failure !== undefined || archiveImage.unreadableCount > 0;
      if (archiveImage.objectCount === 0 && !isDamaged) return [];
      const path = suggested.get(image);
      const reasonOpen = assignment.reasonOf(image);
      return [
        {
          image,
          objects: archiveImage.objectCount,
          isDamaged,
          why: reasonOpen,
          ...(path !== undefined && { suggested: path }),
        },
      ];
    });
  return paths.length + images.length > 0 ? { images, paths } : undefined;
}

/** An image and a path of equal name but different sizes: a user may link them. */
function withOtherSize(
  { text, image }: { text: number; image: number },
  names: { images: readonly ArchiveImage[]; texts: readonly string[]; linking: ObjectsOfNames },
): OpenImages[] {
  const archiveImage = names.images[image];
  if (!archiveImage) return [];
  const isDamaged = archiveImage.failure !== undefined || archiveImage.unreadableCount > 0;
  const paths = [{ path: names.texts[text] ?? '', rows: names.linking.countOf(text) }];
  return [{ images: [{ image, objects: archiveImage.objectCount, isDamaged, why: 'other-size' }], paths }];
}

/** Maximum number of images whose rows show how similar images are. */
const MAX_OTHERS = 16;

/** The positions of all rows of a table. */
class TablePositions {
  readonly roundings: Roundings;

  constructor(
    private readonly x: Float64Array,
    private readonly y: Float64Array,
  ) {
    this.roundings = [Rounding.of(x), Rounding.of(y)];
  }

  /** x and y, in turn, of the rows at some indexes of a list. */
  coordinatesOf(list: ObjectList | undefined, indexes: Uint32Array): Float64Array {
    const coordinates = new Float64Array(indexes.length * 2);
    indexes.forEach((index, number) => {
      const row = list?.sourceIndexes[index] ?? -1;
      coordinates[number * 2] = this.x[row] ?? NaN;
      coordinates[number * 2 + 1] = this.y[row] ?? NaN;
    });
    return coordinates;
  }
}

/** Evidence from the objects of images with equal names; read on demand. */
class ObjectsOfNames {
  private readonly pacer: Pacer;
  /** The rows sorted by text, and the start of each text's rows. */
  private rowsByText: { rows: Uint32Array; starts: Uint32Array } | undefined;
  private positions: TablePositions | undefined;
  private largest: { rows: ObjectList; text: number }[] | undefined;
  private imageSides: { width: Float64Array; height: Float64Array } | undefined;

  constructor(
    private readonly table: TableSource,
    private readonly masks: Masks,
    private readonly rows: RowsOfImages,
    private readonly signal: AbortSignal,
  ) {
    this.pacer = new Pacer(signal);
  }

  /** Number of rows of a text; 0 for an analyzed image without rows. */
  countOf(text: number): number {
    return this.rowsOf(text).length;
  }

  async assign(
    { texts, images, candidates }: NameGroup,
    { areItemsKnown, isMissing }: { areItemsKnown: boolean; isMissing: boolean },
  ): ReturnType<typeof assignImages> {
    await this.load();
    const namedRows: NamedRows[] = [];
    for (const text of texts) {
      if (this.pacer.isDue) await this.pacer.pause();
      namedRows.push(this.namedRows(text));
    }
    const namedObjects: NamedObjects[] = [];
    for (const image of images) {
      if (this.pacer.isDue) await this.pacer.pause();
      namedObjects.push(this.namedObjects(image));
    }
    const { areas } = this.rows;
    const others = this.largestImages(texts);
    const assignment = await assignImages(
      {
        texts: namedRows,
        images: namedObjects,
        isNameAllowed: (text, image) => candidates.get(texts[text] ?? -1)?.has(images[image] ?? -1) ?? false,
        areItemsKnown,
        isMissing,
        areas: Rounding.of(areas ?? new Float64Array(0)),
        others,
      },
      {
        positions: async () => {
          const positions = await this.loadPositions();
          return (
            positions && {
              roundings: positions.roundings,
              ofRows: (text, indexes) => positions.coordinatesOf(namedRows[text]?.rows, indexes),
              ofOthers: (other, indexes) => positions.coordinatesOf(others[other]?.rows, indexes),
              ofObjects: (image, indexes) => {
                const objects = namedObjects[image]?.objects?.sourceIndexes;
                return this.masks.centroids(
                  images[image] ?? -1,
                  indexes.map(index => objects?.[index] ?? ObjectList.NOT_FOUND),
                  this.signal,
                );
              },
            }
          );
        },
        pause: async () => {
          if (this.pacer.isDue) await this.pacer.pause();
        },
      },
    );
    const withIndexesOfAll = <T extends Pair>(pair: T): T => ({
      ...pair,
      text: texts[pair.text] ?? -1,
      image: images[pair.image] ?? -1,
    });
    const indexOf = new Map(images.map((image, index) => [image, index]));
    return {
      certain: assignment.certain.map(withIndexesOfAll),
      suggested: assignment.suggested.map(withIndexesOfAll),
      reasonOf: image => assignment.reasonOf(indexOf.get(image) ?? -1),
    };
  }

  /** The image sizes in the rows, by text; empty if the table has no sizes. */
  async sizes(): Promise<(ImageSize | undefined)[]> {
    if (!this.rows.columns.size) return [];
    await this.load();
    const sizes: (ImageSize | undefined)[] = [];
    for (const text of this.rows.texts.keys()) {
      if (this.pacer.isDue) await this.pacer.pause();
      sizes.push(this.sizeOf(this.rowsOf(text)));
    }
    return sizes;
  }

  private async load(): Promise<void> {
    if (this.rowsByText) return;
    const { codes, texts, columns } = this.rows;
    const starts = new Uint32Array(texts.length + 1);
    for (const code of codes) starts[code + 1] = (starts[code + 1] ?? 0) + 1;
    for (let text = 0; text < texts.length; text++)
      starts[text + 1] = (starts[text + 1] ?? 0) + (starts[text] ?? 0);
    const nextIndexes = starts.slice();
    const rows = new Uint32Array(codes.length);
    for (let row = 0; row < codes.length; row++) {
      const code = codes[row] as number;
      const index = nextIndexes[code] as number;
      rows[index] = row;
      nextIndexes[code] = index + 1;
    }
    this.rowsByText = { rows, starts };
    if (columns.size)
      this.imageSides = {
        width: await this.numbers(columns.size.width),
        height: await this.numbers(columns.size.height),
      };
  }

  private numbers(column: number): Promise<Float64Array> {
    return gatherNumbers(this.table, column, { rows: undefined, count: this.rows.codes.length }, this.signal);
  }

  /** The positions of all rows, read on first use; undefined if the table has none. */
  private async loadPositions(): Promise<TablePositions | undefined> {
    const { position } = this.rows.columns;
    if (!position || this.positions) return this.positions;
    const x = await this.numbers(position.x);
    this.positions = new TablePositions(x, await this.numbers(position.y));
    return this.positions;
  }

  /** Rows of the images with the most rows, of any name: they show how similar images are. */
  private largestImages(texts: readonly number[]): { rows: ObjectList; text?: number }[] {
    this.largest ??= this.rows.texts
      .map((path, text) => ({ path, text, count: this.countOf(text) }))
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count || (a.path < b.path ? -1 : 1))
      .slice(0, MAX_OTHERS)
      .flatMap(({ text }) => {
        const { rows } = this.namedRows(text);
        return rows ? [{ rows, text }] : [];
      });
    const indexOf = new Map(texts.map((text, index) => [text, index]));
    return this.largest.map(({ rows, text }) => {
      const index = indexOf.get(text);
      return { rows, ...(index !== undefined && { text: index }) };
    });
  }

  private rowsOf(text: number): Uint32Array {
    const { rows, starts } = this.rowsByText ?? { rows: new Uint32Array(0), starts: new Uint32Array(0) };
    return rows.subarray(starts[text] ?? rows.length, starts[text + 1] ?? rows.length);
  }

  private namedRows(text: number): NamedRows {
    const rows = this.rowsOf(text);
    if (rows.length === 0) return {};
    const { ids, idResiduals, areas } = this.rows;
    // A number holds the residual of an ID beyond 2⁵³. IDs beyond 2¹⁰⁶ are compared by their first
    // 30 digits.
    const [residuals] = idResiduals;
    const size = this.sizeOf(rows);
    return {
      rows: ObjectList.of(rows, {
        ids,
        ...(residuals && { residualOf: (row: number) => residuals[row] ?? 0 }),
        ...(areas && { areas }),
      }),
      ...(size && { size }),
    };
  }

  private namedObjects(image: number): NamedObjects {
    const { failure, width, height, unreadableCount, objectCount } = this.masks.summary.images[image] ?? {
      failure: true,
      width: 0,
      height: 0,
      unreadableCount: 0,
      objectCount: 0,
    };
    const imageSize = knownSize({ width, height });
    const size = imageSize && { size: imageSize };
    if (failure) return { ...size, isDamaged: true };
    const { ids, longIds, areas } = this.masks.identities(image);
    const residualOf = (object: number) => {
      const exact = longIds.get(object);
      return exact === undefined ? 0 : Number(exact - BigInt(ids[object] ?? 0));
    };
    const allObjects = new Uint32Array(objectCount).map((_, object) => object);
    const objects = ObjectList.of(allObjects, { ids, areas, ...(longIds.size > 0 && { residualOf }) });
    return { ...size, objects, isDamaged: unreadableCount > 0 };
  }

  /** The size that all rows have; undefined if they have none, or several. */
  private sizeOf(rows: Uint32Array): ImageSize | undefined {
    const [first] = rows;
    if (!this.imageSides || first === undefined) return undefined;
    const [width, height] = [this.imageSides.width[first] ?? NaN, this.imageSides.height[first] ?? NaN];
    const isSame = rows.every(
      row => this.imageSides?.width[row] === width && this.imageSides.height[row] === height,
    );
    return isSame ? knownSize({ width, height }) : undefined;
  }
}
