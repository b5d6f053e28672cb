import type { MasksPageSide, MasksPanelSide } from '../../protocol/masksPage';
import type { RpcEndpoint } from '../../protocol/rpc';
import { ByteBoundCache } from './byteBoundCache';
import { loadValues } from './imageObjects';
import type { ObjectFacts } from './objectColours';
import { TileLoader } from './tileLoader';

const CACHE_BYTES = 16 * 2 ** 20;

/** What is known of an image's objects, and for which filter and column. */
interface Known {
  stamp: number;
  /** How many objects pass the filter. */
  shownCount?: number;
  facts: Pick<ObjectFacts, 'shown' | 'values'>;
}

/**
 * What the objects table says of the objects of images in the list: which pass its filter, and their values of the column
 * that is coloured by. Fetched for what is in view alone; what was known before stands until the new is there.
 */
export class ThumbnailFacts {
  private readonly known = new ByteBoundCache<Known>(CACHE_BYTES);
  private readonly loader: TileLoader<Known>;
  private stamp = 0;
  private filtered = false;
  private column: number | undefined;

  /** `onFacts` hears of which image something is known now. */
  constructor(
    private readonly panel: Pick<RpcEndpoint<MasksPageSide, MasksPanelSide>, 'request'>,
    onFacts: (image: number) => void,
  ) {
    this.loader = new TileLoader({
      parallel: 2,
      // An image is a tile of a row of images; another filter is another row.
      fetch: ({ x, y }, signal) => this.fetch(x, y, signal),
      onTile: ({ x }, known) => {
        const { shown, values } = known.facts;
        this.known.set(String(x), known, 256 + (shown?.byteLength ?? 0) + (values?.byteLength ?? 0));
        onFacts(x);
      },
      // A thumbnail in other colours says no less; the page says of the image shown what went wrong.
      onFailure: () => undefined,
    });
  }

  /** The table is filtered, filtered otherwise, or linked anew. */
  setFiltered(filtered: boolean): void {
    this.filtered = filtered;
    this.stamp++;
  }

  /** The column of the table that objects are coloured by, if they are. */
  setColumn(column: number | undefined): void {
    if (column === this.column) return;
    this.column = column;
    this.stamp++;
  }

  /** These images are in view. */
  want(images: readonly number[]): void {
    const isAsked = this.filtered || this.column !== undefined;
    const lacking = images.filter(image => this.known.get(String(image))?.stamp !== this.stamp);
    this.loader.want(isAsked ? lacking.map(x => ({ level: 0, x, y: this.stamp })) : []);
  }

  /** What is known of the objects of an image. */
  of(image: number): Known['facts'] {
    const { shown, values } = this.known.peek(String(image))?.facts ?? {};
    return {
      ...(this.filtered && shown && { shown }),
      ...(this.column !== undefined && values && { values }),
    };
  }

  /** How many objects of an image pass the table's filter; undefined without one, or while it is not known. */
  shownCount(image: number): number | undefined {
    return this.filtered ? this.known.peek(String(image))?.shownCount : undefined;
  }

  private async fetch(image: number, stamp: number, signal: AbortSignal): Promise<Known> {
    const { filtered, column } = this;
    const { shown } = filtered ? await this.panel.request('shownObjects', { image }, signal) : {};
    const values = column === undefined ? undefined : await loadValues(this.panel, image, column, signal);
    const facts = {
      ...(shown && { shown: new Uint8Array(shown) }),
      ...(values && { values }),
    };
    const shownCount = facts.shown?.reduce((sum, one) => sum + one, 0);
    return { stamp, facts, ...(shownCount !== undefined && { shownCount }) };
  }
}
