import { ImagePairs } from '../../archives/imageIdentity';
import { runInSlices } from '../../base/node/slices';
import { mapInSteps, type Steps } from '../../base/steps';
import { type SelectableJob, SelectableJobs } from './listedJobs';
import { pathOfItem, type RunItem, type SubmittedJob } from './runRecords';

/** A job that another one may be compared with. */
export interface ComparableJob extends SelectableJob {
  /** How many of its images the other job has too; undefined where that is unknown here. */
  inCommon: number | undefined;
}

/** The job whose masks are compared: none of the jobs to select from is it. */
interface ComparedJob {
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
  /** Of jobs that are listed. */
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

  /** Loads pages until there is another job to select, or none are left. */
  async loadMore(signal?: AbortSignal): Promise<ComparableJob[]> {
    const before = new Set(this.items.map(({ id }) => id));
    let loaded: ComparableJob[] = [];
    while (loaded.length === 0 && this.mayHaveMore) {
      await this.jobs.loadMore(signal);
      await this.count(signal);
      loaded = this.items.filter(({ id }) => !before.has(id));
    }
    return loaded;
  }

  private async count(signal?: AbortSignal): Promise<void> {
    const { id: own, submitted: compared } = this.compared;
    for (const { id, submitted } of this.jobs.items) {
      if (id === own || this.counts.has(id)) continue;
      const counting = countInCommon(itemsOf(compared), itemsOf(submitted));
      this.counts.set(id, await runInSlices(counting, signal));
    }
  }
}

function itemsOf(submitted: SubmittedJob | undefined): readonly RunItem[] {
  return submitted?.items ?? submitted?.filesystemIds.map(id => ({ id })) ?? [];
}

/**
 * How many images two jobs have in common: as many as comparing them pairs by items, hashes and
 * paths. Undefined where none is a pair for certain, and some may be one: a person may pair them,
 * or they are in folders, or have no name.
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
