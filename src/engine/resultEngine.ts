import type { Disposable } from '../base/disposable';
import { CodedError } from '../base/errors';
import type { EngineSide, PictureInfo, TableSummary } from '../protocol/engineProtocol';
import type { Handlers } from '../protocol/rpc';
import { hashFile } from '../results/image/hashFile';
import { Pictures } from '../results/image/pictures';
import type { Masks } from '../results/masks/masks';
import { openMasks } from '../results/masks/openMasks';
import { openTable } from '../results/table/readTable';
import { TableView } from '../results/table/tableView';
import { RowLinking } from './rowLinking';

/** The table whose rows are objects. */
const OBJECTS_TABLE = 'objects';
/** Rows answered at once, so that a message stays small. */
const MOST_ROWS = 10_000;
/** Least time between two tellings of progress, in milliseconds. */
const PROGRESS_INTERVAL = 50;

type Progress = EngineSide['events']['progress'];

/** Everything one result needs computed: its tables, masks and pictures, and how rows and objects belong together. */
export class ResultEngine implements Disposable {
  private readonly tables = new Map<string, TableView>();
  private readonly pictures = new Pictures();
  private masks: Masks | undefined;
  private linking: RowLinking | undefined;

  constructor(private readonly tell: (progress: Progress) => void) {}

  readonly handlers: Handlers<EngineSide> = {
    openTable: async ({ table, path }, signal) => {
      const opened = await openTable(path, signal, this.progress('table', table));
      this.tables.set(table, new TableView(opened));
      if (table === OBJECTS_TABLE) this.linking = undefined;
      const { columns, rowCount, delimiter, raggedRows } = opened;
      return { columns: [...columns], rowCount, delimiter, raggedRows } satisfies TableSummary;
    },
    tableRows: async ({ table, start, end, sort }, signal) => {
      if (!(end - start <= MOST_ROWS))
        throw new CodedError('bad-request', `At most ${MOST_ROWS} rows at once`);
      return this.table(table).rows(start, end, sort, signal);
    },
    tablePosition: async ({ table, row, sort }, signal) => ({
      position: await this.table(table).position(row, sort, signal),
    }),
    openMasks: async ({ path }, signal) => {
      const opened = await openMasks(path, signal, this.progress('masks', 'masks'));
      this.masks?.dispose();
      this.masks = opened;
      this.linking = undefined;
      return opened.summary;
    },
    labelTile: async ({ image, level, x, y }, signal) => {
      const labels = await this.openedMasks().labelTile(image, level, x, y, signal);
      return { labels: labels.buffer };
    },
    maskObjects: async ({ image }, signal) => {
      const { classes, ids, boxes } = await this.openedMasks().objects(image, signal);
      // Copies: what is sent is moved to the other thread.
      return { classes: copyOf(classes), ids: copyOf(ids), boxes: copyOf(boxes) };
    },
    objectsAt: async ({ image, x, y }, signal) => ({
      objects: await this.openedMasks().objectsAt(image, x, y, signal),
    }),
    objectDetails: async ({ image, object }, signal) => {
      const facts = await this.openedMasks().facts(image, object, signal);
      const row = this.linking?.rowOf({ image, object }) ?? null;
      return { image, object, ...facts, ...(row !== null && { row }) };
    },
    linkRows: async (columns, signal) => {
      const { table } = this.table(OBJECTS_TABLE);
      const masks = this.openedMasks();
      const linking = await RowLinking.make(table, masks, columns, signal);
      // Either may have been opened anew meanwhile.
      if (this.masks === masks && this.tables.get(OBJECTS_TABLE)?.table === table) this.linking = linking;
      return linking.report;
    },
    imageOrigin: ({ image }) => ({ origin: this.linking?.originOf(image) ?? null }),
    rowOfObject: object => ({ row: this.linking?.rowOf(object) ?? null }),
    objectOfRow: ({ row }) => ({ object: this.linking?.objectOf(row) ?? null }),
    openPicture: async ({ path }, signal) => {
      const { number, name, picture } = await this.pictures.open(path, signal);
      const { width, height, channels, bitsPerSample, notes } = picture.raster;
      return {
        picture: number,
        width,
        height,
        channels,
        bitsPerSample,
        name,
        notes,
        ...(picture.contrast && { contrast: picture.contrast }),
      } satisfies PictureInfo;
    },
    pictureTile: async ({ picture, level, x, y }, signal) => {
      const opened = await this.pictures.picture(picture, signal);
      return { pixels: (await opened.tile(level, x, y, signal)).buffer };
    },
    hashFile: ({ path }, signal) => hashFile(path, signal),
    closePicture: ({ picture }) => {
      this.pictures.close(picture);
      return {};
    },
  };

  dispose(): void {
    this.masks?.dispose();
    this.masks = undefined;
    this.tables.clear();
  }

  private table(name: string): TableView {
    const table = this.tables.get(name);
    if (!table) throw new CodedError('bad-request', `The table "${name}" is not open`);
    return table;
  }

  private openedMasks(): Masks {
    if (!this.masks) throw new CodedError('bad-request', 'No masks are open');
    return this.masks;
  }

  private progress(what: Progress['what'], name: string): (done: number, total: number) => void {
    let last = 0;
    return (done, total) => {
      const now = performance.now();
      if (now - last < PROGRESS_INTERVAL && done < total) return;
      last = now;
      this.tell({ what, name, done, total });
    };
  }
}

function copyOf(view: Uint16Array | Float64Array | Int32Array): ArrayBuffer {
  const copy = new ArrayBuffer(view.byteLength);
  new Uint8Array(copy).set(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
  return copy;
}
