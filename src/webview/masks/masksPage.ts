import { isCoded } from '../../base/errors';
import type { LinkReport } from '../../protocol/linkEngine';
import type { MaskImage, ObjectRef } from '../../protocol/masksEngine';
import type { MasksPageSide, MasksPanelSide, MasksStart, PicturePairing } from '../../protocol/masksPage';
import type { RpcEndpoint } from '../../protocol/rpc';
import { element, fill, setAttribute } from '../element';
import { LiveRegion } from '../liveRegion';
import { PageMessage } from '../pageMessage';
import type { PagePort } from '../pagePort';
import type { PageText } from '../pageText';
import { ArchiveSection } from './archiveSection';
import { CanvasView } from './canvasView';
import { ClassLegend } from './classLegend';
import { ImageScene } from './imageScene';
import { baseName, ImageStrip } from './imageStrip';
import type { MasksLook } from './masksLook';
import { masksKeys } from './masksKeys';
import { MasksStatus } from './masksStatus';
import { MasksToolbar } from './masksToolbar';
import { changedColours, hiddenNames, restoreLook, type MasksView } from './masksView';
import { ObjectFocus, sameObject } from './objectFocus';
import { ObjectPicker } from './objectPicker';
import { ObjectSection } from './objectSection';
import { opacitySlider } from './opacitySlider';
import { PictureSection } from './pictureSection';
import { StyleChoice } from './styleChoice';
import { ThemeColours } from './themeColours';
import type { Frame } from './tileSurface';
import { revealBox } from './viewTransform';

/** The masks page once its archive is open: one image at a time, its classes, and the object in focus. */
export class MasksPage {
  private readonly live = new LiveRegion();
  private readonly theme = new ThemeColours(() => this.canvas.redraw());
  private readonly canvas: CanvasView;
  private readonly strip: ImageStrip;
  private readonly toolbar: MasksToolbar;
  private readonly status: MasksStatus;
  private readonly legend: ClassLegend;
  private readonly styleChoice: StyleChoice;
  private readonly objectSection: ObjectSection;
  private readonly pictureSection: PictureSection;
  private readonly archiveSection: ArchiveSection;
  private readonly focus: ObjectFocus;
  private readonly picker: ObjectPicker;
  private readonly stage = element('main', { class: 'stage' });
  private readonly inspector = element('aside', { class: 'inspector' });
  private look: MasksLook;
  private scene: ImageScene | undefined;
  private position = -1;
  private pairing: PicturePairing | undefined;
  private masksHidden = false;
  private peeking = false;
  private details: boolean;
  private stretched: boolean;
  private shown = false;

  constructor(
    private readonly root: HTMLElement,
    private readonly start: MasksStart,
    private readonly text: PageText,
    private readonly port: PagePort<MasksView>,
    private readonly panel: RpcEndpoint<MasksPageSide, MasksPanelSide>,
  ) {
    const { masks, title } = start;
    const kept = port.view;
    this.look = restoreLook(kept, masks.classes, start.opacity);
    this.details = kept.details ?? true;
    this.stretched = kept.stretched ?? false;
    this.canvas = new CanvasView({
      label: title,
      help: text.get('canvasHelp'),
      paint: frame => this.paint(frame),
      onPoint: at => {
        if (this.image) this.status.setPointer(at, this.image);
        this.picker.point(at);
      },
      onClick: (at, onPanel, step) => void this.picker.click(at, onPanel, step),
      onEnter: at => void this.picker.click(at, { x: NaN, y: NaN }, true),
      onView: (view, fitted) => {
        this.toolbar.setZoom(view.scale * devicePixelRatio);
        port.keepView({ view: fitted ? null : view });
      },
    });
    this.strip = new ImageStrip(masks.images, text, position => this.showImage(position));
    this.toolbar = new MasksToolbar({
      text,
      title,
      imageCount: masks.images.length,
      onImage: step => this.showImage(this.position + step),
      onZoom: factor => this.canvas.zoomBy(factor),
      onFit: () => this.canvas.fit(),
      onActualSize: () => this.canvas.actualSize(),
      onMasks: () => this.setMasksHidden(!this.masksHidden),
      onDetails: () => this.setDetails(!this.details),
      onTable: () => panel.send('showTable', {}),
    });
    this.status = new MasksStatus(text);
    this.legend = new ClassLegend({
      classes: masks.classes,
      colours: this.look.colours,
      hidden: this.look.hidden,
      text,
      onColour: (at, colour) =>
        this.changeLook({ colours: this.look.colours.map((each, i) => (i === at ? colour : each)) }),
      onHidden: hidden => this.changeLook({ hidden }),
    });
    this.styleChoice = new StyleChoice(text, filled => this.changeLook({ fill: filled }));
    this.objectSection = new ObjectSection(text);
    this.pictureSection = new PictureSection({
      text,
      onConfirm: () => void this.pair('confirmPicture'),
      onChoose: () => void this.pair('choosePicture'),
      onStretch: stretched => this.setStretched(stretched),
    });
    this.archiveSection = new ArchiveSection(text, masks.notes);
    const onFailure = (error: unknown) => this.failed(error);
    this.focus = new ObjectFocus({
      panel,
      onChange: () => this.canvas.redraw(),
      onDetails: (details, selected) => {
        const stack = selected ? this.picker.stack : undefined;
        const colour = details && this.colourOf(details);
        this.objectSection.show(details && colour && { details, selected, colour, ...(stack && { stack }) });
        if (details && selected)
          this.live.say(text.get('selectedAnnounce', String(details.id), details.className));
      },
      onFailure,
    });
    this.picker = new ObjectPicker({ panel, focus: this.focus, scene: () => this.scene, onFailure });
  }

  /** Lays out the page and opens the first image, or the one that was shown last. */
  show(): void {
    const { masks, link, hovered, selected } = this.start;
    const { images } = masks;
    fill(
      this.inspector,
      this.legend.root,
      this.styleChoice.root,
      opacitySlider(this.text, this.look.opacity, opacity => this.changeLook({ opacity })),
      this.objectSection.root,
      this.pictureSection.root,
      this.archiveSection.root,
    );
    this.inspector.setAttribute('aria-label', this.text.get('details'));
    const body = element('div', { class: 'masks-body' });
    fill(body, images.length > 1 && this.strip.root, this.stage, this.inspector);
    fill(this.root, this.toolbar.root, body, this.status.root, this.live.root);
    if (link) this.setLink(link);
    this.refreshToolbar();
    this.setDetails(this.details);
    this.listen();
    if (images.length === 0) {
      this.showMessage('noImages', this.text.get('noImagesHint'));
      return;
    }
    const kept = images.findIndex(image => image.id === this.port.view.image);
    const view = this.port.view.view ?? undefined;
    const first = selected ? this.positionOf(selected) : kept;
    fill(this.stage, this.canvas.canvas);
    this.showImage(Math.max(0, first), kept >= 0 && first === kept ? view : undefined);
    this.focus.heardHover(hovered);
    if (selected) void this.heardSelect(selected);
  }

  private get image(): MaskImage | undefined {
    return this.start.masks.images[this.position];
  }

  private listen(): void {
    this.panel.on('link', report => this.setLink(report));
    this.panel.on('hovered', ref => this.focus.heardHover(ref));
    this.panel.on('selected', ref => void this.heardSelect(ref));
    masksKeys({
      canvas: this.canvas,
      onImage: step => this.showImage(this.position + step),
      onStyle: () => this.changeLook({ fill: !this.look.fill }),
      onPeek: peeking => {
        this.peeking = peeking;
        this.canvas.redraw();
      },
      onEscape: () => this.focus.select(null),
    });
  }

  private showImage(position: number, view?: MasksView['view']): void {
    const image = this.start.masks.images[position];
    if (!image || position === this.position) return;
    this.position = position;
    this.scene?.dispose();
    this.scene = undefined;
    this.pairing = undefined;
    this.focus.hover(null);
    const name = image.filename || image.id;
    this.toolbar.setImage(baseName(name), position);
    this.strip.setCurrent(position);
    this.legend.setCounts(image.classCounts);
    this.archiveSection.setImage(image);
    this.status.setPointer(null, image);
    this.status.setFailure('');
    this.refreshCount();
    this.port.keepView({ image: image.id });
    this.canvas.describe(this.text.get('canvasLabel', name, image.objectCount));
    if (image.failure) {
      this.showMessage('imageFailed', image.failure.message);
      this.pictureSection.root.hidden = true;
      return;
    }
    this.pictureSection.root.hidden = false;
    fill(this.stage, this.canvas.canvas);
    this.scene = new ImageScene(image, {
      panel: this.panel,
      theme: this.theme,
      look: this.look,
      onChange: () => this.canvas.redraw(),
      onFailure: error => this.failed(error),
    });
    this.canvas.setImage(image, view ?? undefined);
    void this.load(this.scene);
  }

  /** Objects first: they are what the page is for. */
  private async load(scene: ImageScene): Promise<void> {
    try {
      await scene.load();
      if (scene !== this.scene) return;
      this.revealSelected();
      await this.pair('picture');
    } catch (error) {
      if (scene !== this.scene) return;
      this.failed(error);
      // That it failed is what there is to see.
      this.tellShown();
    }
  }

  /** Looks for the picture, or lets the user confirm or choose it. */
  private async pair(how: 'picture' | 'confirmPicture' | 'choosePicture'): Promise<void> {
    const { scene, image } = this;
    if (!scene || !image) return;
    if (how === 'picture') this.pictureSection.looking();
    try {
      const pairing = await this.panel.request(how, { image: image.index });
      if (scene !== this.scene) return;
      this.pairing = pairing;
      this.showPairing();
    } catch (error) {
      if (scene !== this.scene) return;
      this.failed(error);
      this.pairing ??= { state: 'missing', how: '' };
      this.showPairing();
    }
  }

  private showPairing(): void {
    const { image, pairing, stretched } = this;
    if (!image || !pairing) return;
    this.pictureSection.show(pairing, image, stretched);
    this.scene?.setPicture(pairing.picture, stretched);
  }

  private setStretched(stretched: boolean): void {
    this.stretched = stretched;
    this.port.keepView({ stretched });
    this.showPairing();
  }

  private async heardSelect(ref: ObjectRef | null): Promise<void> {
    if (sameObject(ref, this.focus.selected)) return;
    this.picker.forget();
    this.focus.heardSelect(ref);
    if (!ref) return;
    this.showImage(this.positionOf(ref));
    this.revealSelected();
  }

  private revealSelected(): void {
    const { selected } = this.focus;
    if (!selected || !this.image || selected.image !== this.image.index) return;
    const box = this.scene?.boxOf(selected.object);
    if (box) this.canvas.moveTo(revealBox(this.canvas.view, this.canvas.size, box, this.image));
  }

  private paint(frame: Frame): void {
    const { scene, image } = this;
    if (!scene || !image) return;
    const here = (ref: ObjectRef | null) => (ref && ref.image === image.index ? ref.object : null);
    const complete = scene.paint(frame, {
      hovered: here(this.focus.hovered),
      selected: here(this.focus.selected),
      masksShown: !this.masksHidden && !this.peeking,
    });
    if (complete) this.tellShown();
  }

  private tellShown(): void {
    if (this.shown) return;
    this.shown = true;
    requestAnimationFrame(() => this.panel.send('shown', {}));
  }

  private changeLook(change: Partial<MasksLook>): void {
    this.look = { ...this.look, ...change };
    const { classes } = this.start.masks;
    const { fill: filled, opacity, hidden, colours } = this.look;
    this.scene?.setLook(this.look);
    this.port.keepView({
      fill: filled,
      opacity,
      hidden: hiddenNames(hidden, classes),
      colours: changedColours(colours, classes),
    });
    this.refreshToolbar();
    this.refreshCount();
  }

  private setMasksHidden(hidden: boolean): void {
    this.masksHidden = hidden;
    this.refreshToolbar();
    this.canvas.redraw();
  }

  private setDetails(details: boolean): void {
    this.details = details;
    setAttribute(this.inspector, 'hidden', !details);
    this.port.keepView({ details });
    this.refreshToolbar();
  }

  private setLink(report: LinkReport): void {
    this.status.setLink(report);
    this.archiveSection.setLink(report);
  }

  private refreshToolbar(): void {
    this.styleChoice.show(this.look.fill);
    this.toolbar.setLook({ masks: !this.masksHidden, details: this.details });
  }

  private refreshCount(): void {
    if (!this.image) return;
    const hiddenCount = [...this.look.hidden].reduce(
      (sum, at) => sum + (this.image?.classCounts[at] ?? 0),
      0,
    );
    this.status.setImage(this.image, this.image.objectCount - hiddenCount);
  }

  private showMessage(title: string, hint: string): void {
    const message = new PageMessage(this.text);
    message.empty('file-media', this.text.get(title), hint);
    fill(this.stage, message.root);
    this.tellShown();
  }

  private colourOf(details: { className: string; object: number; image: number }) {
    const position = this.start.masks.classes.findIndex(each => each.name === details.className);
    return this.look.colours[position] ?? ([160, 160, 160] as const);
  }

  private positionOf(ref: ObjectRef): number {
    return this.start.masks.images.findIndex(image => image.index === ref.image);
  }

  private failed(error: unknown): void {
    if (isCoded(error, 'cancelled')) return;
    const reason = error instanceof Error ? error.message : String(error);
    this.panel.send('failure', { message: reason });
    this.status.setFailure(this.text.get('tilesFailed', reason));
  }
}
