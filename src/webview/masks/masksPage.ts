import type { ObjectRef } from '../../model/objectRef';
import type { ObjectsOfImage } from '../../model/objectsOfImage';
import type { LinkReport } from '../../model/linkReport';
import { isCoded } from '../../base/errors';
import type { MaskImage, MasksSummary, ObjectDetails, ShownMaskImage } from '../../model/masksSummary';
import type { MasksPageSide, MasksPanelSide, MasksStart, TableFiltered } from '../../protocol/masksPage';
import { unpackJson } from '../../protocol/packedJson';
import type { RpcEndpoint } from '../../protocol/rpc';
import { element, fill } from '../widgets/element';
import { afterPaint } from '../widgets/afterPaint';
import { LiveRegion } from '../widgets/liveRegion';
import { showShortcuts } from '../widgets/shortcutsDialog';
import { PageMessage } from '../page/pageMessage';
import type { PagePort } from '../page/pagePort';
import type { MasksText } from '../page/pageText';
import type { CanvasView } from './stage/canvasView';
import { FileNotice } from './fileNotice';
import { CanvasLabelRenderer } from './labels/canvasLabelRenderer';
import { GlLabelRenderer } from './labels/glLabelRenderer';
import { CurrentImage } from './stage/currentImage';
import { HeldPaint } from './stage/heldPaint';
import { ImageScene } from './stage/imageScene';
import { baseName, ImageStrip } from './strip/imageStrip';
import { InspectorLayout } from './inspector/inspectorLayout';
import { MasksInspector } from './inspector/masksInspector';
import type { MasksLook } from './masksLook';
import { masksKeys } from './masksKeys';
import { MasksMenu } from './masksMenu';
import { masksShortcuts } from './masksShortcuts';
import { MasksStage } from './stage/masksStage';
import { MasksStatus } from './masksStatus';
import { MasksToolbar } from './masksToolbar';
import { hiddenNames, restoreLook, type MasksViewState } from './masksViewState';
import { ObjectColors } from './colors/objectColors';
import { ObjectFocus } from './stage/objectFocus';
import { ObjectPointer } from './stage/objectPointer';
import { ObjectSelection } from './stage/objectSelection';
import { RegionSelection } from './stage/regionSelection';
import { SelectionFollower } from './stage/selectionFollower';
import type { DragTool } from './stage/regionTool';
import { ThemeColors } from './colors/themeColors';
import { Thumbnails } from './strip/thumbnails';
import type { CanvasFrame } from './tiles/tileSurface';
import { saveView } from './viewSaver';

export interface MasksPageParts {
  root: HTMLElement;
  start: MasksStart;
  text: MasksText;
  port: PagePort<MasksViewState>;
  panel: RpcEndpoint<MasksPageSide, MasksPanelSide>;
}

/**
 * The masks page once its archive is open: makes its parts, connects them with each other and with the panel, and lays them
 * out. What they do is in their own files.
 */
export class MasksPage {
  private readonly live = new LiveRegion();
  private readonly theme = new ThemeColors(() => this.canvas.redraw());
  private readonly renderers = {
    gpu: new GlLabelRenderer(() => this.canvas.redraw()),
    canvas: new CanvasLabelRenderer(),
  };
  private readonly colors = new ObjectColors();
  private readonly held = new HeldPaint(() => this.canvas.redraw());
  private readonly thumbnails: Thumbnails;
  private readonly stage: MasksStage;
  private readonly strip: ImageStrip;
  private readonly toolbar: MasksToolbar;
  private readonly status: MasksStatus;
  private readonly notice: FileNotice;
  private readonly inspector: MasksInspector;
  private readonly layout: InspectorLayout;
  private readonly current: CurrentImage;
  private readonly focus: ObjectFocus;
  private readonly objectPointer: ObjectPointer;
  private readonly selection: SelectionFollower;
  private readonly regions: RegionSelection;
  private readonly several = new ObjectSelection(() => this.showSelection());
  private look: MasksLook;
  private masksHidden = false;
  private peeking = false;
  private details: boolean;
  private shown = false;
  private isReading: boolean;
  private imagesDone: [done: number, total: number];
  /** The share of the shown image that was read, 0…1. */
  private share = 0;
  private filtered: TableFiltered | null;

  constructor(private readonly parts: MasksPageParts) {
    const { start, text, port, panel } = parts;
    const { masks, title, hasMasks } = start;
    const saved = port.view;
    const onFailure = (error: unknown) => this.failed(error);
    const scene = () => this.current.scene;
    this.look = restoreLook(saved, masks.classes, start.classColors, start.opacity);
    this.details = saved.details ?? true;
    this.filtered = start.filtered;
    this.isReading = start.isReading ?? false;
    this.imagesDone = [masks.images.filter(image => !image.isPartial).length, masks.images.length];
    this.stage = new MasksStage(
      text,
      {
        label: title,
        help: text.get(hasMasks ? 'canvasHelp' : 'imageHelp'),
        paint: (frame, isNeeded) => this.paint(frame, isNeeded),
        onPoint: at => {
          const { image } = this.current;
          if (image) this.status.setPointer(at, image);
          if (at) scene()?.pointedAt();
          this.objectPointer.point(at);
          this.inspector.point(at);
        },
        onClick: (at, onPanel, how) => void this.objectPointer.click(at, onPanel, how),
        onEnter: (at, add) => void this.objectPointer.click(at, { x: NaN, y: NaN }, { step: true, add }),
        onView: (view, fitted) => {
          this.toolbar.setZoom(view.scale * devicePixelRatio);
          port.updateView({ view: fitted ? null : view });
        },
        ...(hasMasks && { onRegion: (polygon: number[]) => void this.regions.select(polygon) }),
      },
      scene,
      () => this.look.opacity,
    );
    this.stage.minimapEnabled = saved.minimap ?? true;
    this.thumbnails = new Thumbnails(panel, this.colors, this.look);
    this.strip = new ImageStrip({
      images: masks.images,
      hasMasks,
      text,
      thumbnails: this.thumbnails,
      sort: saved.imageSort ?? 'archive',
      filter: saved.imageFilter ?? '',
      onOrder: (imageSort, imageFilter) => {
        port.updateView({ imageSort, imageFilter });
        this.showPlace();
      },
      onSelect: position => this.current.show(position),
      onOpen: open => this.toolbar.setListOpen(open),
    });
    this.toolbar = new MasksToolbar({
      text,
      title,
      imageCount: masks.images.length,
      hasMasks,
      onImage: step => this.showNeighbor(step),
      onList: () => this.strip.setOpen(!this.strip.isOpen),
      onZoom: factor => this.canvas.zoomBy(factor),
      onFit: () => this.canvas.fit(),
      onActualSize: () => this.canvas.actualSize(),
      onMasks: () => this.setMasksHidden(!this.masksHidden),
      onDetails: () => this.setDetails(!this.details),
      onTable: () => panel.send('showTable', {}),
      onTool: tool => this.setTool(tool),
      onSave: () => void this.save(),
      onExport: () => panel.send('exportMasks', {}),
    });
    this.status = new MasksStatus(text, hasMasks);
    this.notice = new FileNotice(text, () => panel.send('reloadFile', {}));
    this.notice.show(start.fileChange ?? null);
    this.inspector = new MasksInspector({
      start,
      text,
      panel,
      saved,
      onView: view => port.updateView(view),
      look: () => this.look,
      onLook: change => this.changeLook(change),
      onScale: scale => {
        this.thumbnails.setRange(scale?.range);
        this.stage.colorBar.show(scale);
      },
      onPixelSize: pixelSize => this.stage.setPixelSize(pixelSize),
      onBackgroundImage: image => this.thumbnails.setBackgroundOpened(image),
      onValues: values => this.status.setValues(values),
      onExportSelected: () => this.exportSelected(),
      onClearSelection: () => this.clearSelection(),
      onFailure,
    });
    this.layout = new InspectorLayout({
      text,
      stage: this.stage.root,
      inspector: this.inspector.root,
      sizes: saved.inspectorSizes ?? {},
      onSizes: inspectorSizes => port.updateView({ inspectorSizes }),
    });
    this.current = new CurrentImage({
      images: masks.images,
      makeScene: image => this.makeScene(image),
      onImage: (image, position) => this.showImage(image, position),
      onScene: (shown, image, view) => {
        this.held.begin();
        shown.setSelection(this.several.of(image.index));
        this.inspector.setImage(image, shown);
        this.stage.setImage(image, view);
      },
      onObjects: () => {
        this.showReading();
        this.refreshCount();
        if (this.current.image) this.describe(this.current.image);
        this.selection.reveal();
      },
      onFiltered: () => {
        this.refreshCount();
        this.inspector.showTotals();
      },
      onLoaded: shown => this.inspector.loaded(shown),
      onLoadFailure: error => {
        this.failed(error);
        // That it failed is what there is to see.
        this.reportShown();
      },
    });
    this.focus = new ObjectFocus({
      panel,
      onChange: () => this.canvas.redraw(),
      onDetails: (details, selected) => this.showObject(details, selected),
      onBeside: details => {
        if (details) this.selection.detailsArrived(details);
        this.status.setHovered(details);
      },
      onFailure,
    });
    this.objectPointer = new ObjectPointer({
      panel,
      focus: this.focus,
      selection: this.several,
      scene,
      onFailure,
    });
    this.selection = new SelectionFollower({
      focus: this.focus,
      selection: this.several,
      pointer: this.objectPointer,
      current: this.current,
      canvas: this.canvas,
    });
    this.regions = new RegionSelection({
      panel,
      text,
      scene,
      selection: this.several,
      onSelected: words => {
        this.status.setSelected(words);
        this.live.say(words);
      },
      onFailure,
    });
  }

  /** Lays out the page and opens the first image, or the one that was shown last. */
  show(): void {
    const { root, start, text, port, panel } = this.parts;
    const { masks, link, hovered, selected } = start;
    const { images } = masks;
    this.thumbnails.setFiltered(this.filtered !== null);
    // Without masks it may be that nothing is ever painted whole.
    if (!start.hasMasks) this.thumbnails.begin();
    const body = element('div', { class: 'masks-body' });
    fill(body, images.length > 1 && this.strip.root, this.layout.root);
    fill(root, this.toolbar.root, this.notice.root, body, this.status.root, this.live.root);
    panel.send('visibility', { hiddenClasses: [...this.look.hidden] });
    if (link) this.setLink(link);
    this.status.setFilter(this.filtered);
    this.refreshToolbar();
    this.setDetails(this.details);
    this.listen();
    if (images.length === 0) {
      this.showMessage('noImages', text.get('noImagesHint'));
      return;
    }
    const saved = images.findIndex(image => image.id === port.view.image);
    const view = port.view.view ?? undefined;
    const first = selected ? this.current.positionOf(selected) : saved;
    this.current.show(Math.max(0, first), saved >= 0 && first === saved ? view : undefined);
    this.focus.showHovered(hovered);
    if (selected) this.selection.follow(selected);
  }

  private get canvas(): CanvasView {
    return this.stage.canvas;
  }

  private listen(): void {
    const { panel, port, text } = this.parts;
    const { hasMasks } = this.parts.start;
    const onShortcuts = () => showShortcuts(text.get('shortcuts'), masksShortcuts(text, hasMasks));
    const onSave = () => void this.save();
    panel.on('imagesRead', ({ images, done, total }) => this.imagesRead(unpackJson(images), done, total));
    panel.on('masksRead', masks => this.masksRead(unpackJson(masks)));
    panel.on('link', report => this.setLink(report));
    panel.on('hovered', ref => this.focus.showHovered(ref));
    panel.on('selected', ref => this.selection.follow(ref));
    panel.on('showImage', ({ image }) => this.current.show(this.current.positionOf({ image, object: 0 })));
    panel.on('fileChange', change => this.notice.show(change));
    panel.on('filtered', filtered => void this.setFiltered(filtered, filtered?.shown));
    masksKeys({
      canvas: this.canvas,
      hasMasks,
      onImage: step => this.showNeighbor(step),
      onStyle: () => this.changeLook({ fill: !this.look.fill }),
      onPeek: peeking => {
        this.peeking = peeking;
        this.canvas.redraw();
      },
      onEscape: () => {
        if (this.several.count > 0 || this.canvas.pointer.tool === 'move') this.clearSelection();
        else this.setTool('move');
      },
      onTool: tool => this.setTool(tool),
      onSelectView: () => void this.regions.select(this.canvas.regionInView),
      onMinimap: () => {
        this.stage.minimapEnabled = !this.stage.minimapEnabled;
        port.updateView({ minimap: this.stage.minimapEnabled });
      },
      onSave,
      onShortcuts,
    });
    const menu = new MasksMenu({
      panel,
      canvas: this.canvas,
      current: this.current,
      focus: this.focus,
      pointer: this.objectPointer,
      inspector: this.inspector,
      selected: () => this.selected,
      onExportSelected: () => this.exportSelected(),
      onSave,
      onShortcuts,
      onCopied: () => this.live.say(text.get('measurementsCopied')),
      onFailure: error => this.failed(error),
    });
    panel.on('menuCommand', ({ command }) => menu.run(command));
  }

  /** Everything but the image itself, which comes with its scene. */
  private showImage(image: ShownMaskImage, position: number): void {
    const { port } = this.parts;
    this.inspector.setImage(image, undefined);
    this.layout.setImage(image);
    this.focus.hover(null);
    const name = image.filename || image.id;
    this.strip.setCurrent(position);
    this.toolbar.setImage(baseName(name));
    this.showPlace();
    this.status.setPointer(null, image);
    this.status.setFailure('');
    this.status.setSelected('');
    this.share = 0;
    this.showReading();
    this.refreshCount();
    port.updateView({ image: image.id });
    this.parts.panel.send('inView', { image: image.index });
    this.describe(image);
    if (image.failure) this.showMessage('imageFailed', image.failure.message);
  }

  /** More images were read. All parts of the page share the image objects, which are updated in place. */
  private imagesRead(images: readonly ShownMaskImage[], done: number, total: number): void {
    for (const image of images) this.updateImage(image);
    this.strip.refresh({ sorted: false });
    this.imagesDone = [done, total];
    this.showReading();
  }

  private masksRead({ images, classes, notes }: MasksSummary): void {
    const known = this.parts.start.masks;
    for (const image of images) this.updateImage(image);
    known.classes.forEach((each, at) => (each.count = classes[at]?.count ?? 0));
    known.notes = notes;
    this.isReading = false;
    this.strip.refresh({ sorted: true });
    this.showPlace();
    this.inspector.setRead(notes, this.current.image);
    this.showReading();
    this.refreshCount();
  }

  private updateImage(image: ShownMaskImage): void {
    const known = this.parts.start.masks.images[image.index];
    if (!known) return;
    // The shown image loads its objects by requests of its own.
    const isShown = known === this.current.image && known.isPartial;
    const { objectCount } = known;
    delete known.isPartial;
    Object.assign(known, image, isShown && { objectCount, isPartial: true });
  }

  /** Shows what is still being read: objects of the shown image, else images. */
  private showReading(): void {
    const { text } = this.parts;
    const { image } = this.current;
    const [done, total] = this.imagesDone;
    const ofImage = image?.isPartial
      ? text.get('readingObjects', image.objectCount, text.number(Math.floor(this.share * 100)))
      : '';
    const ofArchive = this.isReading && total > 1 ? text.get('readingImages', done, total) : '';
    this.status.setReading(ofImage || ofArchive);
  }

  private showNeighbor(step: number): void {
    const position = this.strip.neighbor(step);
    if (position !== undefined) this.current.show(position);
  }

  /** Where the image is in the list as it is sorted and filtered. */
  private showPlace(): void {
    const { strip } = this;
    this.toolbar.setPlace({
      place: strip.place,
      count: strip.length,
      isFirst: strip.neighbor(-1) === undefined,
      isLast: strip.neighbor(1) === undefined,
    });
  }

  private describe(image: ShownMaskImage): void {
    const { text, start } = this.parts;
    const name = image.filename || image.id;
    const isCounted = start.hasMasks && !image.isPartial;
    this.canvas.describe(
      isCounted ? text.get('canvasLabel', name, image.objectCount) : text.get('imageLabel', name),
    );
  }

  private makeScene(image: MaskImage): ImageScene {
    return new ImageScene(image, {
      panel: this.parts.panel,
      renderers: this.renderers,
      colors: this.colors,
      theme: this.theme,
      look: this.look,
      hasMasks: this.parts.start.hasMasks,
      isFiltered: () => this.filtered !== null,
      onChange: () => this.canvas.redraw(),
      onPart: share => {
        this.share = share;
        this.showReading();
      },
      onFailure: error => this.failed(error),
    });
  }

  private async setFiltered(filtered: TableFiltered | null, sent?: TableFiltered['shown']): Promise<void> {
    this.filtered = filtered;
    this.status.setFilter(filtered);
    if (!filtered) this.status.setSelected('');
    try {
      await this.current.applyFilter(sent);
    } catch (error) {
      this.failed(error);
    }
    // The image shown does not wait for those that are only listed.
    await afterPaint();
    if (this.filtered === filtered) this.thumbnails.setFiltered(filtered !== null);
  }

  private showObject(details: ObjectDetails | undefined, selected: boolean): void {
    const stack = selected ? this.objectPointer.stack : undefined;
    // First, since it requests the masks in view.
    if (details) this.selection.detailsArrived(details);
    this.inspector.showObject(details, selected, stack);
    if (!details || !selected) return;
    const { text } = this.parts;
    this.live.say(text.get('selectedAnnounce', String(details.id), details.className));
  }

  /** Whether the frame was painted. */
  private paint(frame: CanvasFrame, isNeeded: boolean): boolean {
    const { scene, image } = this.current;
    if (!scene || !image) return false;
    const masksShown = !this.masksHidden && !this.peeking;
    if (!this.held.allows(() => isNeeded || !masksShown || scene.isReady(frame))) return false;
    const here = (ref: ObjectRef | null) => (ref && ref.image === image.index ? ref.object : null);
    const complete = scene.paint(frame, {
      hovered: here(this.focus.hovered),
      selected: here(this.focus.selected),
      masksShown,
    });
    if (complete) this.reportShown();
    return true;
  }

  private reportShown(): void {
    if (this.shown) return;
    this.shown = true;
    this.thumbnails.begin();
    requestAnimationFrame(() => this.parts.panel.send('shown', {}));
  }

  private changeLook(change: Partial<MasksLook>): void {
    const { start, port, panel } = this.parts;
    this.look = { ...this.look, ...change };
    const { fill: filled, opacity, hidden } = this.look;
    if (change.hidden) panel.send('visibility', { hiddenClasses: [...hidden] });
    this.current.scene?.setLook(this.look);
    this.thumbnails.setLook(this.look);
    port.updateView({ fill: filled, opacity, hidden: hiddenNames(hidden, start.masks.classes) });
    this.refreshToolbar();
    this.refreshCount();
  }

  /** Several selected objects, or else the one that is. */
  private get selected(): ObjectsOfImage[] {
    const { selected } = this.focus;
    if (this.several.count > 0 || !selected) return this.several.all;
    return [{ image: selected.image, objects: [selected.object] }];
  }

  private showSelection(): void {
    const { scene, image } = this.current;
    if (image) scene?.setSelection(new Set(this.several.of(image.index)));
    this.inspector.setSelection(this.several.all);
    const { count } = this.several;
    this.live.say(count > 0 ? this.parts.text.count('selectionOf', count) : '');
  }

  private clearSelection(): void {
    this.several.clear();
    this.focus.select(null);
    this.status.setSelected('');
  }

  private exportSelected(): void {
    const selection = this.selected.map(({ image, objects }) => ({ image, objects: [...objects] }));
    if (selection.length > 0) this.parts.panel.send('exportSelected', { selection });
  }

  private setTool(tool: DragTool): void {
    this.canvas.pointer.tool = tool;
    this.toolbar.setTool(tool);
  }

  private setMasksHidden(hidden: boolean): void {
    this.masksHidden = hidden;
    this.refreshToolbar();
    this.canvas.redraw();
  }

  private setDetails(details: boolean): void {
    this.details = details;
    this.layout.shown = details;
    this.parts.port.updateView({ details });
    this.refreshToolbar();
  }

  private setLink(report: LinkReport): void {
    this.status.setLink(report);
    this.inspector.setLink(report);
    // Which rows are whose has changed, and with it which objects the table's filter lets through.
    void this.setFiltered(this.filtered);
  }

  private async save(): Promise<void> {
    const { text, panel, start } = this.parts;
    const { image } = this.current;
    if (!image) return;
    try {
      const saved = await saveView(panel, image, await this.stage.capture(), start.hasMasks);
      if (saved !== null) this.live.say(text.get('viewSaved', saved));
    } catch (error) {
      this.failed(error, 'saveFailed');
    }
  }

  private refreshToolbar(): void {
    this.inspector.setLook(this.look);
    this.toolbar.setLook({ masks: !this.masksHidden, details: this.details });
  }

  private refreshCount(): void {
    const { image, scene } = this.current;
    if (image) this.status.setImage(image, scene?.shownCount ?? image.objectCount);
  }

  private showMessage(title: 'noImages' | 'imageFailed', hint: string): void {
    const { text } = this.parts;
    const message = new PageMessage(text);
    message.empty('file-media', text.get(title), hint);
    // Where it has no room it is scrolled, by keys too.
    message.root.tabIndex = 0;
    this.stage.showInstead(message.root);
    this.reportShown();
  }

  private failed(error: unknown, key: 'loadFailed' | 'saveFailed' = 'loadFailed'): void {
    if (isCoded(error, 'cancelled')) return;
    const reason = error instanceof Error ? error.message : String(error);
    const { text, panel } = this.parts;
    panel.send('failure', { message: reason });
    this.status.setFailure(text.get(key, reason));
  }
}
