import { distinctNamesInSteps, type ImagePath, imagePathsOf, pathOfImage } from '../../archives/masksSummary';
import { runInSlices } from '../../base/node/slices';
import { PartKey } from '../../base/parts';
import type { AddSessionParts, ResultSession } from '../../session/node/resultSession';
import type { ResultSource } from '../../session/node/resultSource';
import type { ImageLink, MasksThumbnail, ShownImageLinks } from '../rowLinks';
import { ContentsReport } from './contentsReport';
import { LinkEvidence, SessionLinks, sessionLinks } from './sessionLinks';
import type { StoredLinks } from './storedLinks';
import { ImageOfRow, imageOfRow, SessionRows, sessionRows } from './sessionRows';

/** Longer side in pixels of the thumbnails of unlinked images. */
const LINK_THUMBNAIL = 96;

/** The links of images that a user sees and changes. */
class LinkedImages {
  constructor(
    private readonly session: ResultSession,
    private readonly evidence: LinkEvidence,
  ) {}

  /** The paths that images with equal names got from the links of rows; empty without links. */
  get paths(): ImagePath[] {
    return imagePathsOf(this.session.masks.images ?? []);
  }

  /** The unlinked images, and the user's links. Throws `bad-request` if no masks are open. */
  async openImages(signal: AbortSignal): Promise<ShownImageLinks> {
    const { session } = this;
    await session.get(sessionLinks).settled();
    const { images } = await session.masks.open(signal);
    const { groups, isCut } = await session.request('openImages', {}, signal);
    const names = await runInSlices(distinctNamesInSteps(images.map(pathOfImage)), signal);
    const indexOf = new Map(images.map(({ id, index }) => [id, index]));
    return {
      groups: groups.map(({ images: unlinked, paths }) => ({
        images: unlinked.map(entry => ({
          ...entry,
          id: images[entry.image]?.id ?? '',
          name: names[entry.image] ?? '',
        })),
        paths,
      })),
      isCut,
      byHand: this.evidence.byHand.flatMap(({ image, path }) => {
        const index = indexOf.get(image);
        return index === undefined ? [] : [{ image, name: names[index] ?? '', path }];
      }),
    };
  }

  /** Links images to paths of the table, or unlinks them; stores the links with the result. */
  async link(links: readonly ImageLink[], signal: AbortSignal): Promise<ShownImageLinks> {
    await this.evidence.change(links);
    await this.session.get(sessionLinks).linkAgain();
    return this.openImages(signal);
  }

  /** The thumbnail of an image's masks. */
  async thumbnail(image: number, signal: AbortSignal): Promise<MasksThumbnail> {
    const params = { image, size: LINK_THUMBNAIL };
    const { width, height, labels } = await this.session.masks.request('thumbnail', params, signal);
    return { width, height, labels };
  }
}

export const linkedImages = new PartKey<LinkedImages>('linkedImages');

const contentsReport = new PartKey<ContentsReport>('contentsReport');

/**
 * Adds the parts of a session that connect its table and masks: they link rows with objects and
 * images with paths, and share the shown and the selected rows.
 */
export function linkParts(storeOf: (source: ResultSource) => StoredLinks): AddSessionParts {
  return session => {
    const { source, tables, masks, request, signal, log } = session;
    const evidence = new LinkEvidence({
      items: async () => source.analyzedItems?.(),
      store: storeOf(source),
    });
    const links: SessionLinks = session.add(
      sessionLinks,
      new SessionLinks({
        areMasksOpen: () => masks.images !== undefined || source.engine !== undefined,
        wouldMeasure: abortSignal => session.tableSources.wouldMeasure(abortSignal),
        openTable: abortSignal => tables.open('objects', abortSignal),
        whenTableRead: abortSignal => tables.whenRead('objects', abortSignal),
        request,
        evidence,
        onPaths: paths => masks.setPaths(paths),
        signal,
        log,
      }),
    );
    session.add(sessionRows, new SessionRows());
    const imageOfCurrentRow = session.add(
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
    masks.onDidSetPaths(() => imageOfCurrentRow.linked());
    session.add(linkedImages, new LinkedImages(session, evidence));
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
