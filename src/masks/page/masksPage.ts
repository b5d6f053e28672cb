import { h, render } from 'preact';
import type { PagePort } from '../../pages/page/pagePort';
import type { MasksText } from '../../pages/page/pageText';
import { element, fill } from '../../pages/page/widgets/element';
import { unpackJson } from '../../protocol/packed';
import type { RpcEndpoint } from '../../protocol/rpc';
import type { MasksPageSide, MasksPanelSide, MasksStart } from '../masksPage';
import type { MasksSummary, ShownMaskImage } from '../masksSummary';
import type { LinkReport } from '../rowLinks';
import { followStore } from './followStore';
import { ImageStrip } from './imageStrip';
import { InspectorLayout } from './inspector/inspectorLayout';
import { Inspector } from './inspector/inspector';
import { MasksActions } from './masksActions';
import { MasksSelection } from './masksSelection';
import { MasksView } from './masksView';
import type { CanvasView } from './stage/canvasView';
import { CurrentImage, TableFilter } from './stage/currentImage';
import { MasksStage } from './stage/masksStage';
import { followPointer } from './stage/pointerSamples';
import { ScenePainter } from './stage/scenePainter';
import { ObjectColors } from './state/masksLook';
import { MasksStore } from './state/masksStore';
import type { MasksViewState } from './state/masksViewState';
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
  private readonly store: MasksStore;
  private readonly painter: ScenePainter;
  private readonly stage: MasksStage;
  private readonly thumbnails: Thumbnails;
  private readonly strip: ImageStrip;
  private readonly layout: InspectorLayout;
  private readonly current: CurrentImage;
  private readonly filter: TableFilter;
  private readonly selection: MasksSelection;
  private readonly actions: MasksActions;
  private shown = false;

  constructor(private readonly parts: MasksPageParts) {
    const { start, text, port, panel } = parts;
    const { masks, hasMasks } = start;
    const colors = new ObjectColors();
    this.store = new MasksStore({
      start,
      port,
      panel,
      show: position => this.current.show(position),
      canvas: () => this.canvas,
      selected: () => this.selection,
      save: () => this.actions.save(),
    });
    const { store } = this;
    const onFailure = store.fail;
    this.painter = new ScenePainter({
      panel,
      colors,
      look: store.look,
      hasMasks,
      isFiltered: () => this.filter.isSet,
      marksOf: image => this.selection.marksOf(image),
      redraw: () => this.canvas.redraw(),
      onPart: share => store.reading.partRead(share),
      onComplete: () => this.reportShown(),
      onFailure,
    });
    this.stage = this.makeStage();
    this.thumbnails = new Thumbnails(panel, colors, store.look.now.peek());
    this.strip = new ImageStrip({ images: masks.images, store, text, thumbnails: this.thumbnails });
    const inspector = element('div', { class: 'inspector' });
    render(h(Inspector, { store, text }), inspector);
    this.layout = new InspectorLayout({
      text,
      stage: this.stage.root,
      inspector,
      sizes: port.view.inspectorSizes ?? {},
      onSizes: inspectorSizes => port.updateView({ inspectorSizes }),
    });
    this.current = this.makeCurrent();
    const { canvas, stage, current, thumbnails } = this;
    this.filter = new TableFilter({
      table: store.table,
      selection: store.selection,
      current,
      thumbnails,
      onFailure,
    });
    this.selection = new MasksSelection({
      images: masks.images,
      port,
      panel,
      text,
      store,
      canvas,
      current,
      onFailure,
    });
    this.actions = new MasksActions({
      panel,
      port,
      text,
      store,
      stage,
      current,
      selection: this.selection,
      onFailure,
    });
    followStore(store, { stage, current, thumbnails, layout: this.layout });
    followPointer(store, panel);
  }

  /** Lays out the page and opens the first image, or the one that was shown last. */
  show(): void {
    const { root, start, text, port } = this.parts;
    const { store } = this;
    const { images } = start.masks;
    // Without masks it may be that nothing is ever painted whole.
    if (!start.hasMasks) this.thumbnails.begin();
    const middle = [images.length > 1 && this.strip.root, this.layout.root];
    fill(root);
    render(h(MasksView, { store, text, fillBody: body => body && fill(body, ...middle) }), root);
    store.look.sendHidden();
    this.filter.show();
    if (start.link) this.linked(start.link);
    this.listen();
    if (images.length === 0) {
      // No image, no details.
      store.layout.hideDetails();
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
          if (image) this.store.pointer.moved(at, image);
          if (at) scene?.pointedAt();
          this.selection.pointer.point(at);
        },
        onClick: (at, onPanel, how) => this.selection.click(at, onPanel, how),
        onEnter: (at, add) => this.selection.click(at, { x: NaN, y: NaN }, { step: true, add }),
        onView: (view, fitted) => {
          // Keys move the canvas of an image that can't be read too.
          if (!this.current.scene) return;
          this.store.layout.viewed(view, fitted, devicePixelRatio);
        },
        ...(hasMasks && { onRegion: (polygon: number[]) => this.selection.selectRegion(polygon) }),
      },
      () => this.current.scene,
      () => this.store.look.now.peek().opacity,
    );
    stage.minimapEnabled = port.view.minimap ?? true;
    return stage;
  }

  private makeCurrent(): CurrentImage {
    return new CurrentImage({
      images: this.parts.start.masks.images,
      makeScene: image => this.painter.makeScene(image),
      onImage: (image, position) => this.showImage(image, position),
      onScene: (scene, image, view) => {
        this.painter.begin();
        this.store.layout.imageCame();
        scene.setSelection(this.selection.of(image));
        this.store.image.loads(scene);
        this.stage.setImage(image, view);
      },
      onObjects: () => {
        this.store.image.changed();
        this.count();
        if (this.current.image) this.describe(this.current.image);
        this.selection.reveal();
      },
      onFiltered: () => {
        this.count();
        const { objects, matching, image } = this.current.scene ?? {};
        if (objects && !image?.isPartial) this.store.image.listed({ classes: objects.classes, matching });
      },
      onLoaded: () => this.store.objectsCame(),
      onLoadFailure: error => {
        this.store.fail(error);
        // That it failed is what there is to see.
        this.reportShown();
        // The image beneath them can be, all the same.
        void this.store.background.find();
      },
      onFailure: error => this.store.fail(error),
    });
  }

  private get canvas(): CanvasView {
    return this.stage.canvas;
  }

  private listen(): void {
    const { panel } = this.parts;
    panel.on('imagesRead', ({ images, done, total }) => {
      this.store.reading.imagesRead(unpackJson(images), done, total);
      this.store.list.changed({ sorted: false });
      this.current.imagesRead();
    });
    panel.on('masksRead', masks => this.masksRead(unpackJson(masks)));
    panel.on('imagePaths', ({ paths }) => this.rename(paths));
    panel.on('searchAgain', ({ images }) => {
      const { image } = this.current;
      if (image && images.includes(image.index)) void this.store.background.find();
    });
    panel.on('backgroundImageProgress', ({ image, done, total }) =>
      this.store.background.read(image, done / total),
    );
    panel.on('link', report => this.linked(report));
    panel.on('hovered', ref => this.selection.focus.showHovered(ref));
    panel.on('selected', ref => this.selection.follow(ref));
    panel.on('showImage', ({ image }) => this.current.show(this.current.positionOf({ image, object: 0 })));
    panel.on('fileChange', change => this.store.messages.fileChanged(change));
    panel.on('filtered', filtered => void this.filter.set(filtered));
    this.actions.listen();
  }

  /** Everything but the image itself, which comes with its scene. */
  private showImage(image: ShownMaskImage, position: number): void {
    const { text, port, panel } = this.parts;
    const { store } = this;
    store.background.forget();
    this.layout.setImage(image);
    this.selection.focus.hover(null);
    store.image.opened(position);
    store.pointer.moved(null, image);
    store.messages.forgetFailure();
    store.selection.forget();
    store.reading.imageChanged();
    port.updateView({ image: image.id });
    panel.send('inView', { image: image.index });
    this.describe(image);
    if (image.failure) this.showMessage(text.get('imageFailed'), image.failure.message);
  }

  private masksRead(masks: MasksSummary): void {
    this.store.reading.masksRead(masks);
    this.store.list.changed({ sorted: true });
    this.current.imagesRead();
    this.count();
  }

  private describe(image: ShownMaskImage): void {
    const isCounted = this.parts.start.hasMasks && !image.isPartial;
    this.stage.describe(this.store.names.of(image), isCounted ? image.objectCount : undefined);
  }

  /** Rows were linked, which tells the folders of images whose names others have too. */
  private rename(paths: readonly { image: number; path: string }[]): void {
    const known = new Map(paths.map(({ image, path }) => [image, path]));
    for (const image of this.parts.start.masks.images) {
      const path = known.get(image.index);
      if (path === undefined) delete image.path;
      else image.path = path;
    }
    this.store.names.changed();
    this.store.image.changed();
    this.store.list.changed({ sorted: true });
    if (this.current.image) this.describe(this.current.image);
  }

  private linked(report: LinkReport): void {
    this.store.linked(report);
    this.selection.linked();
    void this.filter.linksChanged();
  }

  /** How many objects of the image are painted. */
  private count(): void {
    this.store.image.counted(this.current.scene?.shownCount);
  }

  private showMessage(title: string, hint: string): void {
    this.stage.showMessage(title, hint);
    this.store.layout.imageWent();
    this.reportShown();
  }

  /** Tells the panel, once, that the first content is on the screen; what is only listed is requested from then on. */
  private reportShown(): void {
    if (this.shown) return;
    this.shown = true;
    this.thumbnails.begin();
    requestAnimationFrame(() => this.parts.panel.send('shown', {}));
  }
}
