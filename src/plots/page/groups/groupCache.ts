import type { PlotSource } from '../plotSource';

type Groups = ReturnType<PlotSource['allGroups']>;

/** Groups of all rows, which filters don't change: requested once until the table changes. */
export class GroupCache {
  private readonly groups = new Map<string, Groups>();

  constructor(private readonly source: Pick<PlotSource, 'allGroups'>) {}

  get(params: Parameters<PlotSource['allGroups']>[0]): Groups {
    const key = JSON.stringify(params);
    const cached = this.groups.get(key);
    if (cached) return cached;
    const requested = this.source.allGroups(params);
    this.groups.set(key, requested);
    requested.catch(() => this.groups.get(key) === requested && this.groups.delete(key));
    return requested;
  }

  clear(): void {
    this.groups.clear();
  }
}
