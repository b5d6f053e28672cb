import { distinctNamesInSteps, type ImagePath, imagePathsOf, pathOfImage } from '../../archives/masksSummary';
import { runInSlices } from '../../base/node/slices';
import { PartKey } from '../../base/parts';
import type { AddSessionParts, ResultSession } from '../../session/node/resultSession';
import type { ResultSource } from '../../session/node/resultSource';
import type { ImageLink, MasksThumbnail, ShownImageLinks } from '../rowLinks';
import { ContentsReport } from './contentsReport';
import { KnownImages, SessionLinks, sessionLinks } from './sessionLinks';
import type { StoredLinks } from './storedLinks';
import { ImageOfRow, imageOfRow, SessionRows, sessionRows } from './sessionRows';

/** Pixels of the longer side of the thumbnails in questions to the user. */
const LINK_THUMBNAIL = 96;

/** The links of images, as a user sees and changes them. */
class LinkedImages {
  constructor(
    private readonly session: ResultSession,
    private readonly images: KnownImages,
  ) {}

  /** The paths of images that share names, if rows are linked. */
  get paths(): ImagePath[] {
    return imagePathsOf(this.session.masks.images ?? []);
  }

  /** The ambiguous images, and a user's links. Throws `bad-request` without open masks. */
  async openImages(signal: AbortSignal): Promise<ShownImageLinks> {
    const { session } = this;
    await session.get(sessionLinks).settled();
    const { images } = await session.masks.open(signal);
    const { groups, isCut } = await session.request('openImages', {}, signal);
    const names = await runInSlices(distinctNamesInSteps(images.map(pathOfImage)), signal);
    const indexOf = new Map(images.map(({ id, index }) => [id, index]));
    return {
      groups: groups.map(({ images: open, paths }) => ({
        images: open.map(each => ({
          ...each,
          id: images[each.image]?.id ?? '',
          name: names[each.image] ?? '',
        })),
        paths,
      })),
      isCut,
      byHand: this.images.byHand.flatMap(({ image, path }) => {
        const index = indexOf.get(image);
        return index === undefined ? [] : [{ image, name: names[index] ?? '', path }];
      }),
    };
  }

  /** Links images to paths of the table by hand, or undoes that, and stores it with the result. */
  async link(links: readonly ImageLink[], signal: AbortSignal): Promise<ShownImageLinks> {
    await this.images.change(links);
    await this.session.get(sessionLinks).linkAgain();
    return this.openImages(signal);
  }

  /** The thumbnail of an ambiguous image's masks. */
  async thumbnail(image: number, signal: AbortSignal): Promise<MasksThumbnail> {
    const params = { image, size: LINK_THUMBNAIL };
    const { width, height, labels } = await this.session.masks.request('thumbnail', params, signal);
    return { width, height, labels };
  }
}

export const linkedImages = new PartKey<LinkedImages>('linkedImages');

const contentsReport = new PartKey<ContentsReport>('contentsReport');

/**
 * The links of a session: between rows and objects, between images and paths, and the rows that
 * table and masks share. `kept` stores a user's links.
 */
export function linkParts(kept: (source: ResultSource) => StoredLinks): AddSessionParts {
  return session => {
    const { source, tables, masks, request, signal, log } = session;
    const images = new KnownImages({ items: async () => source.analyzedItems?.(), kept: kept(source) });
    const links: SessionLinks = session.add(
      sessionLinks,
      new SessionLinks({
        areMasksOpen: () => masks.images !== undefined || source.engine !== undefined,
        wouldMeasure: each => session.tableSources.wouldMeasure(each),
        openTable: each => tables.open('objects', each),
        whenTableRead: each => tables.whenRead('objects', each),
        request,
        images,
        onPaths: paths => masks.setPaths(paths),
        signal,
        log,
      }),
    );
    session.add(sessionRows, new SessionRows());
    const ofRow = session.add(
      imageOfRow,
      new ImageOfRow({
        images: () => masks.images,
        linkSettled: () => links.settled(),
        columns: async () => (await tables.open('aggregate', signal)).columns,
        cell: async (row, column) => {
          const params = { sort: [], start: row, end: row + 1, columns: [column] };
          return (await tables.request('aggregate', 'tableRows', params, signal)).rows[0]?.[0] ?? '';
        },
        onError: error => log.info('Following a mark', error),
      }),
    );
    masks.onDidSetPaths(() => ofRow.linked());
    session.add(linkedImages, new LinkedImages(session, images));
    const linkSettled = () => links.settled();
    const report = session.add(
      contentsReport,
      new ContentsReport({ source, tables, linkSettled, request, signal, log }),
    );
    tables.onDidOpen(kind => {
      if (kind === 'aggregate') report.aggregateOpened();
      if (kind !== 'objects') return;
      if (session.tableSources.hasObjects) report.objectsOpened();
      links.tableOpened();
    });
    masks.onDidOpen(opened => {
      report.masksOpened(opened);
      links.masksOpened();
    });
  };
}
