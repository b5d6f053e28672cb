import { type ColumnSource, FIRST_TEXT, type TableSource } from '../../columns/engine/read/tableSource';
import { rowMask } from '../../columns/engine/rowMask';
import { groupedRows, groupKeys } from '../../columns/engine/statistics/groups';
import { columnsOfImage } from '../../columns/rowColumns';
import { type ColumnFilter, type Filter, isOfColumn } from '../../columns/viewSpec';
import type { ImageFacts } from '../conditionRequests';
import { type ImageColumns, NO_IMAGE_COLUMNS, numberOfValue, reasonsOfExcluded } from '../imageColumns';

/** The images of a table: those that its rows name, and known images without rows. */
export interface StudyImages extends ImageColumns {
  /** The table's column with the paths of images; undefined without one. */
  readonly pathColumn: number | undefined;
  /** The column of jobs in a table of several. */
  readonly jobColumn?: number | undefined;
  /** The job of each image, see imagesOfJobs. */
  readonly jobs?: readonly string[];
  /**
   * Whether images without objects are known, from masks, the aggregate table or the job's items.
   */
  readonly areAllKnown: boolean;
  /**
   * The path of each image as in this table. Other tables, or the upload, may write it with more or
   * fewer folders.
   */
  readonly pathsInTable: readonly string[];
  /** The position of the image that a text of the path column means, in the rows of a job. */
  positionOf(text: string, job?: string | null): number | undefined;
  /** Converts the position of a table column to that of an image column; undefined for others. */
  imageColumnAt(column: number): number | undefined;
  /** The area of each image in mm²; absent unless all images have a pixel size. */
  readonly areas?: readonly number[] | undefined;
}

/** Metadata of a table's images; empty if none is set. */
export function studyImagesOf(table: Pick<ColumnSource, 'columns'>, facts?: ImageFacts): StudyImages {
  const { columns } = table;
  const firstImageColumn = columns.findIndex(({ ofImage }) => ofImage === true);
  const { images = NO_IMAGE_COLUMNS, texts = [], imageOf = [], areas } = facts ?? {};
  const [pathColumn, jobColumn] = columnsOfImage(columns, facts?.pathColumn).reverse();
  const positions = new Map<string, number>();
  const paths = [...images.images];
  texts.forEach((text, at) => {
    const position = imageOf[at] ?? -1;
    if (position < 0) return;
    positions.set(text, position);
    paths[position] = text;
  });
  return {
    ...images,
    pathsInTable: paths,
    pathColumn,
    jobColumn,
    positionOf: text => positions.get(text),
    areAllKnown: facts?.areAllKnown === true,
    imageColumnAt: column => (columns[column]?.ofImage === true ? column - firstImageColumn : undefined),
    ...(areas && { areas }),
  };
}

/**
 * Images of a table of several jobs: each job has its own of each path that its rows name, with the
 * metadata of the path. Other tables' images are returned as they are. Throws `cancelled`.
 */
export async function imagesOfJobs(
  images: StudyImages,
  table: TableSource,
  signal?: AbortSignal,
): Promise<StudyImages> {
  const { pathColumn, jobColumn } = images;
  if (pathColumn === undefined || jobColumn === undefined) return images;
  const groupColumns = [jobColumn, pathColumn];
  const grouped = await groupedRows(table, groupColumns, { rows: undefined, count: table.rowCount }, signal);
  const positions = new Map<string, number>();
  const jobs: string[] = [];
  const pathsInTable: string[] = [];
  /** For each image of a job, the position of its path in `images`. */
  const pathPositions: number[] = [];
  const keyOf = (job: string | null | undefined, path: number) => JSON.stringify([job, path]);
  for (const [job, text] of groupKeys(
    table,
    groupColumns,
    grouped,
    Uint32Array.from(grouped.firstRows.keys()),
  )) {
    const pathPosition = images.positionOf(text ?? '');
    if (pathPosition === undefined || positions.has(keyOf(job, pathPosition))) continue;
    positions.set(keyOf(job, pathPosition), jobs.length);
    jobs.push(job ?? '');
    pathsInTable.push(text ?? '');
    pathPositions.push(pathPosition);
  }
  const valuesOfJobs = (values: readonly string[]) => pathPositions.map(path => values[path] ?? '');
  const reasons = reasonsOfExcluded(images);
  return {
    ...images,
    images: valuesOfJobs(images.images),
    columns: images.columns.map(column => ({ ...column, values: valuesOfJobs(column.values) })),
    excluded: pathPositions.flatMap((path, image) => {
      const reason = reasons.get(path);
      return reason === undefined ? [] : [{ image, reason }];
    }),
    pathsInTable,
    jobs,
    positionOf: (text, job) => positions.get(keyOf(job, images.positionOf(text) ?? -1)),
  };
}

/** Whether all rows of an image have the same value in a column. */
export function isColumnOfImages(column: number, images: StudyImages): boolean {
  const { pathColumn, jobColumn } = images;
  return column === pathColumn || column === jobColumn || images.imageColumnAt(column) !== undefined;
}

/** Whether a filter is about images: it removes images, whether they have objects or not. */
export function isOfImages(filter: Filter, images: StudyImages): filter is ColumnFilter {
  return isOfColumn(filter) && isColumnOfImages(filter.column, images);
}

/** A byte for each image: 1 if it isn't excluded and matches the filters about images, else 0. */
export async function imagesOfStudy(
  images: StudyImages,
  table: Pick<ColumnSource, 'columns'>,
  filters: readonly ColumnFilter[],
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const count = images.images.length;
  const included = new Uint8Array(count).fill(1);
  for (const { image } of images.excluded) included[image] = 0;
  const source = new ImageTable(images, table);
  for (const filter of filters) {
    const mask = await rowMask(source, filter, count, signal);
    for (let image = 0; image < count; image++) included[image] = (included[image] ?? 0) & (mask[image] ?? 0);
  }
  return included;
}

/** A table with one row per image. Its columns have the same positions as those of `table`. */
class ImageTable implements ColumnSource {
  readonly columns: ColumnSource['columns'];

  constructor(
    private readonly images: StudyImages,
    table: Pick<ColumnSource, 'columns'>,
  ) {
    this.columns = table.columns;
  }

  numbers(column: number): ReturnType<ColumnSource['numbers']> {
    const values = Float64Array.from(this.valuesOf(column), numberOfValue);
    return Promise.resolve({ values: [values], firstRows: [0] });
  }

  /** No residuals: users type the values of images, with few enough digits for doubles. */
  residuals(): ReturnType<ColumnSource['residuals']> {
    return Promise.resolve([]);
  }

  codes(column: number): ReturnType<ColumnSource['codes']> {
    // The first two codes are absent and empty cells, see FIRST_TEXT; '' is an empty cell.
    const texts = ['', ''];
    const codes = new Map([['', FIRST_TEXT - 1]]);
    const values = Uint32Array.from(this.valuesOf(column), value => {
      const code = codes.get(value) ?? texts.push(value) - 1;
      codes.set(value, code);
      return code;
    });
    const text = (code: number) => texts[code] ?? '';
    return Promise.resolve({ values: [values], firstRows: [0], texts: { size: texts.length, text } });
  }

  private valuesOf(column: number): readonly string[] {
    if (column === this.images.pathColumn) return this.images.pathsInTable;
    if (column === this.images.jobColumn) return this.images.jobs ?? [];
    return this.images.columns[this.images.imageColumnAt(column) ?? -1]?.values ?? [];
  }
}
