import { isCoded } from '../../base/errors';
import type { PagePort } from '../../pages/page/pagePort';
import type { MasksText } from '../../pages/page/pageText';
import { element, fill, LiveRegion } from '../../pages/page/widgets/element';
import { unpackJson } from '../../protocol/packed';
import type { RpcEndpoint } from '../../protocol/rpc';
import type { MasksPageSide, MasksPanelSide, MasksStart } from '../masksPage';
import type { MasksSummary, ShownMaskImage } from '../masksSummary';
import type { LinkReport } from '../rowLinks';
import { ImageNavigation } from './imageStrip';
import { InspectorLayout } from './inspector/inspectorLayout';
import { MasksInspector } from './inspector/masksInspector';
import { MasksActions } from './masksActions';
import { MasksSelection } from './masksSelection';
import { FileNotice, MasksStatus } from './masksStatus';
import { MasksToolbar } from './masksToolbar';
import type { CanvasView } from './stage/canvasView';
import { CurrentImage, TableFilter } from './stage/currentImage';
import { MasksStage } from './stage/masksStage';
import { ScenePainter } from './stage/scenePainter';
import { ArchiveReading, ImageNames } from './state/listedImages';
import { type MasksLook, ObjectColors } from './state/masksLook';
import { CurrentLook, type MasksViewState, restoreLook } from './state/masksViewState';
import { Thumbnails } from './thumbnails';

interface MasksPageParts {
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
  private readonly look: CurrentLook;
  private readonly painter: ScenePainter;
  private readonly stage: MasksStage;
  private readonly thumbnails: Thumbnails;
  private readonly toolbar: MasksToolbar;
  private readonly names: ImageNames;
  private readonly navigation: ImageNavigation;
  private readonly status: MasksStatus;
  private readonly notice: FileNotice;
  private readonly inspector: MasksInspector;
  private readonly layout: InspectorLayout;
  private readonly current: CurrentImage;
  private readonly reading: ArchiveReading;
  private readonly filter: TableFilter;
  private readonly selection: MasksSelection;
  private readonly actions: MasksActions;
  private details: boolean;
  private shown = false;

  constructor(private readonly parts: MasksPageParts) {
    const { start, text, port, panel } = parts;
    const { masks, hasMasks } = start;
    const onFailure = (error: unknown, key?: 'saveFailed') => this.failed(error, key);
    const colors = new ObjectColors();
    this.details = port.view.details ?? true;
    this.look = new CurrentLook({
      look: restoreLook(port.view, masks.classes, start.classColors, start.opacity),
      isHidden: port.view.masksHidden ?? false,
      classes: masks.classes,
      port,
      panel,
      onLook: look => this.lookChanged(look),
      onShown: () => {
        this.refreshToolbar();
        this.canvas.redraw();
      },
    });
    this.painter = new ScenePainter({
      panel,
      colors,
      look: this.look,
      hasMasks,
      isFiltered: () => this.filter.isSet,
      marksOf: image => this.selection.marksOf(image),
      redraw: () => this.canvas.redraw(),
      onPart: share => this.reading.partRead(share),
      onComplete: () => this.reportShown(),
      onFailure,
    });
    this.stage = this.makeStage();
    this.thumbnails = new Thumbnails(panel, colors, this.look.value);
    this.toolbar = this.makeToolbar();
    this.names = new ImageNames(masks.images);
    this.navigation = new ImageNavigation({
      images: masks.images,
      names: this.names,
      hasMasks,
      text,
      port,
      thumbnails: this.thumbnails,
      toolbar: this.toolbar,
      show: position => this.current.show(position),
    });
    this.status = new MasksStatus(text, hasMasks);
    this.notice = new FileNotice(text, () => panel.send('reloadFile', {}));
    this.inspector = this.makeInspector();
    this.layout = new InspectorLayout({
      text,
      stage: this.stage.root,
      inspector: this.inspector.root,
      sizes: port.view.inspectorSizes ?? {},
      onSizes: inspectorSizes => port.updateView({ inspectorSizes }),
    });
    this.current = this.makeCurrent();
    this.reading = new ArchiveReading({
      start,
      text,
      image: () => this.current.image,
      onProgress: words => this.status.setReading(words),
    });
    this.filter = new TableFilter({
      filtered: start.filtered,
      current: this.current,
      thumbnails: this.thumbnails,
      status: this.status,
      onFailure,
    });
    const { canvas, stage, current, names, look, navigation, inspector, toolbar, status, live } = this;
    this.selection = new MasksSelection({
      images: masks.images,
      port,
      panel,
      text,
      canvas,
      current,
      inspector,
      status,
      live,
      onFailure,
    });
    this.actions = new MasksActions({
      panel,
      port,
      text,
      hasMasks,
      stage,
      current,
      names,
      look,
      navigation,
      selection: this.selection,
      inspector,
      toolbar,
      live,
      onFailure,
    });
  }

  /** Lays out the page and opens the first image, or the one that was shown last. */
  show(): void {
    const { root, start, text, port } = this.parts;
    const { images } = start.masks;
    // Without masks it may be that nothing is ever painted whole.
    if (!start.hasMasks) this.thumbnails.begin();
    const body = element('div', { class: 'masks-body' });
    fill(body, images.length > 1 && this.navigation.strip.root, this.layout.root);
    fill(root, this.toolbar.root, this.notice.root, body, this.status.root, this.live.root);
    this.notice.show(start.fileChange ?? null);
    this.look.sendHidden();
    this.filter.show();
    if (start.link) this.setLink(start.link);
    this.setDetails(this.details);
    this.listen();
    if (images.length === 0) {
      // No image, no details; whether they show is saved as it was.
      this.details = false;
      this.layout.shown = false;
      this.refreshToolbar();
      this.showMessage(text.get('noImages'), text.get('noImagesHint'));
      return;
    }
    const saved = images.findIndex(image => image.id === port.view.image);
    const view = port.view.view ?? undefined;
    // What was selected elsewhere meanwhile is brought into view.
    const isAsLeft = saved >= 0 && this.selection.isAsLeft(start.selected);
    const first = start.selected && !isAsLeft ? this.current.positionOf(start.selected) : saved;
    this.current.show(Math.max(0, first), saved >= 0 && first === saved ? view : undefined);
    this.selection.focus.showHovered(start.hovered);
    this.selection.restore(start.selected, isAsLeft);
  }

  private makeStage(): MasksStage {
    const { start, text, port } = this.parts;
    const { title, hasMasks } = start;
    const stage = new MasksStage(
      text,
      {
        label: title,
        help: text.get(hasMasks ? 'canvasHelp' : 'imageHelp'),
        paint: (frame, isNeeded) => this.painter.paint(this.current.scene, frame, isNeeded),
        onPoint: at => {
          const { image, scene } = this.current;
          if (image) this.status.setPointer(at, image);
          if (at) scene?.pointedAt();
          this.selection.pointer.point(at);
          this.inspector.point(at);
        },
        onClick: (at, onPanel, how) => this.selection.click(at, onPanel, how),
        onEnter: (at, add) => this.selection.click(at, { x: NaN, y: NaN }, { step: true, add }),
        onView: (view, fitted) => {
          // Keys move the canvas of an image that can't be read too.
          if (!this.current.scene) return;
          this.toolbar.setZoom(view.scale * devicePixelRatio);
          port.updateView({ view: fitted ? null : view });
        },
        ...(hasMasks && { onRegion: (polygon: number[]) => this.selection.selectRegion(polygon) }),
      },
      () => this.current.scene,
      () => this.look.value.opacity,
    );
    stage.minimapEnabled = port.view.minimap ?? true;
    return stage;
  }

  private makeToolbar(): MasksToolbar {
    const { start, text, panel } = this.parts;
    return new MasksToolbar({
      text,
      title: start.title,
      imageCount: start.masks.images.length,
      hasMasks: start.hasMasks,
      onImage: step => this.navigation.go(step),
      onList: () => this.navigation.toggleList(),
      onZoom: factor => this.canvas.zoomBy(factor),
      onFit: () => this.canvas.fit(),
      onActualSize: () => this.canvas.actualSize(),
      onMasks: () => this.look.toggleMasks(),
      onDetails: () => this.setDetails(!this.details),
      onTable: () => panel.send('showTable', {}),
      onTool: tool => this.actions.setTool(tool),
      onSave: () => void this.actions.save(),
      onExport: () => panel.send('exportMasks', {}),
    });
  }

  private makeInspector(): MasksInspector {
    const { start, text, port, panel } = this.parts;
    return new MasksInspector({
      start,
      text,
      panel,
      saved: port.view,
      onView: view => port.updateView(view),
      look: () => this.look.value,
      onLook: change => this.look.change(change),
      onScale: scale => {
        this.thumbnails.setRange(scale?.range);
        this.stage.colorBar.show(scale);
      },
      onPixelSize: size => {
        // The scale bar lies across.
        this.stage.setPixelSize(size?.x);
        this.status.setPixelSize(size);
      },
      onBackgroundImage: image => this.thumbnails.setBackgroundOpened(image),
      onValues: values => this.status.setValues(values),
      onShowImage: image => this.current.show(this.current.positionOf({ image, object: 0 })),
      onExportSelected: () => this.selection.exportSelected(),
      onClearSelection: () => this.selection.clear(),
      onFailure: error => this.failed(error),
    });
  }

  private makeCurrent(): CurrentImage {
    return new CurrentImage({
      images: this.parts.start.masks.images,
      makeScene: image => this.painter.makeScene(image),
      onImage: (image, position) => this.showImage(image, position),
      onScene: (scene, image, view) => {
        this.painter.begin();
        this.toolbar.setShown(true);
        scene.setSelection(this.selection.of(image));
        this.inspector.setImage(image, scene);
        this.stage.setImage(image, view);
      },
      onObjects: () => {
        this.reading.showProgress();
        this.refreshCount();
        if (this.current.image) this.describe(this.current.image);
        this.selection.reveal();
      },
      onFiltered: () => {
        this.refreshCount();
        this.inspector.showTotals();
      },
      onLoaded: scene => this.inspector.loaded(scene),
      onLoadFailure: error => {
        this.failed(error);
        // That it failed is what there is to see.
        this.reportShown();
        this.inspector.loadFailed();
      },
      onFailure: error => this.failed(error),
    });
  }

  private get canvas(): CanvasView {
    return this.stage.canvas;
  }

  private listen(): void {
    const { panel } = this.parts;
    panel.on('imagesRead', ({ images, done, total }) => {
      this.reading.imagesRead(unpackJson(images), done, total);
      this.navigation.imagesRead();
      this.current.imagesRead();
    });
    panel.on('masksRead', masks => this.masksRead(unpackJson(masks)));
    panel.on('imagePaths', ({ paths }) => this.setPaths(paths));
    panel.on('searchAgain', ({ images }) => {
      const { image } = this.current;
      if (image && images.includes(image.index)) this.inspector.searchAgain();
    });
    panel.on('link', report => this.setLink(report));
    panel.on('hovered', ref => this.selection.focus.showHovered(ref));
    panel.on('selected', ref => this.selection.follow(ref));
    panel.on('showImage', ({ image }) => this.current.show(this.current.positionOf({ image, object: 0 })));
    panel.on('fileChange', change => this.notice.show(change));
    panel.on('filtered', filtered => void this.filter.set(filtered));
    this.actions.listen();
  }

  /** Everything but the image itself, which comes with its scene. */
  private showImage(image: ShownMaskImage, position: number): void {
    const { text, port, panel } = this.parts;
    this.inspector.setImage(image, undefined);
    this.layout.setImage(image);
    this.selection.focus.hover(null);
    this.navigation.setImage(image, position);
    this.status.setPointer(null, image);
    this.status.setFailure('');
    this.status.setSelected('');
    this.reading.imageChanged();
    this.refreshCount();
    port.updateView({ image: image.id });
    panel.send('inView', { image: image.index });
    this.describe(image);
    if (image.failure) this.showMessage(text.get('imageFailed'), image.failure.message);
  }

  private masksRead(masks: MasksSummary): void {
    this.reading.masksRead(masks);
    this.navigation.masksRead();
    this.current.imagesRead();
    this.inspector.setRead(masks.notes, this.current.image);
    this.refreshCount();
  }

  private describe(image: ShownMaskImage): void {
    const isCounted = this.parts.start.hasMasks && !image.isPartial;
    this.stage.describe(this.names.of(image), isCounted ? image.objectCount : undefined);
  }

  private lookChanged(look: MasksLook): void {
    this.current.scene?.setLook(look);
    this.thumbnails.setLook(look);
    this.refreshToolbar();
    this.refreshCount();
  }

  private setDetails(details: boolean): void {
    this.details = details;
    this.layout.shown = details;
    this.parts.port.updateView({ details });
    this.refreshToolbar();
  }

  /** Rows were linked, which tells the folders of images whose names others have too. */
  private setPaths(paths: readonly { image: number; path: string }[]): void {
    const known = new Map(paths.map(({ image, path }) => [image, path]));
    for (const image of this.parts.start.masks.images) {
      const path = known.get(image.index);
      if (path === undefined) delete image.path;
      else image.path = path;
    }
    this.names.changed();
    this.navigation.namesChanged();
    const { image, position } = this.current;
    if (!image) return;
    this.navigation.setImage(image, position);
    this.describe(image);
  }

  private setLink(report: LinkReport): void {
    this.status.setLink(report);
    this.inspector.setLink(report);
    this.selection.linked();
    void this.filter.linksChanged();
  }

  private refreshToolbar(): void {
    this.inspector.setLook(this.look.value);
    this.toolbar.setLook({ masks: !this.look.masksHidden, details: this.details });
  }

  private refreshCount(): void {
    const { image, scene } = this.current;
    if (image) this.status.setImage(image, scene?.shownCount ?? image.objectCount);
  }

  private showMessage(title: string, hint: string): void {
    this.stage.showMessage(title, hint);
    this.toolbar.setShown(false);
    this.reportShown();
  }

  /** Tells the panel, once, that the first content is on the screen; what is only listed is requested from then on. */
  private reportShown(): void {
    if (this.shown) return;
    this.shown = true;
    this.thumbnails.begin();
    requestAnimationFrame(() => this.parts.panel.send('shown', {}));
  }

  private failed(error: unknown, key: 'loadFailed' | 'saveFailed' = 'loadFailed'): void {
    if (isCoded(error, 'cancelled')) return;
    const reason = error instanceof Error ? error.message : String(error);
    const { text, panel } = this.parts;
    panel.send('failure', { message: reason });
    this.status.setFailure(text.get(key, reason));
  }
}
