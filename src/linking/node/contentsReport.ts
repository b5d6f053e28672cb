import { findRowColumns } from '../../columns/rowColumns';
import type { TableSummary } from '../../columns/tableSummary';
import { type ArchiveSummary, pathOfImage } from '../../archives/masksSummary';
import type { ResultSource } from '../../session/node/resultSource';
import type { EngineRequest, SessionLog } from '../../session/node/sessionEngine';
import type { SessionTables } from '../../session/node/sessionTables';

interface ContentsReportDependencies {
  source: Pick<ResultSource, 'objectsCounted' | 'imagesRead'>;
  tables: Pick<SessionTables, 'open' | 'whenRead'>;
  /** Resolves once linking has ended: the paths of images are complete then. */
  linkSettled: () => Promise<void>;
  request: EngineRequest;
  /** Aborts when the session ends. */
  signal: AbortSignal;
  log: Pick<SessionLog, 'info'>;
}

/**
 * Reports the content of a result's parts to its source, once they are read: the number of objects,
 * and the images.
 */
export class ContentsReport {
  private isAggregateOpen = false;
  private images: ArchiveSummary['images'] | undefined;

  constructor(private readonly dependencies: ContentsReportDependencies) {}

  /** The result's objects table is open, rather than a replacement. */
  objectsOpened(): void {
    const { source, log } = this.dependencies;
    if (!source.objectsCounted) return;
    this.countObjects().catch((error: unknown) => log.info('Counting the objects', error));
  }

  aggregateOpened(): void {
    this.isAggregateOpen = true;
    this.reportImages();
  }

  masksOpened({ images }: ArchiveSummary): void {
    this.images = images;
    this.reportImages();
  }

  private async countObjects(): Promise<void> {
    const { source, tables, signal } = this.dependencies;
    await tables.whenRead('objects', signal);
    const { rowCount, failure } = await tables.open('objects', signal);
    if (failure === undefined) source.objectsCounted?.(rowCount);
  }

  /** Reports the images once both the aggregate table and the masks are open. */
  private reportImages(): void {
    const { images } = this;
    const { source, log } = this.dependencies;
    if (!images || !this.isAggregateOpen || !source.imagesRead) return;
    this.imagesOfAggregate()
      .then(
        aggregate =>
          aggregate &&
          source.imagesRead?.({
            aggregate,
            archive: images.map(image => ({ id: image.id, filename: pathOfImage(image) })),
          }),
      )
      .catch((error: unknown) => log.info('Reading which images the results name', error));
  }

  private async imagesOfAggregate(): Promise<string[] | undefined> {
    const { tables, request, linkSettled, signal } = this.dependencies;
    await linkSettled();
    await tables.whenRead('aggregate', signal);
    const summary = await tables.open('aggregate', signal);
    return imagesOfTable(summary, range =>
      request('tableRows', { table: 'aggregate', sort: [], ...range }, signal),
    );
  }
}

/** Maximum number of rows of tables that are read for their images. */
const MAX_ROWS = 100_000;
const ROWS_AT_ONCE = 5000;

/**
 * Reads rows [start, end) of some columns as exact texts; may return fewer rows, but at least one.
 */
type ReadRows = (range: { start: number; end: number; columns: number[] }) => Promise<{ rows: string[][] }>;

/**
 * The images that a table names, each text once. Undefined if no column names images, or if the
 * table is too long or incomplete. `summary` is of a table with all rows read.
 */
export async function imagesOfTable(
  { columns, rowCount, reading, failure }: TableSummary,
  readRows: ReadRows,
): Promise<string[] | undefined> {
  const { image } = findRowColumns(columns);
  if (image === undefined || rowCount > MAX_ROWS || reading || failure) return undefined;
  const texts = new Set<string>();
  for (let start = 0; start < rowCount;) {
    const { rows } = await readRows({
      start,
      end: Math.min(rowCount, start + ROWS_AT_ONCE),
      columns: [columns[image]?.index ?? image],
    });
    if (rows.length === 0) return undefined;
    for (const [text = ''] of rows) texts.add(text);
    start += rows.length;
  }
  return [...texts];
}
