import { sameObject, type ObjectRef } from '../../objectRef';
import type { FoundObject, ObjectDetails } from '../../masksSummary';
import { isCoded } from '../../../base/errors';
import type { MasksPageSide, MasksPanelSide } from '../../masksPage';
import type { RpcEndpoint } from '../../../protocol/rpc';
import { LatestValue } from '../../../pages/page/widgets/frameQueue';

export interface ObjectFocusOptions {
  panel: RpcEndpoint<MasksPageSide, MasksPanelSide>;
  /** Hovered or selected has changed: marks are to be painted. */
  onChange: () => void;
  /** Details of the selected object, else of the hovered one, have come; undefined when there is neither. */
  onDetails: (details: ObjectDetails | undefined, selected: boolean) => void;
  /** Details of an object that is hovered while another is selected have come; undefined when there is none. */
  onBeside: (details: ObjectDetails | undefined) => void;
  onFailure: (error: unknown) => void;
}

/**
 * The hovered and the selected object, set here or elsewhere; sends the panel what is set here. A selected object keeps
 * the focus while others are hovered, as the pointer may rest on any of them.
 */
export class ObjectFocus {
  hovered: FoundObject | null = null;
  selected: FoundObject | null = null;
  private readonly inFocus: LatestDetails;
  private readonly beside: LatestDetails;
  private readonly sentHover: LatestValue<ObjectRef | null>;

  constructor(private readonly options: ObjectFocusOptions) {
    const { panel, onDetails, onBeside, onFailure } = options;
    this.inFocus = new LatestDetails(panel, onDetails, onFailure);
    this.beside = new LatestDetails(panel, onBeside, onFailure);
    this.sentHover = new LatestValue<ObjectRef | null>(
      null,
      ref => options.panel.send('hover', ref),
      sameObject,
    );
  }

  /** Pointed at here. */
  hover(ref: ObjectRef | null): void {
    this.sentHover.set(ref);
    this.showHovered(ref);
  }

  /** Pointed at elsewhere. */
  showHovered(ref: FoundObject | null): void {
    if (sameObject(ref, this.hovered)) return;
    this.hovered = ref;
    this.changed();
  }

  /** Selected here. */
  select(ref: ObjectRef | null): void {
    if (sameObject(ref, this.selected)) return;
    this.options.panel.send('select', ref);
    this.showSelected(ref);
  }

  /** Selected elsewhere. */
  showSelected(ref: FoundObject | null): void {
    this.selected = ref;
    this.changed();
  }

  /** Rows and objects were linked: the row of the object in focus may be another one. */
  linked(): void {
    void this.inFocus.requestAgain();
  }

  private changed(): void {
    const { hovered, selected } = this;
    this.options.onChange();
    void this.inFocus.show(selected ?? hovered, selected !== null);
    void this.beside.show(selected && !sameObject(hovered, selected) ? hovered : null, false);
  }
}

/** Details of one object at a time, requested where they aren't there; those that come too late are dropped. */
class LatestDetails {
  private ref: ObjectRef | null = null;
  private isSelected = false;
  private pending: AbortController | undefined;

  constructor(
    private readonly panel: ObjectFocusOptions['panel'],
    private readonly onDetails: ObjectFocusOptions['onDetails'],
    private readonly onFailure: ObjectFocusOptions['onFailure'],
  ) {}

  async show(ref: FoundObject | null, isSelected: boolean): Promise<void> {
    if (sameObject(ref, this.ref) && isSelected === this.isSelected) return;
    this.ref = ref;
    this.isSelected = isSelected;
    this.pending?.abort();
    if (!ref) {
      this.onDetails(undefined, false);
      return;
    }
    if (ref.details) {
      this.onDetails(ref.details, isSelected);
      return;
    }
    await this.request(ref);
  }

  /** Requests the details of the object as they are now. */
  async requestAgain(): Promise<void> {
    if (!this.ref) return;
    this.pending?.abort();
    await this.request(this.ref);
  }

  private async request({ image, object }: ObjectRef): Promise<void> {
    const { isSelected } = this;
    const { signal } = (this.pending = new AbortController());
    try {
      const details = await this.panel.request('objectDetails', { image, object }, signal);
      if (!signal.aborted) this.onDetails(details, isSelected);
    } catch (error) {
      if (!isCoded(error, 'cancelled')) this.onFailure(error);
    }
  }
}
