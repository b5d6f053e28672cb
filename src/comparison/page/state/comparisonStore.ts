import { t } from '../../../pages/page/l10n';
import { batch } from '@preact/signals';
import { unpackJson } from '../../../protocol/packed';
import type { ObjectOfSide, ComparisonStart, ShownSide, ComparisonPanelPort } from '../../comparisonPage';
import { ComparingModel } from './comparingModel';
import type { SavedView } from './comparisonViewState';
import { ComparedBackgroundImage } from './comparedBackgroundImage';
import { ImagesModel } from './imagesModel';
import { LookModel } from './lookModel';
import { ComparisonMessages } from './comparisonMessages';
import { ObjectsModel } from './objectsModel';
import { ScoresModel } from './scoresModel';
import { ComparedSelection } from './comparedSelection';

/** The props of views. */
export interface ComparisonProps {
  store: ComparisonStore;
}

/** Dependencies of the store. */
interface ComparisonStoreOptions extends SavedView {
  start: ComparisonStart;
  panel: ComparisonPanelPort;
}

/**
 * The state of a comparison's page. Each subject has a model with signals that only its methods
 * write. Methods that change several models are here.
 */
export class ComparisonStore {
  readonly title: string;
  readonly sides: { a: ShownSide; b: ShownSide };
  readonly messages: ComparisonMessages;
  readonly look: LookModel;
  readonly scores: ScoresModel;
  readonly images: ImagesModel;
  readonly objects: ObjectsModel;
  readonly selection: ComparedSelection;
  readonly comparing: ComparingModel;
  readonly backgroundImage: ComparedBackgroundImage;
  private loading = new AbortController();

  constructor(private readonly options: ComparisonStoreOptions) {
    const { start, panel, saved, save } = options;
    const view = { saved, save };
    this.title = start.title;
    this.sides = unpackJson(start.sides);
    const messages = (this.messages = new ComparisonMessages(panel));
    const look = (this.look = new LookModel(view));
    const scores = (this.scores = new ScoresModel(panel, view, start.threshold));
    const images = (this.images = new ImagesModel(this.sides, scores, view));
    const { filtered } = start;
    const commonOptions = { panel, messages, images };
    const objects = (this.objects = new ObjectsModel({ ...commonOptions, view, scores, filtered }));
    this.selection = new ComparedSelection({ ...commonOptions, objects, look });
    this.comparing = new ComparingModel({
      panel,
      messages,
      state: unpackJson(start.state),
      discardLoaded: () => {
        scores.outdate();
        objects.forgetOutcomes();
        messages.forgetFailure();
      },
      load: () => this.load(),
    });
    this.backgroundImage = new ComparedBackgroundImage({
      panel,
      pair: images.pair,
      isShown: saved.isImageShown ?? true,
      save: isImageShown => save({ isImageShown }),
      failed: error => messages.failed(error),
    });
  }

  /** Whether A is ground truth; between two jobs, some scores have other names. */
  get hasTruth(): boolean {
    return this.sides.a.isTruth;
  }

  /** Loads the initial data of the page. */
  async begin(): Promise<void> {
    const { selected } = this.options.start;
    this.images.restore();
    this.scores.restore();
    await this.load();
    this.selection.skipFirstImage();
    if (selected) await this.selectedInTable(selected);
  }

  async setThreshold(value: number): Promise<void> {
    if (value === this.scores.threshold.peek()) return;
    this.scores.setThreshold(value);
    await this.load();
  }

  async openImage(position: number): Promise<void> {
    const { scores, images, objects, selection, messages, options } = this;
    const pair = scores.latest.peek()?.images[position];
    // Compares with the pair in view: the first image is in view without having been opened.
    if (!pair || pair.a === images.pair.peek()?.a) return;
    batch(() => {
      images.open(pair.a);
      objects.forget();
      selection.forget();
      messages.forgetFailure();
    });
    options.save({ image: pair.a });
    messages.say(images.nameOf(position));
    await this.load();
  }

  /** Opens the image `step` rows below in the list, or above if negative. */
  async go(step: number): Promise<void> {
    const position = this.images.neighbor(step);
    if (position !== undefined) await this.openImage(position);
  }

  /**
   * Selects the next or previous object of the current list. At the end of an image, continues with
   * the next image that has such objects; after the last image, with the first one.
   */
  async nextObject(step: 1 | -1): Promise<void> {
    const { images, objects, selection } = this;
    // The objects of an image that is being opened aren't loaded yet.
    const lists = objects.lists.peek();
    if (!lists) return;
    const list = objects.list.peek();
    const listed = lists[list];
    const { [listed[0]?.side ?? 'a']: selected } = selection.pair.peek();
    const index = listed.findIndex(({ object }) => object === selected);
    const next = listed[index < 0 && step < 0 ? listed.length - 1 : index + step];
    if (next) return selection.select(next);
    // With filters, the numbers of shown objects are only known for the image in view.
    if (!objects.filtered.peek()) await this.openImage(images.nextWith(list, step));
    selection.select(objects.lists.peek()?.[list].at(step > 0 ? 0 : -1) ?? selection.object.peek());
  }

  /** A row was selected in the pairs table: shows its image, and selects its objects. */
  async selectedInTable(object: ObjectOfSide | null): Promise<void> {
    const { images, selection } = this;
    selection.begin();
    if (!object) return selection.select(undefined, true);
    const position = images.positionOf(object);
    if (position < 0) return;
    if (position !== images.position.peek()) {
      const opening = this.openImage(position);
      const isLatest = selection.begin();
      await opening;
      if (!isLatest()) return;
    }
    selection.select({ side: object.side, object: object.object }, true);
  }

  /** Compares only the inside of a polygon, in each image; null for whole images. */
  async compareRegion(region: number[] | null): Promise<void> {
    this.look.toggleTool(false);
    await this.comparing.compareRegion(region);
  }

  /** Leaves the lasso, or clears the selection. */
  escape(): void {
    if (this.look.isDrawing.peek()) this.look.toggleTool(false);
    else this.selection.select(undefined);
  }

  /** Opens the pairs as a table. */
  async openPairs(): Promise<void> {
    try {
      await this.options.panel.request('openPairs', {});
    } catch (error) {
      this.messages.failed(error);
    }
  }

  async saveAll(): Promise<void> {
    const threshold = this.scores.threshold.peek();
    await this.save(() => this.options.panel.request('saveAll', { threshold }));
  }

  /** Saves a drawing, which is made on demand. */
  async saveDrawing(name: string, type: 'png' | 'svg', make: () => Promise<ArrayBuffer>): Promise<void> {
    await this.save(async () => {
      const data = await make();
      return await this.options.panel.request('saveDrawing', { name: `${name}.${type}`, type, data });
    });
  }

  private async save(save: () => Promise<{ saved: string | null }>): Promise<void> {
    const { messages } = this;
    try {
      const { saved } = await save();
      if (saved !== null) messages.say(t('Saved {0}', saved));
    } catch (error) {
      messages.failed(error, t.later("Couldn't save. {0}"));
    }
  }

  /**
   * Loads missing facts about the image in view. A later call aborts and replaces an earlier one.
   */
  private async load(): Promise<void> {
    const { scores, images, objects, selection, messages } = this;
    this.loading.abort();
    const { signal: abortSignal } = (this.loading = new AbortController());
    try {
      const loaded = await scores.request(abortSignal);
      if (abortSignal.aborted) return;
      if (loaded.areNew) objects.forgetFacts();
      const imagesBefore = images.inView.peek();
      batch(() => {
        scores.show(loaded);
        // In another image, as after undoing a pair, the same number is another object.
        if (selection.object.peek() && imagesBefore !== images.inView.peek()) selection.select(undefined);
      });
      await objects.load(abortSignal);
      const ref = selection.object.peek();
      if (!abortSignal.aborted && ref && objects.flagsOf(ref) === undefined) selection.select(undefined);
    } catch (error) {
      if (!abortSignal.aborted) messages.failed(error);
    }
  }
}

/** The proposed name for a drawing of the view. */
export function viewName({ images, title }: ComparisonStore): string {
  const name = images.nameOf(images.position.peek()).split('/').at(-1) ?? '';
  return `${name.replace(/\.\w{1,5}$/, '') || title} comparison`;
}

/** A ratio as text; "–" if missing. */
export function shareWords(ratio: number | null | undefined): string {
  return ratio === null || ratio === undefined ? '–' : t.fixed(ratio, 3);
}
