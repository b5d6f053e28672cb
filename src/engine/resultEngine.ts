import type { Disposable } from '../base/disposable';
import type { EngineSide } from '../protocol/engineProtocol';
import type { LinkRequests } from '../protocol/linkEngine';
import type { Handlers, RequestHandlers } from '../protocol/rpc';
import { numbersAt } from '../results/table/gather';
import { exportAnswers } from './exportAnswers';
import { MasksAnswers, MOST_OBJECTS } from './masksAnswers';
import { PictureAnswers } from './pictureAnswers';
import { progressTo, type Progress } from './progress';
import { RowLinking } from './rowLinking';
import type { TableHost } from './openTables';
import { TableAnswers } from './tableAnswers';
import { ViewRows } from './viewRows';

/** The table whose rows are objects. */
const OBJECTS_TABLE = 'objects';

/** Everything one result needs computed: its tables, masks and pictures, and how rows and objects belong together. */
export class ResultEngine implements Disposable {
  private readonly tables: TableAnswers;
  private readonly masks: MasksAnswers;
  private readonly pictures: PictureAnswers;
  private linking: RowLinking | undefined;
  private readonly viewRows = new ViewRows(OBJECTS_TABLE, () => this.tables.handlers.tableViewRows);
  readonly handlers: Handlers<EngineSide>;

  /** `threads` is what only an engine in a thread of its own has. */
  constructor(
    tell: (progress: Progress) => void,
    threads: Partial<Pick<TableHost, 'grew' | 'startHelper'>> = {},
  ) {
    const progress = progressTo(tell);
    const forgetLinks = () => (this.linking = undefined);
    this.tables = new TableAnswers({
      progress,
      onOpened: table => {
        if (table !== OBJECTS_TABLE) return;
        this.viewRows.forget();
        forgetLinks();
      },
      grew: () => undefined,
      ...threads,
    });
    this.masks = new MasksAnswers(progress, forgetLinks, object => this.linking?.rowOf(object) ?? null);
    this.pictures = new PictureAnswers(progress, (image, signal) =>
      this.masks.opened().objects(image, signal),
    );
    this.handlers = {
      ...this.tables.handlers,
      ...this.masks.handlers,
      ...this.pictures.handlers,
      ...this.linkHandlers,
      ...exportAnswers(progress, () => this.masks.opened()),
    };
  }

  dispose(): void {
    this.pictures.dispose();
    this.masks.dispose();
    this.tables.dispose();
  }

  private rowsOfImage(image: number): Int32Array {
    return (
      this.linking?.rowsOfImage(image) ??
      new Int32Array(this.masks.opened().summary.images[image]?.objectCount ?? 0).fill(-1)
    );
  }

  private get linkHandlers(): RequestHandlers<LinkRequests> {
    return {
      linkRows: async (columns, signal) => {
        await this.tables.settled(OBJECTS_TABLE);
        const { table } = this.tables.view(OBJECTS_TABLE);
        const masks = this.masks.opened();
        const linking = await RowLinking.make(table, masks, columns, signal);
        // Either may have been opened anew meanwhile.
        const current = this.masks.isOpen(masks) && this.tables.view(OBJECTS_TABLE).table === table;
        if (current) this.linking = linking;
        return linking.report;
      },
      imageOrigin: ({ image }) => ({ origin: this.linking?.originOf(image) ?? null }),
      rowOfObject: object => ({ row: this.linking?.rowOf(object) ?? null }),
      objectOfRow: ({ row }) => ({ object: this.linking?.objectOf(row) ?? null }),
      shownObjects: async ({ image, view }, signal) => {
        const shown = await this.viewRows.shownIn(this.rowsOfImage(image), view, signal);
        return { shown: shown.buffer };
      },
      rowsOfObjects: ({ image, objects }) => {
        const rows = this.rowsOfImage(image);
        return {
          rows: Uint32Array.from(objects.map(each => rows[each] ?? -1).filter(row => row >= 0)).buffer,
        };
      },
      objectValues: async ({ image, column, from = 0 }, signal) => {
        const { table } = this.tables.view(OBJECTS_TABLE);
        const rows = this.rowsOfImage(image);
        const some = rows.subarray(from, from + MOST_OBJECTS);
        const values = await numbersAt(table, column, some, signal);
        return { values: values.buffer, total: rows.length };
      },
    };
  }
}
