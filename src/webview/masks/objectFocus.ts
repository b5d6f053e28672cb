import { isCoded } from '../../base/errors';
import type { ObjectDetails, ObjectRef } from '../../protocol/masksEngine';
import type { MasksPageSide, MasksPanelSide } from '../../protocol/masksPage';
import type { RpcEndpoint } from '../../protocol/rpc';
import { LatestValue } from '../frameQueue';

export function sameObject(a: ObjectRef | null, b: ObjectRef | null): boolean {
  return a === b || (a !== null && b !== null && a.image === b.image && a.object === b.object);
}

export interface ObjectFocusOptions {
  panel: RpcEndpoint<MasksPageSide, MasksPanelSide>;
  /** Hovered or selected has changed: marks are to be painted. */
  onChange: () => void;
  /** Details of the hovered object, else of the selected one, have come; undefined when there is neither. */
  onDetails: (details: ObjectDetails | undefined, selected: boolean) => void;
  onFailure: (error: unknown) => void;
}

/** The object pointed at and the one selected, here or elsewhere; tells the panel of what happens here. */
export class ObjectFocus {
  hovered: ObjectRef | null = null;
  selected: ObjectRef | null = null;
  private asking: AbortController | undefined;
  private readonly tellHover: LatestValue<ObjectRef | null>;

  constructor(private readonly options: ObjectFocusOptions) {
    this.tellHover = new LatestValue<ObjectRef | null>(
      null,
      ref => options.panel.send('hover', ref),
      sameObject,
    );
  }

  /** Pointed at here. */
  hover(ref: ObjectRef | null): void {
    this.tellHover.set(ref);
    this.heardHover(ref);
  }

  /** Pointed at elsewhere. */
  heardHover(ref: ObjectRef | null): void {
    if (sameObject(ref, this.hovered)) return;
    this.hovered = ref;
    this.changed();
  }

  /** Selected here. */
  select(ref: ObjectRef | null): void {
    if (sameObject(ref, this.selected)) return;
    this.options.panel.send('select', ref);
    this.heardSelect(ref);
  }

  /** Selected elsewhere. */
  heardSelect(ref: ObjectRef | null): void {
    this.selected = ref;
    this.changed();
  }

  private changed(): void {
    this.options.onChange();
    void this.fetchDetails();
  }

  private async fetchDetails(): Promise<void> {
    this.asking?.abort();
    const shown = this.hovered ?? this.selected;
    if (!shown) {
      this.options.onDetails(undefined, false);
      return;
    }
    const controller = new AbortController();
    this.asking = controller;
    try {
      const details = await this.options.panel.request('objectDetails', shown, controller.signal);
      if (!controller.signal.aborted) this.options.onDetails(details, sameObject(shown, this.selected));
    } catch (error) {
      if (!isCoded(error, 'cancelled')) this.options.onFailure(error);
    }
  }
}
