import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { TableFiltered } from '../../masksPage';
import type { LinkReport } from '../../../linking/rowLinks';
import type { ImageModel } from './imageModel';
import type { MessagesModel } from './messagesModel';
import type { SelectionModel } from './selectionModel';

interface LinkedTableOptions {
  filtered: TableFiltered | null;
  image: Pick<ImageModel, 'scene'>;
  selection: Pick<SelectionModel, 'clearMessage'>;
  messages: Pick<MessagesModel, 'failed'>;
  /** Resolves once the current state of the page is painted. */
  painted: () => Promise<void>;
}

/** The table: its link with objects, and its filters, which the masks follow. */
export class LinkedTable {
  private readonly report = signal<LinkReport | undefined>(undefined);
  private readonly matches: Signal<TableFiltered | null>;
  private readonly imageListFilter: Signal<{ isFiltered: boolean }>;

  constructor(private readonly options: LinkedTableOptions) {
    this.matches = signal(options.filtered);
    this.imageListFilter = signal({ isFiltered: options.filtered !== null });
  }

  get link(): ReadonlySignal<LinkReport | undefined> {
    return this.report;
  }

  /** How many rows match the filters; null without filters. */
  get filtered(): ReadonlySignal<TableFiltered | null> {
    return this.matches;
  }

  /** Whether the list of images is filtered. Notifies whenever other objects may match. */
  get listFilter(): ReadonlySignal<{ isFiltered: boolean }> {
    return this.imageListFilter;
  }

  /** Rows were linked with objects: the same filters may match other objects. */
  async linked(report: LinkReport): Promise<void> {
    this.report.value = report;
    await this.apply();
  }

  /** The table's filters changed. */
  async filter(filtered: TableFiltered | null): Promise<void> {
    this.matches.value = filtered;
    await this.apply(filtered?.shown);
  }

  /**
   * Applies the filters to the current image, then to listed images. `received`: the matches in an
   * image, if the panel sent them.
   */
  private async apply(received?: TableFiltered['shown']): Promise<void> {
    const { image, selection, messages, painted } = this.options;
    const filtered = this.matches.peek();
    if (!filtered) selection.clearMessage();
    const scene = image.scene.peek();
    const matching =
      scene && received?.image === scene.image.index ? new Uint8Array(received.objects) : undefined;
    await scene?.applyFilter(matching).catch(messages.failed);
    await painted();
    if (this.matches.peek() === filtered) this.imageListFilter.value = { isFiltered: filtered !== null };
  }
}
