import { createHash } from 'node:crypto';
import type { AnalyzedItem, ImageLink, LinkedByHand, LinkParams, LinkReport } from '../rowLinks';

/** Where links of images that a person made are kept with the result, and by what its images were linked at the last visit. */
export interface KeptImageLinks {
  byHand(): Promise<LinkedByHand[]>;
  setByHand(links: readonly LinkedByHand[]): Promise<void>;
  /** A digest of how images of the same name were linked last; undefined where they never were. */
  last(): Promise<string | undefined>;
  setLast(digest: string): Promise<void>;
}

interface KnownImagesOptions {
  /** All images that were analyzed, where that is known. */
  items: () => Promise<readonly AnalyzedItem[] | undefined>;
  kept: KeptImageLinks;
}

/** What is known besides the files of a result about which image is which: what was analyzed, and what a person said. */
export class KnownImages {
  private latest: readonly LinkedByHand[] = [];

  constructor(private readonly options: KnownImagesOptions) {}

  /** What a person linked, as it was when rows were linked last. */
  get byHand(): readonly LinkedByHand[] {
    return this.latest;
  }

  /** What rows are linked by, besides the files. */
  async known(): Promise<Pick<LinkParams, 'items' | 'byHand'>> {
    const { items, kept } = this.options;
    const [analyzed, byHand] = await Promise.all([items(), kept.byHand()]);
    this.latest = byHand;
    return { ...(analyzed && { items: analyzed }), ...(byHand.length > 0 && { byHand }) };
  }

  /** Links images, or unlinks those without a path; a path or an image has one link, the latest. */
  async change(links: readonly ImageLink[]): Promise<void> {
    const { kept } = this.options;
    const before = await kept.byHand();
    const added = links.flatMap(({ image, path }) => (path === null ? [] : [{ image, path }]));
    const images = new Set(links.map(({ image }) => image));
    const paths = new Set(added.map(({ path }) => path));
    const others = before.filter(({ image, path }) => !images.has(image) && !paths.has(path));
    await kept.setByHand([...others, ...added]);
  }

  /** The report, and whether images of the same name were linked in another way at an earlier visit; told once. */
  async compared(report: LinkReport, paths: readonly { image: number; path: string }[]): Promise<LinkReport> {
    if (!report.sameNames) return report;
    const { kept } = this.options;
    const byHand = digestOf(this.latest);
    const digest = `${byHand} ${digestOf(paths)}`;
    const last = await kept.last();
    if (last === digest) return report;
    await kept.setLast(digest);
    // A person who links by hand knows of what changes by that.
    const isOther = last?.startsWith(`${byHand} `) === true;
    return isOther ? { ...report, sameNames: { ...report.sameNames, differsFromBefore: true } } : report;
  }
}

function digestOf(links: unknown): string {
  return createHash('sha256').update(JSON.stringify(links)).digest('hex').slice(0, 16);
}
