import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { isCoded } from '../../../base/errors';
import type { PagePort } from '../../../pages/page/pagePort';
import type { RpcEndpoint } from '../../../protocol/rpc';
import type { FileChange, MasksPageSide, MasksPanelSide, MasksStart, TableFiltered } from '../../masksPage';
import type { MaskClass, ObjectDetails, ObjectRef } from '../../masksSummary';
import type { ImageLink, LinkReport } from '../../rowLinks';
import { BackgroundImageModel } from './backgroundImageModel';
import { ColoringModel } from './coloringModel';
import { ImageList } from './imageList';
import { ImageModel } from './imageModel';
import { LayoutModel } from './layoutModel';
import { ArchiveReading, ImageNames } from './listedImages';
import { CurrentLook, type MasksViewState, restoreLook } from './masksViewState';
import { ObjectInFocus } from './objectInFocus';
import { PointerModel } from './pointerModel';
import { StatisticsOfSelection } from './statisticsOfSelection';

interface MasksStoreOptions {
  start: MasksStart;
  port: Pick<PagePort<MasksViewState>, 'view' | 'updateView'>;
  panel: Pick<RpcEndpoint<MasksPageSide, MasksPanelSide>, 'request' | 'send'>;
  /** Shows the image at a position in the archive. */
  show: (position: number) => void;
  canvas: () => CanvasVerbs;
  selected: () => SelectedVerbs;
  /** Saves the view to a file. */
  save: () => Promise<void>;
}

/** What is done with the view of the image. */
export interface CanvasVerbs {
  zoomBy(factor: number): void;
  fit(): void;
  actualSize(): void;
}

/** What is done with the objects that are selected. */
interface SelectedVerbs {
  exportSelected(): void;
  clear(): void;
}

/**
 * What the masks page knows, by subject: signals that only the verbs of their model write. Views are functions of it
 * (`masksView.tsx`), and what isn't one follows it in `followStore.ts`. It has no elements.
 */
export class MasksStore {
  readonly title: string;
  /** False where images are shown by themselves. */
  readonly hasMasks: boolean;
  /** Whether the masks come without a table, and the user may choose one. */
  readonly choosesTable: boolean;
  readonly classes: readonly MaskClass[];
  readonly imageCount: number;
  readonly names: ImageNames;
  readonly image: ImageModel;
  readonly list: ImageList;
  readonly reading: ArchiveReading;
  readonly look: CurrentLook;
  readonly layout: LayoutModel;
  readonly background: BackgroundImageModel;
  readonly coloring: ColoringModel;
  readonly pointer: PointerModel;
  readonly object: ObjectInFocus;
  readonly statistics: StatisticsOfSelection;
  readonly selection = new SelectionModel();
  readonly table: LinkedTable;
  readonly messages: MessagesModel;

  constructor(private readonly options: MasksStoreOptions) {
    const { start, port, panel, show } = options;
    const { images, classes } = start.masks;
    this.title = start.title;
    this.hasMasks = start.hasMasks;
    this.choosesTable = start.choosesTable;
    this.classes = classes;
    this.imageCount = images.length;
    this.names = new ImageNames(images);
    this.image = new ImageModel(images, this.names);
    this.list = new ImageList({ images, image: this.image, port, show });
    this.reading = new ArchiveReading(start, this.image);
    this.look = new CurrentLook({
      look: restoreLook(port.view, classes, start.classColors, start.opacity),
      isHidden: port.view.masksHidden ?? false,
      classes,
      port,
      panel,
    });
    this.layout = new LayoutModel(port);
    this.table = new LinkedTable(start.filtered);
    this.messages = new MessagesModel(start.fileChange ?? null);
    const { image, look, fail } = this;
    const shared = { image, port, panel, fail };
    this.background = new BackgroundImageModel({ ...shared, pixelSizes: start.pixelSizes });
    const { background } = this;
    this.coloring = new ColoringModel({ ...shared, look, classCount: classes.length });
    this.pointer = new PointerModel(computed(() => background.pixelSize.value?.size));
    this.object = new ObjectInFocus({ ...shared, background, link: this.table.link });
    this.statistics = new StatisticsOfSelection(panel, fail);
  }

  /** Says that something failed, unless it was canceled. */
  readonly fail = (error: unknown, text: Failure['text'] = 'loadFailed'): void => {
    if (isCoded(error, 'cancelled')) return;
    const reason = error instanceof Error ? error.message : String(error);
    this.options.panel.send('failure', { message: reason });
    this.messages.fail({ text, reason });
  };

  /** Rows and objects were linked, maybe with another table. */
  linked(report: LinkReport): void {
    this.table.linked(report);
    this.object.row.linked();
    void this.statistics.load();
    void this.coloring.linked();
  }

  /** The objects of the image are there: what comes after them is loaded. */
  async objectsCame(): Promise<void> {
    await Promise.all([this.coloring.objectsCame(), this.background.find()]);
  }

  /** The measurements of an object of the image shown; means of the samples of its background image `info` by channel. */
  async measurementsOf(object: ObjectRef) {
    const { background, options } = this;
    const details = await options.panel.request('objectDetails', object);
    const pixelSize = background.pixelSize.peek()?.size;
    const info = background.pairing.peek()?.backgroundImage;
    return { details, pixelSize, info, means: await background.meansOf(object) };
  }

  /** How a person says which image of the table is which. */
  get imageLinks() {
    const { panel } = this.options;
    return {
      read: () => panel.request('imageLinks', {}),
      link: (links: ImageLink[]) => panel.request('linkImages', { links }),
      thumbnail: (image: number) => panel.request('linkThumbnail', { image }),
      show: (image: number) => this.showImage(image),
    };
  }

  get canvas(): CanvasVerbs {
    return this.options.canvas();
  }

  /** Shows the image at a position in the archive. */
  show(position: number): void {
    this.options.show(position);
  }

  /** Shows an image, by its index. */
  showImage(image: number): void {
    this.show(this.options.start.masks.images.findIndex(({ index }) => index === image));
  }

  save(): void {
    void this.options.save();
  }

  chooseTable(): void {
    this.options.panel.send('chooseTable', {});
  }

  exportSelected(): void {
    this.options.selected().exportSelected();
  }

  clearSelection(): void {
    this.options.selected().clear();
  }

  exportMasks(): void {
    this.options.panel.send('exportMasks', {});
  }

  openTable(): void {
    this.options.panel.send('showTable', {});
  }

  readFileAgain(): void {
    this.options.panel.send('reloadFile', {});
  }
}

/** What the status line tells of objects that are pointed at and selected. */
export class SelectionModel {
  private readonly hovered = signal<ObjectDetails | undefined>(undefined);
  private readonly words = signal('');

  /** The object under the pointer, where the inspector shows another, selected one. */
  get beside(): ReadonlySignal<ObjectDetails | undefined> {
    return this.hovered;
  }

  /** What was selected last with a region, in words; empty for nothing. */
  get outcome(): ReadonlySignal<string> {
    return this.words;
  }

  pointedBeside(details: ObjectDetails | undefined): void {
    this.hovered.value = details;
  }

  selected(words: string): void {
    this.words.value = words;
  }

  forget(): void {
    this.words.value = '';
  }
}

/** The table: how its rows are linked with objects, and what its filters let through. */
export class LinkedTable {
  private readonly report = signal<LinkReport | undefined>(undefined);
  private readonly letThrough: Signal<TableFiltered | null>;

  constructor(filtered: TableFiltered | null) {
    this.letThrough = signal(filtered);
  }

  get link(): ReadonlySignal<LinkReport | undefined> {
    return this.report;
  }

  /** How much of it its filters let through; null where it has none. */
  get filtered(): ReadonlySignal<TableFiltered | null> {
    return this.letThrough;
  }

  linked(report: LinkReport): void {
    this.report.value = report;
  }

  filter(filtered: TableFiltered | null): void {
    this.letThrough.value = filtered;
  }
}

/** Something that didn't work, by the text that says so, and why. */
interface Failure {
  text: 'loadFailed' | 'saveFailed';
  reason: string;
}

/** What the page says by itself: what failed, that the file has changed, and what only screen readers say. */
export class MessagesModel {
  private readonly failed = signal<Failure | undefined>(undefined);
  private readonly spoken = signal('');
  private readonly change: Signal<FileChange | null>;

  constructor(change: FileChange | null) {
    this.change = signal(change);
  }

  /** What failed last; undefined once another image is shown. */
  get failure(): ReadonlySignal<Failure | undefined> {
    return this.failed;
  }

  /** How the file has changed since it was read. */
  get fileChange(): ReadonlySignal<FileChange | null> {
    return this.change;
  }

  /** What screen readers say. */
  get said(): ReadonlySignal<string> {
    return this.spoken;
  }

  fail(failure: Failure): void {
    this.failed.value = failure;
  }

  forgetFailure(): void {
    this.failed.value = undefined;
  }

  fileChanged(change: FileChange | null): void {
    this.change.value = change;
  }

  /** The same words twice are said twice. */
  say(words: string): void {
    this.spoken.value = this.spoken.value === words ? `${words}\u00a0` : words;
  }
}
