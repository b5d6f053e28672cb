import { ImagePairs } from '../../archives/imageIdentity';
import { runInSlices } from '../../base/node/slices';
import { mapInSteps, type Steps } from '../../base/steps';
import { type SelectableJob, SelectableJobs } from './listedJobs';
import { pathOfItem, type RunItem, type SubmittedJob } from './runRecords';

/** A job that another one may be compared with. */
export interface ComparableJob extends SelectableJob {
  /** Number of images that both jobs have; undefined if unknown here. */
  inCommon: number | undefined;
}

/** The job whose masks are compared; it isn't among the jobs to select from. */
interface ComparedJob {
  id: string;
  /** The stored facts of the job; undefined if it wasn't submitted from here. */
  submitted: SubmittedJob | undefined;
}

/**
 * The succeeded jobs that a job can be compared with, loaded page by page. Jobs with common images
 * come first, then jobs whose images aren't known here, then jobs without common images.
 */
export class ComparableJobs {
  private readonly jobs: SelectableJobs;
  /** Numbers of common images, by the IDs of listed jobs. */
  private readonly counts = new Map<string, number | undefined>();

  constructor(
    session: ConstructorParameters<typeof SelectableJobs>[0],
    private readonly compared: ComparedJob,
  ) {
    this.jobs = new SelectableJobs(session, 'succeeded');
  }

  get items(): readonly ComparableJob[] {
    const listed = this.jobs.items
      .filter(({ id }) => this.counts.has(id))
      .map(job => ({ ...job, inCommon: this.counts.get(job.id) }));
    const rank = ({ inCommon }: ComparableJob) => (inCommon === undefined ? 1 : inCommon > 0 ? 0 : 2);
    return listed.sort((a, b) => rank(a) - rank(b));
  }

  get mayHaveMore(): boolean {
    return this.jobs.mayHaveMore;
  }

  /** Loads pages until another job can be selected, or no pages are left. */
  async loadMore(signal?: AbortSignal): Promise<ComparableJob[]> {
    const idsBefore = new Set(this.items.map(({ id }) => id));
    let loaded: ComparableJob[] = [];
    while (loaded.length === 0 && this.mayHaveMore) {
      await this.jobs.loadMore(signal);
      await this.countCommonImages(signal);
      loaded = this.items.filter(({ id }) => !idsBefore.has(id));
    }
    return loaded;
  }

  private async countCommonImages(signal?: AbortSignal): Promise<void> {
    const { id: comparedId, submitted: compared } = this.compared;
    for (const { id, submitted } of this.jobs.items) {
      if (id === comparedId || this.counts.has(id)) continue;
      const counting = countInCommon(itemsOf(compared), itemsOf(submitted));
      this.counts.set(id, await runInSlices(counting, signal));
    }
  }
}

function itemsOf(submitted: SubmittedJob | undefined): readonly RunItem[] {
  return submitted?.items ?? submitted?.filesystemIds.map(id => ({ id })) ?? [];
}

/**
 * Counts the images that two jobs have in common: the pairs that a comparison finds by items,
 * hashes and paths. Undefined if no pair is certain but some are possible: a person may pair
 * images, or items are folders or have no name.
 */
function* countInCommon(a: readonly RunItem[], b: readonly RunItem[]): Steps<number | undefined> {
  const pairs = new ImagePairs(a, b);
  yield* pairs.byKey('item', ({ id }) => id);
  yield* pairs.byKey('hash', ({ sha256 }) => sha256);
  const namesOf = (items: readonly RunItem[]) =>
    mapInSteps(items, item => [pathOfItem(item)].filter(path => path !== ''));
  yield* pairs.byNames(yield* namesOf(a), yield* namesOf(b));
  if (pairs.pairs.length > 0) return pairs.pairs.length;
  const areNamed = (items: readonly RunItem[]) =>
    items.length > 0 && items.every(item => !item.isFolder && pathOfItem(item) !== '');
  return pairs.doubtful.length > 0 || pairs.isOpen || !areNamed(a) || !areNamed(b) ? undefined : 0;
}
