import { computed, effect, type ReadonlySignal, type Signal, signal, untracked } from '@preact/signals';
import type { PagePort } from '../../../pages/page/pagePort';
import type { RpcEndpoint } from '../../../protocol/rpc';
import type { MasksPageSide, MasksPanelSide } from '../../masksPage';
import type { ObjectDetails } from '../../../archives/masksSummary';
import type { LinkReport } from '../../../linking/rowLinks';
import type { BackgroundImageModel } from './backgroundImageModel';
import type { ImageModel } from './imageModel';
import type { FocusedObject } from './objectFocus';
import type { MasksViewState } from './masksViewState';
import { type Agreement, rowAgreement } from './objectMeasurements';

type Means = readonly (number | null)[];

interface InspectedObjectOptions {
  /** The selected object, else the hovered one. */
  shownObject: ReadonlySignal<FocusedObject | undefined>;
  image: ImageModel;
  background: BackgroundImageModel;
  link: ReadonlySignal<LinkReport | undefined>;
  port: Pick<PagePort<MasksViewState>, 'view' | 'updateView'>;
  panel: Pick<RpcEndpoint<MasksPageSide, MasksPanelSide>, 'request'>;
  fail: (error: unknown) => void;
}

/**
 * The object in the inspector (see ObjectFocus): its row, and the means of the background image in
 * its mask.
 */
export class InspectedObject {
  readonly row: RowOfObject;
  /** Mean of the background image's samples in the mask, per channel; undefined until known. */
  readonly means: ReadonlySignal<Means | undefined>;
  private readonly measured = signal<{ details: ObjectDetails; means: Means } | undefined>(undefined);
  private readonly scored = signal(false);

  constructor(private readonly options: InspectedObjectOptions) {
    const details = computed(() => options.shownObject.value?.details);
    this.row = new RowOfObject(options, details);
    this.means = computed(() => {
      const measured = this.measured.value;
      return measured && measured.details === details.value ? measured.means : undefined;
    });
    details.subscribe(shownDetails => {
      if (shownDetails?.score !== undefined) this.scored.value = true;
    });
    const { background } = options;
    // Changes with the plane, which has other samples.
    const sampleSource = computed(() => {
      const { info, look, stretched } = background.painted.value ?? {};
      return info && [info.backgroundImage, look?.page, look?.z, look?.t, stretched].join(' ');
    });
    effect(() => {
      const shownDetails = details.value;
      const isOpen = sampleSource.value !== undefined;
      const abort = new AbortController();
      if (shownDetails && isOpen) untracked(() => void this.measure(shownDetails, abort.signal));
      return () => abort.abort();
    });
  }

  get shownObject(): ReadonlySignal<FocusedObject | undefined> {
    return this.options.shownObject;
  }

  /** Whether any object had a score so far. The score's line then stays: nothing below it moves. */
  get hasScores(): ReadonlySignal<boolean> {
    return this.scored;
  }

  private async measure(details: ObjectDetails, signal: AbortSignal): Promise<void> {
    const { background, image, fail } = this.options;
    if (details.image !== image.scene.peek()?.image.index) return;
    try {
      const means = await background.meansOf(details, signal);
      if (!signal.aborted) this.measured.value = { details, means };
    } catch (error) {
      fail(error);
    }
  }
}

/** A table row as shown. Without an object it has no cells, only names of its columns. */
interface ShownRow {
  names: readonly string[];
  cells: readonly string[];
  /** The latest object that has a row, with its cells. */
  latest?: { details: ObjectDetails; cells: readonly string[] };
}

/** The table row of the inspected object. The names of columns stay when there is no object. */
class RowOfObject {
  /** How each cell agrees with the mask. Stays without a row, so that nothing below it moves. */
  readonly agreement: ReadonlySignal<readonly Agreement[]>;
  private readonly row = signal<ShownRow>({ names: [], cells: [] });
  private readonly open: Signal<boolean>;
  private readonly hasLoaded = signal(false);
  private details: ObjectDetails | undefined;
  /** Whether the cells may be from another table. */
  private isOld = false;
  private requests = 0;

  constructor(
    private readonly options: InspectedObjectOptions,
    shown: ReadonlySignal<ObjectDetails | undefined>,
  ) {
    const { background, link, port } = options;
    this.open = signal(port.view.rowOpen ?? true);
    this.agreement = computed(() => {
      const { names, latest } = this.row.value;
      const { areaRatio, areaRatioConstant } = link.value ?? {};
      if (!latest) return [];
      return rowAgreement(names, latest.cells, {
        details: latest.details,
        pixelSize: background.pixelSize.value?.size,
        areaRatio: areaRatioConstant ? areaRatio : undefined,
      });
    });
    shown.subscribe(details => this.follow(details));
  }

  get shownRow(): ReadonlySignal<ShownRow> {
    return this.row;
  }

  get isOpen(): ReadonlySignal<boolean> {
    return this.open;
  }

  /** Whether any object had a row so far. */
  get hasLoadedOnce(): ReadonlySignal<boolean> {
    return this.hasLoaded;
  }

  setOpen(open: boolean): void {
    if (open === this.open.peek()) return;
    this.options.port.updateView({ rowOpen: open });
    this.open.value = open;
    void this.load();
  }

  /** Rows and objects were linked, maybe with another table. New details of the object follow. */
  linked(): void {
    this.isOld = true;
  }

  /** Another object is in focus, or none. */
  private follow(details: ObjectDetails | undefined): void {
    const isSameRow = !this.isOld && this.details?.row === details?.row;
    this.isOld = false;
    this.details = details;
    if (!isSameRow) return void this.load();
    const { names, cells } = this.row.peek();
    if (details && cells.length > 0) this.row.value = { names, cells, latest: { details, cells } };
  }

  private async load(): Promise<void> {
    const { image, panel, fail } = this.options;
    const request = ++this.requests;
    const row = this.details?.row;
    if (row !== undefined && !this.open.peek()) this.hasLoaded.value = true;
    if (row === undefined || !this.open.peek()) {
      this.row.value = { ...this.row.peek(), cells: [] };
      return;
    }
    try {
      // The masks in view are loaded first.
      await image.scene.peek()?.painted;
      if (request !== this.requests) return;
      const { cells: rowCells } = await panel.request('objectRow', { row });
      const { details } = this;
      if (request !== this.requests || !details) return;
      const cells = rowCells.map(({ text }) => text);
      this.hasLoaded.value = true;
      this.row.value = { names: rowCells.map(({ name }) => name), cells, latest: { details, cells } };
    } catch (error) {
      if (request === this.requests) fail(error);
    }
  }
}
