import type { Disposable } from '../base/disposable';
import type { EngineSide } from '../protocol/engineProtocol';
import type { LinkRequests } from '../protocol/linkEngine';
import type { Handlers, RequestHandlers } from '../protocol/rpc';
import { MasksAnswers } from './masksAnswers';
import { PictureAnswers } from './pictureAnswers';
import { progressTo, type Progress } from './progress';
import { RowLinking } from './rowLinking';
import { TableAnswers } from './tableAnswers';

/** The table whose rows are objects. */
const OBJECTS_TABLE = 'objects';

/** Everything one result needs computed: its tables, masks and pictures, and how rows and objects belong together. */
export class ResultEngine implements Disposable {
  private readonly tables: TableAnswers;
  private readonly masks: MasksAnswers;
  private readonly pictures = new PictureAnswers();
  private linking: RowLinking | undefined;
  readonly handlers: Handlers<EngineSide>;

  constructor(tell: (progress: Progress) => void) {
    const progress = progressTo(tell);
    const forgetLinks = () => (this.linking = undefined);
    this.tables = new TableAnswers(progress, table => {
      if (table === OBJECTS_TABLE) forgetLinks();
    });
    this.masks = new MasksAnswers(progress, forgetLinks, object => this.linking?.rowOf(object) ?? null);
    this.handlers = {
      ...this.tables.handlers,
      ...this.masks.handlers,
      ...this.pictures.handlers,
      ...this.linkHandlers,
    };
  }

  dispose(): void {
    this.masks.dispose();
    this.tables.dispose();
  }

  private get linkHandlers(): RequestHandlers<LinkRequests> {
    return {
      linkRows: async (columns, signal) => {
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
    };
  }
}
