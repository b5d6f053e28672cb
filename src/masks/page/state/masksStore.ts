import { t } from '../../../pages/page/l10n';
import { computed } from '@preact/signals';
import type { PagePort } from '../../../pages/page/pagePort';
import { afterPaint } from '../../../pages/page/widgets/timing';
import type { RpcEndpoint } from '../../../protocol/rpc';
import type { MasksPageSide, MasksPanelSide, MasksStart } from '../../masksPage';
import {
  type ImagePath,
  type MaskClass,
  type MasksSummary,
  type ObjectRef,
  type ObjectsOfImage,
  setImagePaths,
  type ShownMaskImage,
} from '../../../archives/masksSummary';
import type { ImageLink, LinkReport, ShownImageLinks } from '../../../linking/rowLinks';
import type { Box, Extent, Point, View } from '../tiles/viewTransform';
import { BackgroundImageModel } from './backgroundImageModel';
import { ColoringModel } from './coloringModel';
import { ImageList } from './imageList';
import { ImageModel, type Scene } from './imageModel';
import { InspectedObject } from './inspectedObject';
import { LayoutModel } from './layoutModel';
import { LinkedTable } from './linkedTable';
import { ArchiveReading, ImageNames } from './listedImages';
import { CurrentLook, type MasksViewState, restoreLook } from './masksViewState';
import { MessagesModel } from './messagesModel';
import { NamedSelections } from './namedSelections';
import { PointerModel } from './pointerModel';
import { PopulationsOfObject } from './populationsOfObject';
import { SelectionModel } from './selectionModel';
import { StatisticsOfSelection } from './statisticsOfSelection';
import { UndoModel } from './undoModel';

interface MasksStoreOptions {
  start: MasksStart;
  port: Pick<PagePort<MasksViewState>, 'view' | 'updateView' | 'onDidUpdateView'>;
  panel: Pick<RpcEndpoint<MasksPageSide, MasksPanelSide>, 'request' | 'send'>;
  stage: () => StageActions;
}

/** The store's view of the stage. */
interface StageActions {
  readonly canvas: CanvasActions;
  /** The data that an image is painted from; it is loaded later. */
  makeScene(image: ShownMaskImage): Scene;
  /** Shows an image: a part of it, or all of it without a view. */
  setImage(image: Extent, view: View | undefined): void;
  /** The current view as a PNG file. */
  capture(): Promise<Blob>;
}

/** Actions on the view of the image. */
interface CanvasActions {
  zoomBy(factor: number): void;
  fit(): void;
  actualSize(): void;
  zoomTo(box: Box): void;
  /** Brings a box into view: at once, or in steps that the eye can follow. */
  reveal(box: Box, inSteps: boolean): void;
  /** The part of the image in view: corners x, y in turn. */
  readonly regionInView: number[];
  readonly pointer: {
    /** Cancels the drawing of a region. Returns whether one was being drawn. */
    cancelRegion(): boolean;
  };
}

/**
 * The state of the masks page, by subject: signals that only methods of their models write. Views
 * are functions of the state (`masksView.tsx`). The store has no elements. Methods that change
 * several models are here.
 */
export class MasksStore {
  readonly title: string;
  /** False where images are shown by themselves. */
  readonly hasMasks: boolean;
  readonly images: readonly ShownMaskImage[];
  /** Whether the user may choose a table, as the masks come without one. */
  readonly choosesTable: boolean;
  readonly classes: readonly MaskClass[];
  readonly names: ImageNames;
  readonly image: ImageModel;
  readonly list: ImageList;
  readonly reading: ArchiveReading;
  readonly look: CurrentLook;
  readonly layout: LayoutModel;
  readonly background: BackgroundImageModel;
  readonly coloring: ColoringModel;
  readonly pointer: PointerModel;
  readonly object: InspectedObject;
  /** The populations of the selected object. */
  readonly populations: PopulationsOfObject;
  readonly statistics: StatisticsOfSelection;
  readonly messages: MessagesModel;
  readonly selection: SelectionModel;
  readonly table: LinkedTable;
  readonly selections: NamedSelections;
  readonly undo: UndoModel;
  /** Paths of images that the user linked, by image ID, as last loaded. */
  private linkedByHand: Readonly<Record<string, string>> = {};
  /** Whether the first image is shown by default, before any action of the user. */
  private isFirstShown = false;

  constructor(private readonly options: MasksStoreOptions) {
    const { start, port, panel } = options;
    const { images, classes } = start.masks;
    const show = (position: number) => this.show(position);
    this.title = start.title;
    this.hasMasks = start.hasMasks;
    this.images = images;
    this.choosesTable = start.choosesTable;
    this.classes = classes;
    this.names = new ImageNames(images);
    const image = (this.image = new ImageModel(images, this.names));
    this.list = new ImageList({ images, image, port, show });
    this.reading = new ArchiveReading(start, image);
    this.look = new CurrentLook({
      look: restoreLook(port.view, classes, start.classColors, start.opacity),
      isHidden: port.view.masksHidden ?? false,
      classes,
      port,
      panel,
    });
    this.layout = new LayoutModel(image, port, images.length);
    const messages = (this.messages = new MessagesModel(panel, start.fileChange ?? null));
    const reveal = (box: Box) => this.canvas.reveal(box, image.scene.peek()?.wasPainted ?? false);
    const selection = (this.selection = new SelectionModel({
      images,
      image,
      messages,
      port,
      panel,
      show,
      reveal,
    }));
    this.selections = new NamedSelections({
      images,
      selections: start.selections,
      panel,
      changed: (before, after) =>
        this.undo.add({ before: { selections: before }, after: { selections: after } }),
      fail: messages.failed,
    });
    const { filtered } = start;
    this.table = new LinkedTable({ filtered, image, selection, messages, painted: afterPaint });
    const withoutUndo = (change: () => void) => this.undo.withoutUndo(change);
    const commonOptions = { image, port, panel, fail: messages.failed, withoutUndo };
    const background = (this.background = new BackgroundImageModel({
      ...commonOptions,
      pixelSizes: start.pixelSizes,
      onPixelSizesChanged: (before, after) => this.pixelSizesChosen(before, after),
    }));
    const coloring = (this.coloring = new ColoringModel({
      ...commonOptions,
      look: this.look,
      classCount: classes.length,
    }));
    this.pointer = new PointerModel(computed(() => background.pixelSize.value?.size));
    const { link } = this.table;
    this.object = new InspectedObject({
      ...commonOptions,
      background,
      link,
      shownObject: selection.focus.shown,
    });
    this.populations = new PopulationsOfObject({ ...commonOptions, shownObject: selection.focus.shown });
    this.statistics = new StatisticsOfSelection(panel, selection.several.all, messages.failed);
    this.undo = new UndoModel({
      ...{ classes, port, look: this.look, coloring, background, messages },
      selections: this.selections,
      link: async links => {
        const imageLinks = Object.entries(links).map(([image, path]) => ({ image, path }));
        this.rememberLinks(await panel.request('linkImages', { links: imageLinks }));
      },
      show: id => show(images.findIndex(summary => summary.id === id)),
    });
  }

  get canvas(): CanvasActions {
    return this.options.stage().canvas;
  }

  /** Restores the page's image, view and selection; by default the first image. */
  restore(): void {
    const { start, port } = this.options;
    const { image, look, selection } = this;
    look.sendHidden();
    if (start.link) this.linked(start.link);
    if (this.images.length === 0) {
      // Without an image there are no details.
      this.layout.hideDetails();
      this.layout.shown();
      return;
    }
    const savedPosition = this.images.findIndex(({ id }) => id === port.view.image);
    const view = port.view.view ?? undefined;
    // If another object was selected elsewhere meanwhile, the page goes to that object.
    const isSelectionAsSaved = savedPosition >= 0 && selection.focus.isSavedSelection(start.selected);
    const position = start.selected && !isSelectionAsSaved ? image.positionOf(start.selected) : savedPosition;
    if (position < 0) {
      this.list.goTo(0);
      if (image.position.peek() < 0) this.show(0);
      this.isFirstShown = true;
    } else this.show(position, position === savedPosition ? view : undefined);
    selection.focus.followHovered(start.hovered);
    selection.restore(start.selected, isSelectionAsSaved);
    if (!start.selected && !start.isSelectionSet) selection.restoreSaved();
  }

  /** Shows the image at a position in the archive: a part of it, or all of it without a view. */
  show(position: number, view?: View): void {
    if (position !== this.image.position.peek() && this.images[position]) this.open(position, view);
  }

  /** Shows the image of an object. */
  showImageOf(ref: Pick<ObjectRef, 'image'>): void {
    this.show(this.image.positionOf(ref));
  }

  /** The pointer moved to a point in image pixels, maybe outside the image, or left (null). */
  point(point: Point | null): void {
    const { liveSummary, scene } = this.image;
    if (liveSummary) this.pointer.moved(point, liveSummary);
    if (point) {
      this.isFirstShown = false;
      scene.peek()?.pointedAt();
    }
    this.selection.point(point);
  }

  /** More images were read: `done` of `total`. */
  imagesRead(images: readonly ShownMaskImage[], done: number, total: number): void {
    this.reading.imagesRead(images, done, total);
    this.list.changed({ sorted: false });
    this.reopenIfUnreadable();
  }

  /** All images were read. */
  masksRead(masks: MasksSummary): void {
    this.reading.masksRead(masks);
    this.list.changed({ sorted: true });
    this.selection.objectsRead();
    this.reopenIfUnreadable();
  }

  /** Rows were linked: images of equal names get the folders of their paths. */
  rename(paths: readonly ImagePath[]): void {
    setImagePaths(this.images, paths);
    this.names.changed();
    this.image.changed();
    this.list.changed({ sorted: true });
    // With folders known, another image may come first.
    const isAsOpened = this.selection.objects.length === 0 && !this.options.port.view.view;
    if (this.isFirstShown && isAsOpened) {
      this.list.goTo(0);
      this.isFirstShown = true;
    }
  }

  /** Rows and objects were linked. */
  linked(report: LinkReport): void {
    void this.table.linked(report);
    this.selection.focus.linked();
    this.object.row.linked();
    void this.populations.load();
    void this.statistics.load();
    void this.coloring.linked();
  }

  /** Columns of the linked table that aren't from its file were added, removed or changed. */
  tableExtended(): void {
    // Nothing to update before rows are linked: `linked` then updates everything.
    if (!this.table.link.peek()) return;
    this.selection.focus.linked();
    this.object.row.linked();
    void this.populations.load();
    void this.coloring.linked();
  }

  /** The table's populations changed in number, objects or color. */
  populationsChanged(): void {
    if (!this.table.link.peek()) return;
    void this.populations.load();
    void this.coloring.populationsChanged();
  }

  /**
   * Selects several objects. Shows the image of the first one, unless the current image has any of
   * them.
   */
  selectObjects(objects: readonly ObjectsOfImage[]): void {
    const { selection, image } = this;
    selection.clear();
    const [first] = objects;
    if (first && !objects.some(ofImage => ofImage.image === image.liveSummary?.index))
      this.showImageOf(first);
    selection.several.replaceAll(objects);
  }

  /**
   * The measurements of an object of the current image. `info` describes the background image;
   * `means` has the object's mean intensity in each channel of that image.
   */
  async measurementsOf(object: ObjectRef) {
    const { background, options } = this;
    const details = await options.panel.request('objectDetails', object);
    const pixelSize = background.pixelSize.peek()?.size;
    const info = background.pairing.peek()?.backgroundImage;
    return { details, pixelSize, info, means: await background.meansOf(object) };
  }

  /** Lets the user link images of the masks with images of the table. */
  get imageLinks() {
    const { panel } = this.options;
    return {
      read: async () => this.rememberLinks(await panel.request('imageLinks', {})),
      link: async (links: ImageLink[]) => {
        const before = this.linkedByHand;
        const shown = this.rememberLinks(await panel.request('linkImages', { links }));
        this.undo.add({
          before: {
            links: Object.fromEntries(links.map(({ image }) => [image, before[image] ?? null])),
          },
          after: { links: Object.fromEntries(links.map(({ image, path }) => [image, path])) },
        });
        return shown;
      },
      thumbnail: (image: number) => panel.request('linkThumbnail', { image }),
      show: (image: number) => this.showImageOf({ image }),
    };
  }

  private pixelSizesChosen(
    before: Record<string, number | null>,
    after: Record<string, number | null>,
  ): void {
    this.undo.add({ before: { pixelSizes: before }, after: { pixelSizes: after } });
    this.messages.report(
      t.count(Object.keys(after).length, 'Pixel size changed', 'Pixel size of {0} images changed'),
    );
  }

  private rememberLinks(links: ShownImageLinks): ShownImageLinks {
    this.linkedByHand = Object.fromEntries(links.byHand.map(({ image, path }) => [image, path]));
    return links;
  }

  /** The background images of these images may have changed. */
  searchAgain(images: readonly number[]): void {
    const { liveSummary } = this.image;
    if (liveSummary && images.includes(liveSummary.index)) void this.background.find();
  }

  /**
   * Cancels a region being drawn. Otherwise clears a multiple selection, leaves the selection tool,
   * or clears the selected object: the first that applies.
   */
  escape(): void {
    const { selection, layout } = this;
    if (this.canvas.pointer.cancelRegion()) return;
    if (selection.several.count.peek() > 0 || layout.tool.peek() === 'move') selection.clear();
    else layout.use('move');
  }

  /** Saves the current view to a file that the user selects. */
  async save(): Promise<void> {
    const { panel, stage } = this.options;
    const { image, messages } = this;
    // Without a scene the canvas still shows the previous image.
    const name = image.scene.peek() && image.name.peek();
    if (name === undefined) return;
    try {
      const png = await stage().capture();
      const saved = await saveView(panel, `${viewName(name)}_${this.hasMasks ? 'masks' : 'view'}.png`, png);
      if (saved !== null) messages.report(t('View saved as {0}', saved));
    } catch (error) {
      messages.failed(error, t.later("Couldn't save the view: {0}"));
    }
  }

  chooseTable(): void {
    this.options.panel.send('chooseTable', {});
  }

  exportMasks(): void {
    this.options.panel.send('exportMasks', {});
  }

  compareMasks(): void {
    this.options.panel.send('compareMasks', {});
  }

  openTable(): void {
    this.options.panel.send('showTable', {});
  }

  readFileAgain(): void {
    this.options.panel.send('reloadFile', {});
  }

  /** Opens an image: drops the data of the previous one. A new scene loads the data. */
  private open(position: number, view: View | undefined): void {
    const { stage, port, panel } = this.options;
    this.isFirstShown = false;
    this.background.forget();
    this.image.opened(position);
    const summary = this.image.liveSummary;
    if (!summary) return;
    this.selection.focus.hover(null);
    this.selection.clearMessage();
    this.pointer.moved(null, summary);
    this.messages.forgetFailure();
    this.reading.imageChanged();
    port.updateView({ image: summary.id });
    panel.send('inView', { image: summary.index });
    if (summary.failure) {
      // The page shows why the image can't be read.
      this.layout.shown();
      return;
    }
    const scene = stage().makeScene(summary);
    this.image.painting(scene);
    stage().setImage(summary, view);
    void this.load(scene);
  }

  /** Loads the objects first: the page is about them. */
  private async load(scene: Scene): Promise<void> {
    const { image, messages, layout, selection, coloring, background } = this;
    const isShown = () => image.scene.peek() === scene;
    const failed = (error: unknown) => isShown() && messages.failed(error);
    try {
      await scene.load();
    } catch (error) {
      if (!isShown()) return;
      messages.failed(error);
      // The page shows the failure.
      layout.shown();
      // The background image can still be shown.
      void background.find();
      return;
    }
    if (!isShown()) return;
    image.changed();
    selection.objectsRead();
    void selection.reveal();
    // Other data waits: without the filter, all objects would be painted first.
    await scene.filtered.catch(failed);
    if (isShown()) await Promise.all([coloring.objectsLoaded(), background.find()]).catch(failed);
  }

  /** If the current image has turned out to be unreadable, opens it again to show why. */
  private reopenIfUnreadable(): void {
    const { scene, liveSummary, position } = this.image;
    if (scene.peek() && liveSummary?.failure) this.open(position.peek(), undefined);
  }
}

/** Bytes of the PNG file in one message. */
const PNG_PART = 4 * 2 ** 20;

/** The name of an image as part of a file name, without its extension. */
function viewName(image: string): string {
  return image.replaceAll('/', '_').replace(/\.[^.]+$/, '');
}

/** Sends a rendered view to the panel's save dialog. Returns the path, or null on cancel. */
async function saveView(panel: MasksStoreOptions['panel'], name: string, png: Blob): Promise<string | null> {
  const { save } = await panel.request('saveView', { name });
  if (save === null) return null;
  for (let from = 0; ; from += PNG_PART) {
    const bytes = await png.slice(from, from + PNG_PART).arrayBuffer();
    const last = from + PNG_PART >= png.size;
    const { saved } = await panel.request('saveViewPart', { save, bytes, last });
    if (last) return saved;
  }
}
