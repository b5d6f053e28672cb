import type { MasksPageSide, MasksPanelSide } from '../../masksPage';
import type { RpcEndpoint } from '../../../protocol/rpc';
import { ByteBoundCache } from '../tiles/byteBoundCache';
import { loadValues } from '../loadedObjects';
import type { ObjectAttributes } from '../colors/objectColors';
import { TileLoader } from '../tiles/tileLoader';

const CACHE_BYTES = 16 * 2 ** 20;

/** What is known of an image's objects, and for which filter and column. */
interface Known {
  stamp: number;
  /** How many objects pass the filter. */
  shownCount?: number;
  attributes: Pick<ObjectAttributes, 'shown' | 'values'>;
}

/**
 * What the objects table says of the objects of listed images: which match its filter, and their values of the column that
 * colors them. Fetched only for images in view; older attributes stay until newer ones arrive.
 */
export class ThumbnailAttributes {
  private readonly known = new ByteBoundCache<Known>(CACHE_BYTES);
  private readonly loader: TileLoader<Known>;
  private stamp = 0;
  private filtered = false;
  private column: number | undefined;

  /** `onLoaded` is called with the image whose attributes have arrived. */
  constructor(
    private readonly panel: Pick<RpcEndpoint<MasksPageSide, MasksPanelSide>, 'request'>,
    onLoaded: (image: number) => void,
  ) {
    this.loader = new TileLoader({
      parallel: 2,
      // An image is a tile of a row of images; another filter is another row.
      fetch: ({ x, y }, signal) => this.fetch(x, y, signal),
      onTile: ({ x }, known) => {
        const { shown, values } = known.attributes;
        this.known.set(String(x), known, 256 + (shown?.byteLength ?? 0) + (values?.byteLength ?? 0));
        onLoaded(x);
      },
      // A thumbnail in other colors says no less; the page says of the image shown what went wrong.
      onFailure: () => undefined,
    });
  }

  /** The table's filters or links changed. */
  setFiltered(filtered: boolean): void {
    this.filtered = filtered;
    this.stamp++;
  }

  /** The column of the table that objects are colored by, if they are. */
  setColumn(column: number | undefined): void {
    if (column === this.column) return;
    this.column = column;
    this.stamp++;
  }

  /** These images are in view. */
  want(images: readonly number[]): void {
    const isNeeded = this.filtered || this.column !== undefined;
    const lacking = images.filter(image => this.known.get(String(image))?.stamp !== this.stamp);
    this.loader.want(isNeeded ? lacking.map(x => ({ level: 0, x, y: this.stamp })) : []);
  }

  /** What is known of the objects of an image. */
  of(image: number): Known['attributes'] {
    const { shown, values } = this.known.peek(String(image))?.attributes ?? {};
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
    const attributes = {
      ...(shown && { shown: new Uint8Array(shown) }),
      ...(values && { values }),
    };
    const shownCount = attributes.shown?.reduce((sum, one) => sum + one, 0);
    return { stamp, attributes, ...(shownCount !== undefined && { shownCount }) };
  }
}
