import { type CodedError, isCoded } from '../../base/errors';
import { Pager } from '../../service/node/pager';
import type { FilesystemItem, Pipeline } from '../../service/wire';
import { FileNode } from '../../uploads/node/fileNode';
import type { JobSession } from './jobSessions';
import { isUnprotected } from './submitState';
import { PipelineNode, recentFirst } from './pipelineNodes';
import type { DescribedRequest, RunItem } from './runRecords';
import { submit } from './submit';
import type { SubmitOptions } from './submitGuard';

/** The known details of a job, before a person is asked for missing ones. */
export interface JobDefaults {
  pipelineId?: string;
  pipelineDescription?: string;
  filesystemIds?: readonly string[];
  /** Further facts of the items, or of the files that will be uploaded first. */
  items?: readonly SelectedItem[];
  /** Number of files that will be uploaded first; then the person isn't asked for items. */
  fileCount?: number;
  /** Number of these files that the service already has and that aren't sent again. */
  uploadedCount?: number;
  name?: string;
  /** Whether to generate masks, from an earlier choice. */
  masks?: boolean;
}

/** Whether no details are missing; the name isn't needed. */
export function isComplete(defaults: JobDefaults | DescribedRequest): defaults is DescribedRequest {
  return (
    defaults.pipelineId !== undefined && defaults.filesystemIds !== undefined && !('fileCount' in defaults)
  );
}

/** Details to ask for, in order. The last step also shows the item count and use of credits. */
export function missingDetails(defaults: JobDefaults): ('pipeline' | 'items' | 'name')[] {
  return [
    ...(defaults.pipelineId === undefined ? (['pipeline'] as const) : []),
    ...(defaults.filesystemIds === undefined && defaults.fileCount === undefined ? (['items'] as const) : []),
    'name',
  ];
}

/** The result of a person's submit. If it is ambiguous, the person decides. */
type SubmitOutcome =
  | { kind: 'submitted'; jobId: string }
  /** The person canceled after the request was sent: the job may run and use credits. */
  | { kind: 'canceled-after-sending' }
  /** The response was lost. The candidates are new jobs; one may be the submitted job. */
  | { kind: 'ambiguous'; candidates: readonly string[] }
  /** Nothing was sent, because other windows can't see the submit. */
  | { kind: 'unprotected'; error: CodedError };

/** Submits a person's job. Throws errors of the submit guard that aren't outcomes above. */
export async function trySubmit(
  session: JobSession,
  request: DescribedRequest,
  options: SubmitOptions,
): Promise<SubmitOutcome> {
  try {
    return { kind: 'submitted', jobId: await submit(session, request, 'person', options) };
  } catch (error) {
    if (isCoded(error, 'cancelled') && error.details.sent) return { kind: 'canceled-after-sending' };
    if (isUnprotected(error)) return { kind: 'unprotected', error };
    if (!isCoded(error, 'ambiguous-submit')) throw error;
    return { kind: 'ambiguous', candidates: error.details.candidates ?? [] };
  }
}

interface OpenFolder {
  /** Undefined for the topmost folder. */
  name: string | undefined;
  pager: Pager<FilesystemItem>;
}

/** A selected item, with the name of its folder. */
export interface SelectedItem extends RunItem {
  folder?: string;
}

/** Makes a selected item of an item of the service. */
function selectedItem(
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

/** The parts of a job's proposed name. */
export function namedInput(
  items: readonly SelectedItem[],
  count: number,
): { names: string[]; count: number; folders: string[] } {
  const folders = new Set(items.map(({ folder = '' }) => folder));
  return {
    names: items.flatMap(({ name }) => name ?? []),
    count,
    // Folder names would hide items that are in no folder.
    folders: folders.has('') ? [] : [...folders],
  };
}

/** Items selected for a job, in any folders, and the open folder. */
export class ItemSelection {
  private readonly selected: Map<string, SelectedItem>;
  private readonly parents: OpenFolder[] = [];
  private folder: OpenFolder;

  /** `initialItems` are selected at first. */
  constructor(
    private readonly session: Pick<JobSession, 'client'>,
    initialItems: readonly SelectedItem[],
  ) {
    this.selected = new Map(initialItems.map(item => [item.id, item]));
    this.folder = this.open(undefined);
  }

  /** The selected items, in the order of selection. */
  get items(): SelectedItem[] {
    return [...this.selected.values()];
  }

  /** Names of the open folder and its parents, outermost first; empty at the top. */
  get path(): string[] {
    return [...this.parents, this.folder].map(({ name }) => name).filter(name => name !== undefined);
  }

  /** The content of the open folder. */
  get list(): Pager<FilesystemItem> {
    return this.folder.pager;
  }

  /** Number of selected items that aren't listed: in other folders or on unloaded pages. */
  get notListed(): number {
    const listedItems = this.list.items.filter(({ id }) => this.selected.has(id));
    return this.selected.size - listedItems.length;
  }

  isSelected(id: string): boolean {
    return this.selected.has(id);
  }

  /** Sets which of the listed items are selected. Items of other folders stay selected. */
  selectListed(listed: readonly { id: string }[], selected: readonly FilesystemItem[]): void {
    for (const { id } of listed) this.selected.delete(id);
    for (const item of selected) this.selected.set(item.id, selectedItem(item, this.folder.name));
  }

  openFolder({ id, name }: Pick<FilesystemItem, 'id' | 'name'>): void {
    this.parents.push(this.folder);
    this.folder = this.open(name ?? id, id);
  }

  /** Opens the parent folder; does nothing at the top. */
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

// A tree passes two arguments to its commands: the clicked node, and the selected nodes if several.
/** The details of a job from a tree's selection: a pipeline, or items. */
export function jobFromSelection(args: readonly unknown[]): JobDefaults {
  const [clicked] = args;
  if (clicked instanceof PipelineNode)
    return { pipelineId: clicked.id, pipelineDescription: clicked.resource.description };
  const nodes = selectedNodes(args).filter(node => node instanceof FileNode);
  if (nodes.length === 0) return {};
  const items = new Map(nodes.map(({ id, resource, parent }) => [id, selectedItem(resource, parent?.label)]));
  return { filesystemIds: [...items.keys()], items: [...items.values()] };
}

/** The IDs of the selected nodes; nodes that are actions have none. */
export function selectedIds(args: readonly unknown[]): string[] {
  const ids = selectedNodes(args).map(node => (node as { id?: unknown } | undefined)?.id);
  return unique(ids.filter(id => typeof id === 'string'));
}

function selectedNodes([clicked, selected]: readonly unknown[]): unknown[] {
  return Array.isArray(selected) && selected.length > 0 ? selected : [clicked];
}

/** Removes duplicates: an item may be selected in several folders. */
function unique(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}

/** Maximum pages to search for the last used pipeline, which is offered first. */
const MAX_SEARCHED_PAGES = 10;

/** The account's pipelines to select from: recent ones first, then page by page as listed. */
export class SelectablePipelines {
  private readonly pager: Pager<Pipeline>;

  /** `recent`: IDs of recently used pipelines, the latest first. */
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
    const [lastUsed] = this.recent;
    const isMissing = () => lastUsed !== undefined && !this.pager.items.some(({ id }) => id === lastUsed);
    for (let page = 1; page < MAX_SEARCHED_PAGES && !this.pager.done && isMissing(); page++)
      loaded.push(...(await this.pager.loadMore(signal)));
    return loaded;
  }
}
