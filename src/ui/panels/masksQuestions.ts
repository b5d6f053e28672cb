import type { MasksPanelSide } from '../../protocol/masksPage';
import type { RequestHandlers } from '../../protocol/rpc';
import { boxOf, finiteNumbers, optionalBuffer, optionalNumber, wholeNumbers } from './masksParams';
import { finiteNumber, objectRef, tilePlace, wholeNumber } from './pageParams';
import { pictureLook } from './pictureParams';
import type { ResultSession } from './resultSession';

type Questions = Pick<
  MasksPanelSide['requests'],
  | 'labelTile'
  | 'maskObjects'
  | 'objectMeasures'
  | 'thumbnail'
  | 'objectsAt'
  | 'objectDetails'
  | 'objectsInRegion'
  | 'objectColumns'
  | 'objectValues'
  | 'valueScale'
  | 'shownObjects'
  | 'objectRow'
  | 'pickObjects'
  | 'pictureTile'
  | 'pictureContrast'
  | 'lockContrast'
  | 'pixelValues'
  | 'objectIntensity'
>;

/** Bins of a column's histogram: fine enough to cut off outliers by them. */
const BINS = 256;

/** Handlers that check what the masks page asks and pass it on to the engine. */
export function masksQuestionHandlers(
  session: Pick<ResultSession, 'askMasks' | 'askTable' | 'openTable' | 'link' | 'shown' | 'pickRows'>,
): RequestHandlers<Questions> {
  return {
    labelTile: ({ image, hidden, ...place }, signal) => {
      const bits = optionalBuffer(hidden);
      const asked = { image: wholeNumber(image), ...tilePlace(place), ...(bits && { hidden: bits }) };
      return session.askMasks('labelTile', asked, signal);
    },
    maskObjects: ({ image, from }, signal) =>
      session.askMasks('maskObjects', { image: wholeNumber(image), from: optionalNumber(from) ?? 0 }, signal),
    objectMeasures: ({ image, from }, signal) =>
      session.askMasks(
        'objectMeasures',
        { image: wholeNumber(image), from: optionalNumber(from) ?? 0 },
        signal,
      ),
    thumbnail: ({ image, size }, signal) =>
      session.askMasks('thumbnail', { image: wholeNumber(image), size: wholeNumber(size) }, signal),
    objectsAt: ({ image, x, y }, signal) =>
      session.askMasks(
        'objectsAt',
        { image: wholeNumber(image), x: finiteNumber(x), y: finiteNumber(y) },
        signal,
      ),
    objectDetails: (object, signal) => session.askMasks('objectDetails', objectRef(object), signal),
    objectsInRegion: ({ image, polygon, box }, signal) =>
      session.askMasks(
        'objectsInRegion',
        {
          image: wholeNumber(image),
          ...(box ? { box: boxOf(box) } : { polygon: finiteNumbers(polygon) }),
        },
        signal,
      ),
    objectColumns: async (_, signal) => {
      if (!session.link || session.link.matched === 0) return { columns: [] };
      const { columns } = await session.openTable('objects', signal);
      const { idColumn } = session.link;
      const numeric = columns.filter(({ kind, name }) => kind === 'number' && name !== idColumn);
      return { columns: numeric.map(({ index, name }) => ({ column: index, name })) };
    },
    objectValues: ({ image, column, from }, signal) => {
      const asked = { image: wholeNumber(image), column: wholeNumber(column) };
      return session.askMasks('objectValues', { ...asked, from: optionalNumber(from) ?? 0 }, signal);
    },
    valueScale: async ({ column }, signal) => {
      const asked = { table: 'objects', sort: [], column: wholeNumber(column), bins: BINS };
      const { min, max, all } = await session.askTable('objects', 'tableHistogram', asked, signal);
      return { min, max, counts: all };
    },
    shownObjects: async ({ image }, signal) => {
      const { shown } = session;
      if (!shown) return { shown: null };
      const { filters = [] } = shown.view;
      return session.askMasks(
        'shownObjects',
        { image: wholeNumber(image), view: { sort: [], filters } },
        signal,
      );
    },
    objectRow: async ({ row }, signal) => {
      const start = wholeNumber(row);
      const { columns } = await session.openTable('objects', signal);
      const asked = { table: 'objects', sort: [], start, end: start + 1 };
      const { rows } = await session.askTable('objects', 'tableRows', asked, signal);
      const cells = rows[0] ?? [];
      return { cells: columns.map(({ name }, at) => ({ name, text: cells[at] ?? '' })) };
    },
    pickObjects: async ({ image, objects }, signal) => {
      const asked = { image: wholeNumber(image), objects: wholeNumbers(objects) };
      const { rows } = await session.askMasks('rowsOfObjects', asked, signal);
      const found = Array.from(new Uint32Array(rows));
      if (found.length > 0) await session.pickRows(found, signal);
      return { rows: found.length };
    },
    pictureTile: ({ picture, look, ...place }, signal) => {
      const asked = pictureLook(look);
      return session.askMasks(
        'pictureTile',
        { picture: wholeNumber(picture), ...tilePlace(place), ...(asked && { look: asked }) },
        signal,
      );
    },
    pictureContrast: ({ picture, look }, signal) => {
      const asked = pictureLook(look);
      return session.askMasks(
        'pictureContrast',
        { picture: wholeNumber(picture), ...(asked && { look: asked }) },
        signal,
      );
    },
    lockContrast: ({ picture, channels }, signal) =>
      session.askMasks(
        'lockContrast',
        {
          picture: wholeNumber(picture),
          channels:
            channels?.map(({ low, high }) => ({ low: finiteNumber(low), high: finiteNumber(high) })) ?? null,
        },
        signal,
      ),
    pixelValues: ({ picture, x, y, look }, signal) => {
      const asked = pictureLook(look);
      return session.askMasks(
        'pixelValues',
        {
          picture: wholeNumber(picture),
          x: wholeNumber(x),
          y: wholeNumber(y),
          ...(asked && { look: asked }),
        },
        signal,
      );
    },
    objectIntensity: ({ picture, look, ...object }, signal) => {
      const asked = pictureLook(look);
      return session.askMasks(
        'objectIntensity',
        { picture: wholeNumber(picture), ...objectRef(object), ...(asked && { look: asked }) },
        signal,
      );
    },
  };
}
