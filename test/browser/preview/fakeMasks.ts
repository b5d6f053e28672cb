import type { ShownMaskImage, ObjectDetails } from '../../../src/archives/masksSummary';
import type { MasksStart } from '../../../src/masks/masksPage';
import { boxOf, makeCells, type Cell } from './cells';

const FIRST_CLASSES = ['Nucleus', 'Mitotic', 'Debris, out of focus'];

/** Made-up masks: how large their images are, and how many there are of what. */
export interface FakeMasksSize {
  images: number;
  width: number;
  height: number;
  cells: number;
  /** How many classes there are, those after the third with longer and longer names. */
  classes?: number;
  /**
   * Each image has the name of another one in another folder; the last three can't be told apart.
   */
  sameNames?: true;
}

/** Made-up images of cells, and the archive of their masks. */
export class FakeMasks {
  readonly classes = [...FIRST_CLASSES];
  private readonly cellsOf = new Map<number, Cell[]>();

  constructor(private readonly size: FakeMasksSize) {
    for (let at = this.classes.length; at < (size.classes ?? 0); at++)
      this.classes.push(`CD${at} positive ${'and CD8 negative '.repeat(at % 4)}T cell`);
  }

  /** Cells of an image: those of the first five images, repeated. */
  cells(position: number): readonly Cell[] {
    const { cells, width, height } = this.size;
    const image = position % 5;
    const known = this.cellsOf.get(image) ?? makeCells(image === 4 ? 0 : cells, width, height, image + 1);
    this.cellsOf.set(image, known);
    return known;
  }

  summary(): NonNullable<MasksStart['masks']> {
    const images = Array.from({ length: this.size.images }, (_, index) => this.image(index));
    return {
      resultId: 'preview',
      classes: this.classes.map((name, kind) => ({
        name,
        count: images.reduce((sum, image) => sum + (image.classCounts[kind] ?? 0), 0),
      })),
      images,
      notes: ['Class “Debris, out of focus” is not listed in index.json.'],
    };
  }

  details(image: number, object: number): ObjectDetails {
    const { width, height } = this.size;
    const cell = this.cells(image)[object];
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

  /** Of every object of an image. */
  measures(image: number): ObjectDetails[] {
    return this.cells(image).map((_, object) => this.details(image, object));
  }

  private nameOf(index: number): Pick<ShownMaskImage, 'filename' | 'path' | 'linkedBy'> {
    const number = (at: number) => String(at + 1).padStart(3, '0');
    if (!this.size.sameNames) return { filename: `Plate 3/Well B${index + 1}/nuclei_${number(index)}.tif` };
    const filename = `nuclei_${number(index >> 1)}.tif`;
    const isTold = index < this.size.images - 3;
    if (!isTold) return { filename };
    const path = `Plate 3/${index % 2 ? 'treated' : 'control'}/${filename}`;
    return { filename, path, linkedBy: { by: 'areasAndPositions', objects: 16 } };
  }

  private image(index: number): ShownMaskImage {
    const { width, height } = this.size;
    const cells = this.cells(index);
    // Nothing is known of the objects of an image that can't be read.
    const isDamaged = index === 2;
    const known = isDamaged ? [] : cells;
    const counts = this.classes.map((_name, kind) => known.filter(cell => cell.kind === kind).length);
    return {
      index,
      id: `image-${index}`,
      ...this.nameOf(index),
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
      ...(isDamaged && {
        failure: {
          code: 'damaged-archive' as const,
          message: 'image-2_objects.json is damaged: its checksum does not match. Download the masks again.',
        },
      }),
    };
  }
}
