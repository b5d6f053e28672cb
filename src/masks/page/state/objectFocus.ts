import { type ReadonlySignal, signal } from '@preact/signals';
import { isCoded } from '../../../base/errors';
import type { PagePort } from '../../../pages/page/pagePort';
import { LatestValue } from '../../../pages/page/widgets/timing';
import type { RpcEndpoint } from '../../../protocol/rpc';
import type { MasksPageSide, MasksPanelSide } from '../../masksPage';
import {
  type LocatedObject,
  type ObjectDetails,
  type ObjectRef,
  sameObject,
} from '../../../archives/masksSummary';
import type { Point } from '../tiles/viewTransform';
import type { MasksViewState, SavedObject } from './masksViewState';
import type { NumberedImage } from './objectSelection';

/** A click on overlapping objects. `position`: which of `candidates` it selected. */
export interface ClickedStack {
  point: Point;
  candidates: readonly number[];
  position: number;
}

/** A hovered or selected object with its details. */
export interface FocusedObject {
  details: ObjectDetails;
  selected: boolean;
  /** The objects under the click that selected it. */
  stack?: ClickedStack;
}

interface ObjectFocusOptions {
  images: readonly NumberedImage[];
  panel: Pick<RpcEndpoint<MasksPageSide, MasksPanelSide>, 'request' | 'send'>;
  port: Pick<PagePort<MasksViewState>, 'view' | 'updateView'>;
  /** Called with the details of an object, before all other listeners. */
  arrived: (details: ObjectDetails) => void;
  /** The objects under the click that selected an object. */
  stack: () => ClickedStack | undefined;
  failed: (error: unknown) => void;
}

/**
 * The hovered and the selected object. Sends changes made on this page to the panel. A selected
 * object keeps the focus while the pointer hovers over others.
 */
export class ObjectFocus {
  private readonly hoveredObject = signal<LocatedObject | null>(null);
  private readonly selectedObject = signal<LocatedObject | null>(null);
  private readonly focusedDetails: LatestDetails;
  private readonly hoveredDetails: LatestDetails;
  private readonly sentHover: LatestValue<ObjectRef | null>;

  constructor(private readonly options: ObjectFocusOptions) {
    this.focusedDetails = new LatestDetails(options);
    this.hoveredDetails = new LatestDetails(options);
    this.sentHover = new LatestValue<ObjectRef | null>(
      null,
      ref => options.panel.send('hover', ref),
      sameObject,
    );
  }

  get hovered(): ReadonlySignal<LocatedObject | null> {
    return this.hoveredObject;
  }

  get selected(): ReadonlySignal<LocatedObject | null> {
    return this.selectedObject;
  }

  /** The object in focus, once its details are loaded. */
  get shown(): ReadonlySignal<FocusedObject | undefined> {
    return this.focusedDetails.current;
  }

  /** The hovered object while another one is selected, once its details are loaded. */
  get hoveredBeside(): ReadonlySignal<FocusedObject | undefined> {
    return this.hoveredDetails.current;
  }

  /** Sets the object hovered in this page. */
  hover(ref: ObjectRef | null): void {
    this.sentHover.set(ref);
    this.followHovered(ref);
  }

  /** Follows the object hovered elsewhere. */
  followHovered(ref: LocatedObject | null): void {
    if (sameObject(ref, this.hoveredObject.peek())) return;
    this.hoveredObject.value = ref;
    this.changed();
  }

  /** Selects an object in this page. */
  select(ref: ObjectRef | null): void {
    if (sameObject(ref, this.selectedObject.peek())) return;
    this.options.panel.send('select', ref);
    this.followSelected(ref);
  }

  /** Follows the object selected elsewhere. */
  followSelected(ref: LocatedObject | null): void {
    this.selectedObject.value = ref;
    if (!this.isSavedSelection(ref)) this.options.port.updateView({ selected: ref && this.saved(ref) });
    this.changed();
  }

  /** Whether an object is the saved selection. */
  isSavedSelection(selected: ObjectRef | null): boolean {
    return sameObject(selected, this.options.port.view.selected ?? null);
  }

  /** Rows and objects were linked: the object in focus may have another row. */
  linked(): void {
    void this.focusedDetails.requestAgain();
  }

  private saved({ image, object }: ObjectRef): SavedObject {
    const summary = this.options.images.find(({ index }) => index === image);
    return { image, object, ...(summary && { id: summary.id, objectCount: summary.objectCount }) };
  }

  private changed(): void {
    const [hovered, selected] = [this.hoveredObject.peek(), this.selectedObject.peek()];
    void this.focusedDetails.find(selected ?? hovered, selected !== null);
    void this.hoveredDetails.find(selected && !sameObject(hovered, selected) ? hovered : null, false);
  }
}

/** Details of one object at a time, requested where missing. Late responses are dropped. */
class LatestDetails {
  readonly current = signal<FocusedObject | undefined>(undefined);
  private ref: ObjectRef | null = null;
  private isSelected = false;
  private pending: AbortController | undefined;

  constructor(private readonly options: ObjectFocusOptions) {}

  async find(ref: LocatedObject | null, isSelected: boolean): Promise<void> {
    if (sameObject(ref, this.ref) && isSelected === this.isSelected) return;
    this.ref = ref;
    this.isSelected = isSelected;
    this.pending?.abort();
    if (!ref) this.current.value = undefined;
    else if (ref.details) this.arrived(ref.details);
    else await this.request(ref);
  }

  /** Requests the object's current details. */
  async requestAgain(): Promise<void> {
    if (!this.ref) return;
    this.pending?.abort();
    await this.request(this.ref);
  }

  private async request({ image, object }: ObjectRef): Promise<void> {
    const { panel, failed } = this.options;
    const { signal: abortSignal } = (this.pending = new AbortController());
    try {
      const details = await panel.request('objectDetails', { image, object }, abortSignal);
      if (!abortSignal.aborted) this.arrived(details);
    } catch (error) {
      if (!isCoded(error, 'cancelled')) failed(error);
    }
  }

  private arrived(details: ObjectDetails): void {
    this.options.arrived(details);
    const stack = this.isSelected ? this.options.stack() : undefined;
    this.current.value = { details, selected: this.isSelected, ...(stack && { stack }) };
  }
}
