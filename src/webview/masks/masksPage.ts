import { isCoded } from '../../base/errors';
import type { LinkReport } from '../../protocol/linkEngine';
import type { MaskImage } from '../../formats/masksSummary';
import type { ObjectDetails, ObjectRef } from '../../protocol/masksEngine';
import type { MasksPageSide, MasksPanelSide, MasksStart, TableFiltered } from '../../protocol/masksPage';
import type { RpcEndpoint } from '../../protocol/rpc';
import { element, fill, setAttribute } from '../element';
import { LiveRegion } from '../liveRegion';
import { PageMessage } from '../pageMessage';
import type { PagePort } from '../pagePort';
import type { PageText } from '../pageText';
import type { CanvasView } from './canvasView';
import { GlLabelPainter } from './glLabelPainter';
import { ImageScene } from './imageScene';
import { baseName, ImageStrip } from './imageStrip';
import { MasksInspector } from './masksInspector';
import type { MasksLook } from './masksLook';
import { masksKeys } from './masksKeys';
import { MasksStage } from './masksStage';
import { MasksStatus } from './masksStatus';
import { MasksToolbar } from './masksToolbar';
import { hiddenNames, restoreLook, type MasksView } from './masksView';
import { ObjectColours } from './objectColours';
import { ObjectFocus, sameObject } from './objectFocus';
import { ObjectPicker } from './objectPicker';
import { RegionPicker } from './regionPicker';
import type { DragTool } from './regionTool';
import { ThemeColours } from './themeColours';
import { Thumbnails } from './thumbnails';
import type { Frame } from './tileSurface';
import { saveView } from './viewSaver';
import { revealBox } from './viewTransform';

/** The masks page once its archive is open: one image at a time, its classes, and the object in focus. */
export class MasksPage {
  private readonly live = new LiveRegion();
  private readonly theme = new ThemeColours(() => this.canvas.redraw());
  private readonly gpu = new GlLabelPainter(() => this.canvas.redraw());
  private readonly colours = new ObjectColours();
  private readonly thumbnails: Thumbnails;
  private readonly stage: MasksStage;
  private readonly strip: ImageStrip;
  private readonly toolbar: MasksToolbar;
  private readonly status: MasksStatus;
  private readonly inspector: MasksInspector;
  private readonly focus: ObjectFocus;
  private readonly picker: ObjectPicker;
  private readonly regions: RegionPicker;
  private look: MasksLook;
  private scene: ImageScene | undefined;
  private position = -1;
  private masksHidden = false;
  private peeking = false;
  private details: boolean;
  private shown = false;
  private filtered: TableFiltered | null;

  constructor(
    private readonly root: HTMLElement,
    private readonly start: MasksStart,
    private readonly text: PageText,
    private readonly port: PagePort<MasksView>,
    private readonly panel: RpcEndpoint<MasksPageSide, MasksPanelSide>,
  ) {
    const { masks, title } = start;
    const kept = port.view;
    const onFailure = (error: unknown) => this.failed(error);
    const scene = () => this.scene;
    this.look = restoreLook(kept, masks.classes, start.classColours, start.opacity);
    this.details = kept.details ?? true;
    this.filtered = start.filtered;
    this.stage = new MasksStage(
      text,
      {
        label: title,
        help: text.get('canvasHelp'),
        paint: frame => this.paint(frame),
        onPoint: at => {
          if (this.image) this.status.setPointer(at, this.image);
          this.picker.point(at);
          this.inspector.point(at);
        },
        onClick: (at, onPanel, step) => void this.picker.click(at, onPanel, step),
        onEnter: at => void this.picker.click(at, { x: NaN, y: NaN }, true),
        onView: (view, fitted) => {
          this.toolbar.setZoom(view.scale * devicePixelRatio);
          port.keepView({ view: fitted ? null : view });
        },
        onRegion: polygon => void this.regions.pick(polygon),
      },
      scene,
      () => this.look.opacity,
    );
    this.stage.minimapEnabled = kept.minimap ?? true;
    this.thumbnails = new Thumbnails(panel, this.colours, this.look);
    this.strip = new ImageStrip(
      masks.images,
      text,
      this.thumbnails,
      position => this.showImage(position),
      open => this.toolbar.setListOpen(open),
    );
    this.toolbar = new MasksToolbar({
      text,
      title,
      imageCount: masks.images.length,
      onImage: step => this.showImage(this.position + step),
      onList: () => this.strip.setOpen(!this.strip.isOpen),
      onZoom: factor => this.canvas.zoomBy(factor),
      onFit: () => this.canvas.fit(),
      onActualSize: () => this.canvas.actualSize(),
      onMasks: () => this.setMasksHidden(!this.masksHidden),
      onDetails: () => this.setDetails(!this.details),
      onTable: () => panel.send('showTable', {}),
      onTool: tool => this.setTool(tool),
      onSave: () => void this.save(),
    });
    this.status = new MasksStatus(text);
    this.inspector = new MasksInspector({
      start,
      text,
      panel,
      kept,
      keep: view => port.keepView(view),
      look: () => this.look,
      onLook: change => this.changeLook(change),
      onRange: range => this.thumbnails.setRange(range),
      onPixelSize: pixelSize => this.stage.setPixelSize(pixelSize),
      onValues: values => this.status.setValues(values),
      onFailure,
    });
    this.focus = new ObjectFocus({
      panel,
      onChange: () => this.canvas.redraw(),
      onDetails: (details, selected) => this.showObject(details, selected),
      onFailure,
    });
    this.picker = new ObjectPicker({ panel, focus: this.focus, scene, onFailure });
    this.regions = new RegionPicker({
      panel,
      text,
      scene,
      onPicked: words => {
        this.status.setPicked(words);
        this.live.say(words);
      },
      onFailure,
    });
  }

  /** Lays out the page and opens the first image, or the one that was shown last. */
  show(): void {
    const { masks, link, hovered, selected } = this.start;
    const { images } = masks;
    this.thumbnails.setFiltered(this.filtered !== null);
    const body = element('div', { class: 'masks-body' });
    fill(body, images.length > 1 && this.strip.root, this.stage.root, this.inspector.root);
    fill(this.root, this.toolbar.root, body, this.status.root, this.live.root);
    this.panel.send('visibility', { hiddenClasses: [...this.look.hidden] });
    if (link) this.setLink(link);
    this.status.setFilter(this.filtered);
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
    this.showImage(Math.max(0, first), kept >= 0 && first === kept ? view : undefined);
    this.focus.heardHover(hovered);
    if (selected) void this.heardSelect(selected);
  }

  private get canvas(): CanvasView {
    return this.stage.canvas;
  }

  private get image(): MaskImage | undefined {
    return this.start.masks.images[this.position];
  }

  private listen(): void {
    this.panel.on('link', report => this.setLink(report));
    this.panel.on('hovered', ref => this.focus.heardHover(ref));
    this.panel.on('selected', ref => void this.heardSelect(ref));
    this.panel.on('filtered', filtered => void this.setFiltered(filtered));
    masksKeys({
      canvas: this.canvas,
      onImage: step => this.showImage(this.position + step),
      onStyle: () => this.changeLook({ fill: !this.look.fill }),
      onPeek: peeking => {
        this.peeking = peeking;
        this.canvas.redraw();
      },
      onEscape: () => {
        if (this.canvas.tool === 'move') this.focus.select(null);
        else this.setTool('move');
      },
      onTool: tool => this.setTool(tool),
      onPickView: () => void this.regions.pick(this.canvas.regionInView),
      onMinimap: () => {
        this.stage.minimapEnabled = !this.stage.minimapEnabled;
        this.port.keepView({ minimap: this.stage.minimapEnabled });
      },
      onSave: () => void this.save(),
    });
  }

  private showImage(position: number, view?: MasksView['view']): void {
    const image = this.start.masks.images[position];
    if (!image || position === this.position) return;
    this.position = position;
    this.scene?.dispose();
    this.scene = undefined;
    this.inspector.setImage(image, undefined);
    this.focus.hover(null);
    const name = image.filename || image.id;
    this.toolbar.setImage(baseName(name), position);
    this.strip.setCurrent(position);
    this.status.setPointer(null, image);
    this.status.setFailure('');
    this.status.setPicked('');
    this.refreshCount();
    this.port.keepView({ image: image.id });
    this.canvas.describe(this.text.get('canvasLabel', name, image.objectCount));
    if (image.failure) {
      this.showMessage('imageFailed', image.failure.message);
      return;
    }
    this.scene = new ImageScene(image, {
      panel: this.panel,
      gpu: this.gpu,
      colours: this.colours,
      theme: this.theme,
      look: this.look,
      onChange: () => this.canvas.redraw(),
      onFailure: error => this.failed(error),
    });
    this.inspector.setImage(image, this.scene);
    this.stage.setImage(image, view ?? undefined);
    void this.load(this.scene);
  }

  /** Objects first: they are what the page is for. */
  private async load(scene: ImageScene): Promise<void> {
    try {
      await scene.load();
      if (scene !== this.scene) return;
      this.revealSelected();
      await this.applyFilter(scene);
      if (scene !== this.scene) return;
      await this.inspector.loaded(scene);
    } catch (error) {
      if (scene !== this.scene) return;
      this.failed(error);
      // That it failed is what there is to see.
      this.tellShown();
    }
  }

  private async setFiltered(filtered: TableFiltered | null): Promise<void> {
    this.filtered = filtered;
    this.thumbnails.setFiltered(filtered !== null);
    this.status.setFilter(filtered);
    if (!filtered) this.status.setPicked('');
    if (!this.scene) return;
    try {
      await this.applyFilter(this.scene);
    } catch (error) {
      this.failed(error);
    }
  }

  /** Only objects whose rows the table shows are painted. */
  private async applyFilter(scene: ImageScene): Promise<void> {
    await scene.applyFilter();
    if (scene === this.scene) this.refreshCount();
  }

  private showObject(details: ObjectDetails | undefined, selected: boolean): void {
    const stack = selected ? this.picker.stack : undefined;
    this.inspector.showObject(details, selected, stack);
    if (details && selected)
      this.live.say(this.text.get('selectedAnnounce', String(details.id), details.className));
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
    const { fill: filled, opacity, hidden } = this.look;
    if (change.hidden) this.panel.send('visibility', { hiddenClasses: [...hidden] });
    this.scene?.setLook(this.look);
    this.thumbnails.setLook(this.look);
    this.port.keepView({ fill: filled, opacity, hidden: hiddenNames(hidden, this.start.masks.classes) });
    this.refreshToolbar();
    this.refreshCount();
  }

  private setTool(tool: DragTool): void {
    this.canvas.tool = tool;
    this.toolbar.setTool(tool);
  }

  private setMasksHidden(hidden: boolean): void {
    this.masksHidden = hidden;
    this.refreshToolbar();
    this.canvas.redraw();
  }

  private setDetails(details: boolean): void {
    this.details = details;
    setAttribute(this.inspector.root, 'hidden', !details);
    this.port.keepView({ details });
    this.refreshToolbar();
  }

  private setLink(report: LinkReport): void {
    this.status.setLink(report);
    this.inspector.setLink(report);
    // Which rows are whose has changed, and with it which objects the table's filter lets through.
    void this.setFiltered(this.filtered);
  }

  private async save(): Promise<void> {
    const { image } = this;
    if (!image) return;
    try {
      const saved = await saveView(this.panel, image, await this.stage.capture());
      if (saved !== null) this.live.say(this.text.get('viewSaved', saved));
    } catch (error) {
      this.failed(error);
    }
  }

  private refreshToolbar(): void {
    this.inspector.setLook(this.look);
    this.toolbar.setLook({ masks: !this.masksHidden, details: this.details });
  }

  private refreshCount(): void {
    if (this.image) this.status.setImage(this.image, this.scene?.shownCount ?? this.image.objectCount);
  }

  private showMessage(title: string, hint: string): void {
    const message = new PageMessage(this.text);
    message.empty('file-media', this.text.get(title), hint);
    this.stage.showInstead(message.root);
    this.tellShown();
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
