import { Pager } from '../../service/node/pager';
import type { FilesystemItem } from '../../service/wire';
import type { RunItem } from './runs/runRecord';
import type { JobSession } from './jobSessions';

interface OpenFolder {
  /** Undefined for the top. */
  name: string | undefined;
  pager: Pager<FilesystemItem>;
}

/** An item that is selected, and the name of the folder it is in. */
export interface SelectedItem extends RunItem {
  folder?: string;
}

/** An item of the service as one that is selected. */
export function selectedItem(
  { id, name, __t }: Pick<FilesystemItem, 'id' | 'name' | '__t'>,
  folder: string | undefined,
): SelectedItem {
  return {
    id,
    ...(name !== undefined && { name }),
    ...(__t === 'Folder' && { isFolder: true as const }),
    ...(folder !== undefined && { folder }),
  };
}

/** What a name for a job on these items can be made of. */
export function namedInput(
  items: readonly SelectedItem[],
  count: number,
): { names: string[]; count: number; folder?: string } {
  const folder = items[0]?.folder;
  return {
    names: items.flatMap(({ name }) => name ?? []),
    count,
    ...(folder !== undefined && items.every(item => item.folder === folder) && { folder }),
  };
}

/** The items selected for a job, over any number of folders, and the folder that is open at the moment. */
export class ItemSelection {
  private readonly selected: Map<string, SelectedItem>;
  private readonly parents: OpenFolder[] = [];
  private folder: OpenFolder;

  /** `before` are the items selected at first. */
  constructor(
    private readonly session: Pick<JobSession, 'client'>,
    before: readonly SelectedItem[],
  ) {
    this.selected = new Map(before.map(item => [item.id, item]));
    this.folder = this.open(undefined);
  }

  /** In the order in which they were selected. */
  get items(): SelectedItem[] {
    return [...this.selected.values()];
  }

  /** The names of the open folder and those around it, outermost first; empty at the top. */
  get path(): string[] {
    return [...this.parents, this.folder].map(({ name }) => name).filter(name => name !== undefined);
  }

  /** The content of the open folder. */
  get list(): Pager<FilesystemItem> {
    return this.folder.pager;
  }

  /** How many selected items the list lacks: those of other folders, and of pages that aren't loaded. */
  get notListed(): number {
    const listed = this.list.items.filter(({ id }) => this.selected.has(id));
    return this.selected.size - listed.length;
  }

  isSelected(id: string): boolean {
    return this.selected.has(id);
  }

  /** Selects some of the listed items and deselects the others. Items of other folders stay as they are. */
  selectListed(listed: readonly { id: string }[], selected: readonly FilesystemItem[]): void {
    for (const { id } of listed) this.selected.delete(id);
    for (const item of selected) this.selected.set(item.id, selectedItem(item, this.folder.name));
  }

  openFolder({ id, name }: Pick<FilesystemItem, 'id' | 'name'>): void {
    this.parents.push(this.folder);
    this.folder = this.open(name ?? id, id);
  }

  /** Does nothing at the top. */
  openParent(): void {
    this.folder = this.parents.pop() ?? this.folder;
  }

  private open(name: string | undefined, folderId?: string): OpenFolder {
    const pager = new Pager<FilesystemItem>((startingAfter, signal) =>
      this.session.client.listFilesystemItems(
        { ...(startingAfter && { startingAfter }), ...(folderId && { folderId }) },
        signal,
      ),
    );
    return { name, pager };
  }
}
