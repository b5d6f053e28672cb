import type { FoundObject, MaskImage, ObjectDetails } from '../masksSummary';
import { sameObject, type ObjectRef } from '../objectRef';
import type { ObjectsOfImage } from '../objectsOfImage';
import type { MasksPageSide, MasksPanelSide } from '../masksPage';
import type { RpcEndpoint } from '../../protocol/rpc';
import type { LiveRegion } from '../../pages/page/widgets/liveRegion';
import type { PagePort } from '../../pages/page/pagePort';
import type { MasksText } from '../../pages/page/pageText';
import type { MasksInspector } from './inspector/masksInspector';
import type { MasksStatus } from './masksStatus';
import type { MasksViewState } from './masksViewState';
import type { CanvasView } from './stage/canvasView';
import type { CurrentImage } from './stage/currentImage';
import type { Marks } from './stage/imageScene';
import { ObjectFocus } from './stage/objectFocus';
import { ObjectPointer } from './stage/objectPointer';
import { ObjectSelection } from './stage/objectSelection';
import { RegionSelection } from './stage/regionSelection';
import { restoredSelection, savedSelection } from './stage/savedSelection';
import { SelectionFollower } from './stage/selectionFollower';
import type { Point } from './stage/viewTransform';

export interface MasksSelectionParts {
  images: readonly MaskImage[];
  port: PagePort<MasksViewState>;
  panel: RpcEndpoint<MasksPageSide, MasksPanelSide>;
  text: MasksText;
  canvas: CanvasView;
  current: CurrentImage;
  inspector: MasksInspector;
  status: MasksStatus;
  live: LiveRegion;
  onFailure: (error: unknown) => void;
}

/**
 * Which object is pointed at and which are selected, by the pointer, by a region or elsewhere; shown on the image, in the
 * inspector and in the status line, and said to screen readers.
 */
export class MasksSelection {
  readonly focus: ObjectFocus;
  readonly pointer: ObjectPointer;
  private readonly several = new ObjectSelection(() => this.severalChanged());
  private readonly follower: SelectionFollower;
  private readonly regions: RegionSelection;
  /** The selected object that was said last. */
  private announced: ObjectRef | null = null;

  constructor(private readonly parts: MasksSelectionParts) {
    const { panel, text, canvas, current, status, live, onFailure } = parts;
    const scene = () => current.scene;
    this.focus = new ObjectFocus({
      panel,
      onChange: () => {
        canvas.redraw();
        this.save();
      },
      onDetails: (details, selected) => this.showObject(details, selected),
      onBeside: details => {
        if (details) this.follower.detailsArrived(details);
        status.setHovered(details);
      },
      onFailure,
    });
    this.pointer = new ObjectPointer({
      panel,
      focus: this.focus,
      selection: this.several,
      scene,
      onFailure,
    });
    this.follower = new SelectionFollower({
      focus: this.focus,
      selection: this.several,
      pointer: this.pointer,
      current,
      canvas,
    });
    this.regions = new RegionSelection({
      panel,
      text,
      scene,
      selection: this.several,
      onSelected: words => {
        status.setSelected(words);
        live.say(words);
      },
      onFailure,
    });
  }

  /** Several selected objects, or else the one that is. */
  get objects(): ObjectsOfImage[] {
    const { selected } = this.focus;
    if (this.several.count > 0 || !selected) return this.several.all;
    return [{ image: selected.image, objects: [selected.object] }];
  }

  /** Whether several objects are selected together. */
  get hasSeveral(): boolean {
    return this.several.count > 0;
  }

  /** Those of an image that are selected together. */
  of(image: MaskImage): ReadonlySet<number> {
    return this.several.of(image.index);
  }

  /** What is to be marked on an image. */
  marksOf(image: MaskImage): Omit<Marks, 'masksShown'> {
    const here = (ref: ObjectRef | null) => (ref && ref.image === image.index ? ref.object : null);
    return { hovered: here(this.focus.hovered), selected: here(this.focus.selected) };
  }

  /** Selects the object at a point of the image, and at the point `onPanel` of the panel, as ObjectPointer says. */
  click(at: Point, onPanel: Point, how: { step: boolean; add: boolean }): void {
    this.regions.cancel();
    void this.pointer.click(at, onPanel, how);
  }

  /** Selects the shown objects inside a region: corners x, y in turn, in image pixels. */
  selectRegion(polygon: number[]): void {
    void this.regions.select(polygon);
  }

  /** Selected elsewhere: shows its image, and brings it into view. */
  follow(ref: FoundObject | null): void {
    this.follower.follow(ref);
  }

  /** Whether an object is the one that was selected when the page was left. */
  isAsLeft(selected: ObjectRef | null): boolean {
    return sameObject(selected, this.parts.port.view.selected ?? null);
  }

  /** Selects an object, and those that were selected together when the page was left. The view stays if it is `asLeft`. */
  restore(selected: ObjectRef | null, asLeft: boolean): void {
    const { images, port } = this.parts;
    this.several.restore(restoredSelection(port.view.several ?? [], images));
    if (selected && asLeft) this.follower.restore(selected);
    else if (selected) this.follow(selected);
    if (this.hasSeveral) this.showSeveral();
  }

  /** Brings the selected object into view, if its image is shown. */
  reveal(): void {
    this.follower.reveal();
  }

  /** Rows and objects were linked: the objects in focus may have other rows. */
  linked(): void {
    this.focus.linked();
  }

  clear(): void {
    this.regions.cancel();
    this.several.clear();
    this.focus.select(null);
    this.parts.status.setSelected('');
  }

  /** Lets the user export the selected objects alone. */
  exportSelected(): void {
    const selection = this.objects.map(({ image, objects }) => ({ image, objects: [...objects] }));
    if (selection.length > 0) this.parts.panel.send('exportSelected', { selection });
  }

  private showObject(details: ObjectDetails | undefined, selected: boolean): void {
    const { inspector, live, text } = this.parts;
    const stack = selected ? this.pointer.stack : undefined;
    // First, since it requests the masks in view.
    if (details) this.follower.detailsArrived(details);
    inspector.showObject(details, selected, stack);
    const announced = selected ? (details ?? null) : null;
    if (details && announced && !sameObject(announced, this.announced))
      live.say(text.get('selectedAnnounce', String(details.id), details.className));
    this.announced = announced;
  }

  private save(): void {
    const { port } = this.parts;
    const { selected } = this.focus;
    if (this.isAsLeft(selected)) return;
    port.updateView({ selected: selected && { image: selected.image, object: selected.object } });
  }

  private severalChanged(): void {
    const { images, port, live, text } = this.parts;
    this.showSeveral();
    port.updateView({ several: savedSelection(this.several.all, images) });
    const { count } = this.several;
    live.say(count > 0 ? text.count('selectionOf', count) : '');
  }

  private showSeveral(): void {
    const { current, inspector } = this.parts;
    const { scene, image } = current;
    if (image) scene?.setSelection(new Set(this.several.of(image.index)));
    inspector.setSelection(this.several.all);
  }
}
