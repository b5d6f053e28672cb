import type { MasksText } from '../../../pages/page/pageText';
import { Divider } from '../../../pages/page/widgets/divider';
import { element, fill, setAttribute } from '../../../pages/page/widgets/element';
import { inspectorPlace, type InspectorSizes, isBeside } from '../state/inspectorPlace';
import type { Extent } from '../tiles/viewTransform';

interface InspectorLayoutOptions {
  text: MasksText;
  stage: HTMLElement;
  inspector: HTMLElement;
  sizes: InspectorSizes;
  onSizes: (sizes: InspectorSizes) => void;
}

/** Lays the image and the inspector beside or below each other, with a divider between them. */
export class InspectorLayout {
  readonly root: HTMLElement;
  private readonly side: HTMLElement;
  private readonly divider: Divider;
  private sizes: InspectorSizes;
  private beside = true;
  private image: Extent | undefined;

  constructor(private readonly options: InspectorLayoutOptions) {
    const { text, stage, inspector } = options;
    this.sizes = options.sizes;
    inspector.id = 'inspector';
    this.divider = new Divider({
      label: text.get('resizeDetails'),
      controls: inspector.id,
      onResize: size => this.resize(size),
      onReset: () => this.resize(undefined),
    });
    this.root = element('div', { class: 'masks-split' });
    this.side = element('aside', { class: 'inspector-side', 'aria-label': text.get('details') });
    fill(this.side, this.divider.root, inspector);
    fill(this.root, stage, this.side);
    new ResizeObserver(() => this.place()).observe(this.root);
  }

  /** Another image: its shape says where the inspector leaves more of it. */
  setImage(image: Extent): void {
    this.image = image;
    this.place();
  }

  set shown(shown: boolean) {
    setAttribute(this.side, 'hidden', !shown);
  }

  private resize(size: number | undefined): void {
    const within = size === undefined ? undefined : this.limited(size);
    this.sizes = { ...this.sizes, [this.beside ? 'width' : 'height']: within };
    this.options.onSizes(this.sizes);
    this.show();
  }

  private limited(size: number): number {
    return inspectorPlace(this.room, this.beside, { width: size, height: size }).size;
  }

  private get room(): Extent {
    return { width: this.root.clientWidth, height: this.root.clientHeight };
  }

  private place(): void {
    const { room, image } = this;
    if (room.width === 0 || room.height === 0) return;
    if (image) this.beside = isBeside(room, image, this.beside);
    this.show();
  }

  private show(): void {
    const { inspector } = this.options;
    const place = inspectorPlace(this.room, this.beside, this.sizes);
    this.root.classList.toggle('below', !place.beside);
    inspector.style.width = place.beside ? `${place.size}px` : '';
    inspector.style.height = place.beside ? '' : `${place.size}px`;
    this.divider.show(place);
  }
}
