import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { RpcEndpoint } from '../../../protocol/rpc';
import type { MasksPageSide, MasksPanelSide } from '../../masksPage';
import type { ObjectsOfImage } from '../../../archives/masksSummary';
import { type NumberedImage, restoredSelection, type SavedObjects, savedSelection } from './objectSelection';

/** Stored selections by name; null for a removed one. */
export type SelectionChanges = Record<string, readonly SavedObjects[] | null>;

/** A selection with its name. */
export interface NamedSelection {
  name: string;
  /** Objects of images that are unchanged in the masks. */
  objects: readonly ObjectsOfImage[];
  count: number;
}

/** Why a selection can't get a name. */
export type SelectionNameProblem = 'empty' | 'taken' | 'many' | 'large';

const MAX_SELECTIONS = 100;

interface NamedSelectionsOptions {
  images: readonly NumberedImage[];
  selections: Readonly<Record<string, readonly SavedObjects[]>>;
  panel: Pick<RpcEndpoint<MasksPageSide, MasksPanelSide>, 'request'>;
  /** The user named or removed a selection. */
  changed: (before: SelectionChanges, after: SelectionChanges) => void;
  fail: (error: unknown) => void;
}

/** Named selections of objects, which are stored with the result. */
export class NamedSelections {
  private readonly stored: Signal<ReadonlyMap<string, readonly SavedObjects[]>>;

  constructor(private readonly options: NamedSelectionsOptions) {
    this.stored = signal(new Map(Object.entries(options.selections)));
  }

  get names(): ReadonlySignal<ReadonlyMap<string, unknown>> {
    return this.stored;
  }

  /** All named selections, sorted by name. */
  get all(): readonly NamedSelection[] {
    return [...this.stored.value]
      .sort(([a], [b]) => a.localeCompare(b, undefined, { numeric: true }))
      .map(([name, saved]) => {
        const objects = restoredSelection(saved, this.options.images);
        return { name, objects, count: objects.reduce((sum, ofImage) => sum + ofImage.objects.length, 0) };
      });
  }

  /** Names selected objects; returns why that isn't possible. */
  add(typed: string, objects: readonly ObjectsOfImage[]): SelectionNameProblem | undefined {
    const name = typed.trim();
    const stored = this.stored.peek();
    if (name === '') return 'empty';
    if (stored.has(name)) return 'taken';
    if (stored.size >= MAX_SELECTIONS) return 'many';
    const saved = savedSelection(objects, this.options.images);
    if (saved.length === 0) return 'large';
    void this.changeByUser({ [name]: saved });
    return undefined;
  }

  remove(name: string): void {
    void this.changeByUser({ [name]: null });
  }

  /** Adds and removes selections. Throws errors of storing. */
  async change(changes: SelectionChanges): Promise<void> {
    await this.options.panel.request('saveSelections', {
      selections: Object.fromEntries(
        Object.entries(changes).map(([name, saved]) => [
          name,
          saved && saved.map(ofImage => ({ ...ofImage, objects: [...ofImage.objects] })),
        ]),
      ),
    });
    const stored = new Map(this.stored.peek());
    for (const [name, saved] of Object.entries(changes)) {
      if (saved) stored.set(name, saved);
      else stored.delete(name);
    }
    this.stored.value = stored;
  }

  private async changeByUser(after: SelectionChanges): Promise<void> {
    const stored = this.stored.peek();
    const before = Object.fromEntries(Object.keys(after).map(name => [name, stored.get(name) ?? null]));
    try {
      await this.change(after);
      this.options.changed(before, after);
    } catch (error) {
      this.options.fail(error);
    }
  }
}
