import { endsOf } from '../../archives/imageNames';
import { pathParts } from '../../base/pathParts';
import { type SelectableJob, SelectableJobs } from './listedJobs';
import { pathOfItem, type RunItem, type SubmittedJob } from './runRecords';

/** A job that another one may be compared with. */
export interface ComparableJob extends SelectableJob {
  /** How many of its images the other job has too; undefined where that is unknown here. */
  inCommon: number | undefined;
}

/** The job whose masks are compared: none of the jobs to select from is it. */
export interface ComparedJob {
  id: string;
  /** What is stored of it; missing where it was not submitted from here. */
  submitted: SubmittedJob | undefined;
}

/**
 * The jobs to compare a job with, page by page: succeeded ones, without the job itself. Of those
 * listed so far, jobs with common images come first, then jobs whose images aren't known here, then
 * those without common images.
 */
export class ComparableJobs {
  private readonly jobs: SelectableJobs;
  private readonly images: KnownImages;
  private readonly counts = new Map<string, number | undefined>();

  constructor(
    session: ConstructorParameters<typeof SelectableJobs>[0],
    private readonly compared: ComparedJob,
  ) {
    this.jobs = new SelectableJobs(session, 'succeeded');
    this.images = new KnownImages(itemsOf(compared.submitted));
  }

  get items(): readonly ComparableJob[] {
    const jobs = this.jobs.items.filter(({ id }) => id !== this.compared.id);
    const listed = jobs.map(job => ({ ...job, inCommon: this.countOf(job) }));
    const rank = ({ inCommon }: ComparableJob) => (inCommon === undefined ? 1 : inCommon > 0 ? 0 : 2);
    return listed.sort((a, b) => rank(a) - rank(b));
  }

  get mayHaveMore(): boolean {
    return this.jobs.mayHaveMore;
  }

  /** Loads pages until there is another job to select, or none are left. */
  async loadMore(signal?: AbortSignal): Promise<ComparableJob[]> {
    const before = new Set(this.items.map(({ id }) => id));
    let loaded: ComparableJob[] = [];
    while (loaded.length === 0 && this.mayHaveMore) {
      await this.jobs.loadMore(signal);
      loaded = this.items.filter(({ id }) => !before.has(id));
    }
    return loaded;
  }

  private countOf({ id, submitted }: SelectableJob): number | undefined {
    if (!this.counts.has(id)) this.counts.set(id, this.images.inCommon(itemsOf(submitted)));
    return this.counts.get(id);
  }
}

function itemsOf(submitted: SubmittedJob | undefined): readonly RunItem[] {
  return submitted?.items ?? submitted?.filesystemIds.map(id => ({ id })) ?? [];
}

/** The images of a job, to count which of another job's they are. */
class KnownImages {
  private readonly ids = new Set<string>();
  private readonly hashes = new Set<string>();
  private readonly paths = new Set<string>();
  /** The ends of the paths. */
  private readonly ends = new Set<string>();

  constructor(private readonly items: readonly RunItem[]) {
    for (const item of items) {
      this.ids.add(item.id);
      if (item.sha256 !== undefined) this.hashes.add(item.sha256);
      const ends = endsOfItem(item);
      if (ends.length > 0) this.paths.add(ends.at(-1) ?? '');
      for (const end of ends) this.ends.add(end);
    }
  }

  /**
   * How many of these items are among the images, by what `pairImages` pairs images of two archives
   * by: the item, the hash of its file, or a path of which one is the other's end. Undefined if
   * some are uncertain: in folders, or without a name.
   */
  inCommon(others: readonly RunItem[]): number | undefined {
    const count = others.filter(item => this.has(item)).length;
    if (count > 0) return count;
    const areNamed = (items: readonly RunItem[]) =>
      items.length > 0 && items.every(item => !item.isFolder && pathOfItem(item) !== '');
    return areNamed(this.items) && areNamed(others) ? 0 : undefined;
  }

  private has(item: RunItem): boolean {
    if (this.ids.has(item.id)) return true;
    if (item.sha256 !== undefined && this.hashes.has(item.sha256)) return true;
    const ends = endsOfItem(item);
    return this.ends.has(ends.at(-1) ?? '') || ends.some(end => this.paths.has(end));
  }
}

/** The ends of the path of an item; none where its name isn't known. */
function endsOfItem(item: RunItem): string[] {
  return endsOf(pathParts(pathOfItem(item)));
}
