import { type CodedError, isCoded } from '../../base/errors';
import { Pager } from '../../service/node/pager';
import type { FilesystemItem, Pipeline } from '../../service/wire';
import { FileNode } from '../../uploads/node/fileNodes';
import type { JobSession } from './jobSessions';
import { isUnprotected } from './submitState';
import { PipelineNode, recentFirst } from './pipelineNodes';
import type { DescribedRequest, RunItem } from './runRecords';
import { submit } from './submit';
import type { SubmitOptions } from './submitGuard';

/** The facts of a job before a person is asked for its missing parts. */
export interface JobDefaults {
  pipelineId?: string;
  pipelineDescription?: string;
  filesystemIds?: readonly string[];
  /** Other facts of the items, or of the files that will be uploaded first. */
  items?: readonly SelectedItem[];
  /** Files that will be uploaded first; items aren't requested then. */
  fileCount?: number;
  /** How many of these files are on the service already and aren't sent again. */
  uploadedCount?: number;
  name?: string;
  /** Whether its masks are generated as well, as it was chosen before. */
  masks?: boolean;
}

/** Whether nothing is missing. A job without a name still gets the step that confirms its cost. */
export function isComplete(defaults: JobDefaults | DescribedRequest): defaults is DescribedRequest {
  return (
    defaults.pipelineId !== undefined && defaults.filesystemIds !== undefined && !('fileCount' in defaults)
  );
}

/** Missing parts to ask for, in order. The last step shows the item count and use of credits. */
export function missingParts(defaults: JobDefaults): ('pipeline' | 'items' | 'name')[] {
  return [
    ...(defaults.pipelineId === undefined ? (['pipeline'] as const) : []),
    ...(defaults.filesystemIds === undefined && defaults.fileCount === undefined ? (['items'] as const) : []),
    'name',
  ];
}

/** How a person's submit ended. After an ambiguous one the person decides, never the program. */
type SubmitOutcome =
  | { kind: 'submitted'; jobId: string }
  /** Canceled after the request was sent: the job may run and use credits. */
  | { kind: 'canceled-after-sending' }
  /** The response was lost. The candidates are new jobs; one of them may be the submitted one. */
  | { kind: 'ambiguous'; candidates: readonly string[] }
  /** Nothing was sent: other windows can't see the submit, and the person didn't accept that. */
  | { kind: 'unprotected'; error: CodedError };

/** Submits a person's job once. Throws what the submit guard throws, but for the outcomes above. */
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
  /** Undefined for the top. */
  name: string | undefined;
  pager: Pager<FilesystemItem>;
}

/** An item that is selected, and the name of the folder it is in. */
export interface SelectedItem extends RunItem {
  folder?: string;
}

/** An item of the service as one that is selected. */
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

/** What a name for a job on these items can be made of. */
export function namedInput(
  items: readonly SelectedItem[],
  count: number,
): { names: string[]; count: number; folders: string[] } {
  const folders = new Set(items.map(({ folder = '' }) => folder));
  return {
    names: items.flatMap(({ name }) => name ?? []),
    count,
    // What is in no folder would be left out of their names.
    folders: folders.has('') ? [] : [...folders],
  };
}

/** Items selected for a job, in any number of folders, and the folder that is open. */
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

  /** Number of selected items not in the list: in other folders, or on unloaded pages. */
  get notListed(): number {
    const listed = this.list.items.filter(({ id }) => this.selected.has(id));
    return this.selected.size - listed.length;
  }

  isSelected(id: string): boolean {
    return this.selected.has(id);
  }

  /** Selects some listed items and deselects the other listed ones. Other folders' items stay. */
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

// A tree passes two arguments to its commands: the node clicked, and what is selected where that is
// more than one node.

/** What a tree selection says of a job to submit: a pipeline, or items. */
export function jobFromSelection(args: readonly unknown[]): JobDefaults {
  const [clicked] = args;
  if (clicked instanceof PipelineNode)
    return { pipelineId: clicked.id, pipelineDescription: clicked.resource.description };
  const nodes = selectedNodes(args).filter(node => node instanceof FileNode);
  if (nodes.length === 0) return {};
  const items = new Map(nodes.map(({ id, resource, parent }) => [id, selectedItem(resource, parent?.label)]));
  return { filesystemIds: [...items.keys()], items: [...items.values()] };
}

/** The IDs of what is selected; the actions of a tree have none. */
export function selectedIds(args: readonly unknown[]): string[] {
  const ids = selectedNodes(args).map(node => (node as { id?: unknown } | undefined)?.id);
  return unique(ids.filter(id => typeof id === 'string'));
}

function selectedNodes([clicked, selected]: readonly unknown[]): unknown[] {
  return Array.isArray(selected) && selected.length > 0 ? selected : [clicked];
}

/** An item that the service shows in several folders may be selected more than once. */
function unique(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}

/** How many pages are searched for the pipeline that was used last, which is offered first. */
const MAX_SEARCHED = 10;

/** The account's pipelines to select from: recent ones first, then page by page as listed. */
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
