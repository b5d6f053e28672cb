import { Pager } from '../../service/node/pager';
import type { Pipeline } from '../../service/wire';
import type { JobSession } from './jobSessions';
import { recentFirst } from './recentFirst';

/** How many pages are searched for the pipeline that was used last, which is offered first. */
const MAX_SEARCHED = 10;

/** The account's pipelines, for a person to select one: those used recently first, then page by page as the service lists them. */
export class SelectablePipelines {
  private readonly pager: Pager<Pipeline>;

  /** `recent` are the IDs of pipelines that were used, the latest first. */
  constructor(
    { client }: { client: Pick<JobSession['client'], 'listPipelines'> },
    private readonly recent: readonly string[],
  ) {
    this.pager = new Pager((startingAfter, signal) =>
      client.listPipelines({ ...(startingAfter && { startingAfter }) }, signal),
    );
  }

  get items(): readonly Pipeline[] {
    return recentFirst(this.pager.items, this.recent);
  }

  get mayHaveMore(): boolean {
    return this.pager.mayHaveMore;
  }

  isLastUsed({ id }: Pick<Pipeline, 'id'>): boolean {
    return id === this.recent[0];
  }

  async loadMore(signal?: AbortSignal): Promise<Pipeline[]> {
    const loaded = await this.pager.loadMore(signal);
    const [last] = this.recent;
    const isMissing = () => last !== undefined && !this.pager.items.some(({ id }) => id === last);
    for (let page = 1; page < MAX_SEARCHED && !this.pager.done && isMissing(); page++)
      loaded.push(...(await this.pager.loadMore(signal)));
    return loaded;
  }
}
