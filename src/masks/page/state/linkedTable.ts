import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { TableFiltered } from '../../masksPage';
import type { LinkReport } from '../../../linking/rowLinks';
import type { ImageModel } from './imageModel';
import type { MessagesModel } from './messagesModel';
import type { SelectionModel } from './selectionModel';

interface LinkedTableOptions {
  filtered: TableFiltered | null;
  image: Pick<ImageModel, 'scene'>;
  selection: Pick<SelectionModel, 'forget'>;
  messages: Pick<MessagesModel, 'failed'>;
  /** Resolves once the current state of the page is painted. */
  painted: () => Promise<void>;
}

/** The table: how its rows are linked with objects, and its filters, which the masks follow. */
export class LinkedTable {
  private readonly report = signal<LinkReport | undefined>(undefined);
  private readonly letThrough: Signal<TableFiltered | null>;
  private readonly followed: Signal<{ isFiltered: boolean }>;

  constructor(private readonly options: LinkedTableOptions) {
    this.letThrough = signal(options.filtered);
    this.followed = signal({ isFiltered: options.filtered !== null });
  }

  get link(): ReadonlySignal<LinkReport | undefined> {
    return this.report;
  }

  /** How many of its rows match its filters; null without any. */
  get filtered(): ReadonlySignal<TableFiltered | null> {
    return this.letThrough;
  }

  /** Whether it has filters, for listed images: a new object whenever other objects may match. */
  get listed(): ReadonlySignal<{ isFiltered: boolean }> {
    return this.followed;
  }

  /** Rows were linked with objects: the same filters may let other objects through. */
  async linked(report: LinkReport): Promise<void> {
    this.report.value = report;
    await this.apply();
  }

  /** Its filters have changed. */
  async filter(filtered: TableFiltered | null): Promise<void> {
    this.letThrough.value = filtered;
    await this.apply(filtered?.shown);
  }

  /** Has the image shown follow the filters first, and then those that are only listed. */
  private async apply(sent?: TableFiltered['shown']): Promise<void> {
    const { image, selection, messages, painted } = this.options;
    const filtered = this.letThrough.peek();
    if (!filtered) selection.forget();
    const scene = image.scene.peek();
    const known = scene && sent?.image === scene.image.index ? new Uint8Array(sent.objects) : undefined;
    await scene?.applyFilter(known).catch(messages.failed);
    await painted();
    if (this.letThrough.peek() === filtered) this.followed.value = { isFiltered: filtered !== null };
  }
}
