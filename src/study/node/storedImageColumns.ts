import { type Disposable, toDisposable } from '../../base/disposable';
import { asRecord } from '../../base/storedKind';
import { Emitter, type Event } from '../../base/event';
import { type Conversion, conversionsKind } from '../convertedColumns';
import { type StoredImages, imagesKind } from '../storedImages';
import type { ResultChoices } from '../../results/node/resultChoices';
import type { TableKind } from '../../service/resultParts';
import { type ResultSource, choiceOwnerOf } from '../../session/node/resultSource';

/** Stores the metadata of a result's images. */
export interface ImageColumnsStore {
  read(): Promise<StoredImages | undefined>;
  /**
   * Stores the metadata; undefined removes it. `renamed`: new names of columns, for everything
   * stored by column name.
   */
  write(stored: StoredImages | undefined, renamed?: ReadonlyMap<string, string>): Promise<void>;
  /** The columns of a table that the user converted to µm. */
  conversion?(kind: TableKind): Promise<Conversion | undefined>;
  setConversion?(kind: TableKind, stored: Conversion | undefined): Promise<void>;
  /** Fires when a view of the result in this window stored other metadata. */
  readonly onDidWrite: Event<void>;
  /** Calls back when any window may have stored a change, on disks that report changes. */
  watch?(onChange: () => void): Promise<Disposable>;
}

/**
 * Stores metadata of images with the record of a job submitted from this window, else with the
 * result's settings. All views of a file share the metadata and are notified of changes.
 */
export class StoredImageColumns implements Disposable {
  /** Fires with the keys of the changed settings of a result. */
  private readonly written = new Emitter<string>();

  constructor(
    private readonly choices: Pick<
      ResultChoices,
      'value' | 'setValue' | 'changeValue' | 'columnsRenamed' | 'watchValue'
    >,
  ) {}

  of(source: ResultSource): ImageColumnsStore {
    const { choices, written } = this;
    const owner = choiceOwnerOf(source);
    const { key } = owner;
    return {
      read: async () => (await source.value?.(imagesKind)) ?? (await choices.value(imagesKind, owner)),
      write: async (stored, renamed) => {
        const noMetadata = { columns: [], values: {}, excluded: {} };
        const isInRecord = await source.setValue?.(imagesKind, stored ?? noMetadata);
        if (!isInRecord) await choices.setValue(imagesKind, owner, stored);
        if (renamed) choices.columnsRenamed(owner, renamed);
        written.fire(key);
      },
      watch: async onChange => {
        // A job may get its record while it is open; before that there is no record to watch.
        const watchers = [
          await source.watchValues?.(onChange),
          await choices.watchValue(imagesKind, owner, onChange),
        ];
        return toDisposable(() => watchers.forEach(watcher => watcher?.dispose()));
      },
      conversion: async kind => (await choices.value(conversionsKind, owner))?.[kind],
      setConversion: (kind, stored) =>
        choices.changeValue(conversionsKind, owner, before => {
          const conversions = new Map(Object.entries(asRecord(before)));
          if (stored) conversions.set(kind, stored);
          else conversions.delete(kind);
          return conversions.size > 0 ? Object.fromEntries(conversions) : undefined;
        }),
      onDidWrite: listener => written.event(changed => changed === key && listener()),
    };
  }

  dispose(): void {
    this.written.dispose();
  }
}
