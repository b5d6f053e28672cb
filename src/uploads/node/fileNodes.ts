import {
  FailureNode,
  PagedNodes,
  type PagedNodesDependencies,
  type TreeNode,
} from '../../host/node/pagedNodes';
import type { ServiceSession } from '../../accounts/node/sessions';
import { isCoded } from '../../base/errors';
import { Emitter } from '../../base/event';
import type { AnalysisClient } from '../../service/node/client';
import { Pager } from '../../service/node/pager';
import type { FilesystemItem } from '../../service/wire';
import type { Language } from '../../words/translate';
import type { UploadSession } from './uploadSessions';

/** The text that filters the files, and the result once the search has ended. */
interface FileFilter {
  text: string;
  result?: FileSearchResult;
}

/** The account's files: by folder, or while filtered, all files whose name contains a text. */
export class FileNodes extends PagedNodes<FilesystemItem, FileNode, ServiceSession> {
  private readonly filterChanged = this.store.add(new Emitter<FileFilter | undefined>());
  private currentFilter: FileFilter | undefined;
  private searching: AbortController | undefined;

  readonly onDidChangeFilter = this.filterChanged.event;

  constructor(dependencies: PagedNodesDependencies<ServiceSession>) {
    super('files', dependencies);
    this.store.add(this.sessions.onDidChangeActive(() => this.clearFilter()));
  }

  get filter(): FileFilter | undefined {
    return this.currentFilter;
  }

  /** Shows only files and folders whose name contains a text. Throws errors of listing. */
  async filterBy(text: string, onProgress: (searched: number) => void, signal: AbortSignal): Promise<void> {
    this.searching?.abort();
    const searching = new AbortController();
    this.searching = searching;
    const session = await this.sessions.active();
    const result = await searchFiles(
      session.client,
      text,
      onProgress,
      AbortSignal.any([signal, searching.signal]),
    );
    // Another search has started, or the filter was cleared.
    if (searching.signal.aborted) return;
    this.setFilter({ text, result });
  }

  clearFilter(): void {
    this.searching?.abort();
    if (this.currentFilter) this.setFilter(undefined);
  }

  /** Refreshes the files; an active filter searches again. */
  override refresh(): void {
    if (this.currentFilter) this.currentFilter = { text: this.currentFilter.text };
    super.refresh();
  }

  override async children(parent?: TreeNode<FileNode>): Promise<TreeNode<FileNode>[]> {
    const filter = this.currentFilter;
    if (parent !== undefined || !filter) return super.children(parent);
    if (!filter.result) {
      try {
        await this.filterBy(filter.text, () => undefined, new AbortController().signal);
      } catch (error) {
        this.log.warn(`Searching files failed: ${error instanceof Error ? error.message : String(error)}`);
        return [new FailureNode(() => this.refresh(), error)];
      }
    }
    return [...(this.currentFilter?.result?.nodes ?? [])];
  }

  override dispose(): void {
    this.searching?.abort();
    super.dispose();
  }

  protected pager(session: UploadSession, parent: FileNode | undefined): Pager<FilesystemItem> {
    return new Pager((startingAfter, signal) =>
      session.client.listFilesystemItems(
        { ...(startingAfter && { startingAfter }), ...(parent && { folderId: parent.id }) },
        signal,
      ),
    );
  }

  protected node(_session: UploadSession, resource: FilesystemItem, parent: FileNode | undefined): FileNode {
    return new FileNode(resource, parent);
  }

  protected keyOf(node: FileNode): string {
    return node.key;
  }

  private setFilter(filter: FileFilter | undefined): void {
    this.currentFilter = filter;
    this.filterChanged.fire(filter);
    this.redraw();
  }
}

/** A filesystem item with its parent folders. */
export class FileNode {
  constructor(
    readonly resource: FilesystemItem,
    readonly parent: FileNode | undefined,
    /** Whether it is a search result, which is listed without its parent folders. */
    readonly isFound = false,
  ) {}

  get id(): string {
    return this.resource.id;
  }

  get isFolder(): boolean {
    return this.resource.__t === 'Folder';
  }

  get label(): string {
    return this.resource.name ?? this.resource.id;
  }

  /** Unique in the tree, even if the service lists an item in several folders. */
  get key(): string {
    const key = this.parent
      ? `${this.parent.key}/${encodeURIComponent(this.id)}`
      : encodeURIComponent(this.id);
    return this.isFound ? `found:${key}` : key;
  }

  /** Path on the service, with slashes; undefined if the service omits a name. */
  get path(): string | undefined {
    const { name } = this.resource;
    if (name === undefined || name.includes('/')) return undefined;
    if (!this.parent) return name;
    return this.parent.path === undefined ? undefined : `${this.parent.path}/${name}`;
  }
}

/** The files and folders whose name contains a text. */
interface FileSearchResult {
  nodes: FileNode[];
  /** Number of searched files and folders. */
  searched: number;
  /** Why the search is incomplete: canceled, a list failed to load, or too many matches. */
  ended?: 'canceled' | 'failed' | 'many';
}

/** Entries per page, the service's maximum. */
const PAGE = 100;

/** Maximum matches; a longer text finds fewer. */
export const MAX_MATCHES = 2000;

/**
 * Searches names in all pages of all folders, level by level, ignoring case and the encoding of
 * accents. If it is canceled, or a later list fails, it resolves to the matches so far. Throws
 * errors of the first list.
 */
export async function searchFiles(
  client: Pick<AnalysisClient, 'listFilesystemItems'>,
  text: string,
  onProgress: (searched: number) => void,
  signal: AbortSignal,
): Promise<FileSearchResult> {
  const searchText = normalized(text);
  const result: FileSearchResult = { nodes: [], searched: 0 };
  const folders: (FileNode | undefined)[] = [undefined];
  // The service may list a folder in several others.
  const searchedIds = new Set<string>();
  for (const folder of folders) {
    const pager = new Pager((startingAfter, pageSignal) =>
      client.listFilesystemItems(
        {
          limit: PAGE,
          ...(startingAfter !== undefined && { startingAfter }),
          ...(folder && { folderId: folder.id }),
        },
        pageSignal,
      ),
    );
    while (!pager.done) {
      let resources;
      try {
        resources = await pager.loadMore(signal);
      } catch (error) {
        if (signal.aborted) return { ...result, ended: 'canceled' };
        if (result.searched === 0 || isCoded(error, 'invalid-key')) throw error;
        // The folder may have been removed in the meantime: continue with the others.
        result.ended = 'failed';
        break;
      }
      for (const resource of resources) {
        const node = new FileNode(resource, folder, true);
        if (normalized(node.label).includes(searchText)) result.nodes.push(node);
        if (!node.isFolder || searchedIds.has(node.id)) continue;
        searchedIds.add(node.id);
        folders.push(node);
      }
      result.searched += resources.length;
      onProgress(result.searched);
      if (result.nodes.length >= MAX_MATCHES)
        return { ...result, nodes: result.nodes.slice(0, MAX_MATCHES), ended: 'many' };
    }
  }
  return result;
}

function normalized(text: string): string {
  return text.normalize('NFC').toLocaleLowerCase();
}

/** Data that was dropped on a tree. */
interface Drop {
  /** A `text/uri-list`. */
  uriList: string | undefined;
  /** URIs of the files; undefined for a file without a path, as in a browser. */
  files: readonly (string | undefined)[];
}

/** Unique URIs of a drop, and whether it has files without a path, which can't be read later. */
export function droppedUris({ uriList, files }: Drop): { uris: string[]; hasPathless: boolean } {
  const uriListEntries = urisInList(uriList ?? '');
  // On the desktop, VS Code passes the same files in both ways.
  const uris = uriListEntries.length > 0 ? uriListEntries : files.filter(uri => uri !== undefined);
  return {
    uris: [...new Set(uris)],
    hasPathless: uris.length === 0 || (uriListEntries.length === 0 && uris.length < files.length),
  };
}

/** The destination folder of a drop on a node; undefined for the top. */
export function folderOfDrop(target: unknown): FileNode | undefined {
  if (!(target instanceof FileNode)) return undefined;
  return target.isFolder ? target : target.parent;
}

/**
 * Parses the arguments of an upload: the destination folder, if the first is a node of the tree,
 * and the files in the Explorer's form. With a folder, the second argument is the dropped files, or
 * the nodes selected in the tree.
 */
export function uploadArguments(
  commandArgs: readonly unknown[],
  isUri: (value: unknown) => boolean,
): { folder?: FileNode; files: readonly unknown[] } {
  const [first, second] = commandArgs;
  if (!(first instanceof FileNode)) return { files: commandArgs };
  const uris = Array.isArray(second) ? second.filter(isUri) : [];
  return { folder: first, files: uris.length > 0 ? [uris[0], uris] : [] };
}

/** The URIs of a `text/uri-list` (RFC 2483): one per line, `#` begins a comment. */
export function urisInList(list: string): string[] {
  return list.split(/\r?\n/).filter(line => line !== '' && !line.startsWith('#'));
}

/** The facts of a search for files. */
interface FileFilterWords {
  text: string;
  matches: number;
  searched: number;
  ended?: 'canceled' | 'failed' | 'many' | undefined;
}

/** The message above files that are filtered by name. */
export function fileFilterWords(
  { t, locale }: Language,
  { text, matches, searched, ended }: FileFilterWords,
): string {
  const count = t(
    '{0} of {1} files and folders match "{2}".',
    matches.toLocaleString(locale),
    searched.toLocaleString(locale),
    text,
  );
  switch (ended) {
    case 'canceled':
      return `${count} ${t('The search was canceled.')}`;
    case 'failed':
      return `${count} ${t("Some folders couldn't be searched.")}`;
    case 'many':
      return `${count} ${t('Enter a longer text to see all matches.')}`;
    case undefined:
      return count;
  }
}
