import {
  FailureNode,
  PagedNodes,
  type PagedNodesDependencies,
  type TreeNode,
} from '../../host/node/pagedNodes';
import type { ServiceSession } from '../../accounts/node/sessions';
import { Emitter } from '../../base/event';
import { Pager } from '../../service/node/pager';
import type { FilesystemItem } from '../../service/wire';
import type { Language } from '../../words/translate';
import { FileNode } from './fileNode';
import type { FileSearchResult } from './fileSearch';
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
    const { searchFiles } = await import('./fileSearch');
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
    if (this.filter) this.setFilter(undefined);
  }

  /** Refreshes the files; an active filter searches again. */
  override refresh(): void {
    if (this.filter) this.currentFilter = { text: this.filter.text };
    super.refresh();
  }

  override async children(parent?: TreeNode<FileNode>): Promise<TreeNode<FileNode>[]> {
    const { filter } = this;
    if (parent !== undefined || !filter) return super.children(parent);
    if (!filter.result) {
      try {
        await this.filterBy(filter.text, () => undefined, new AbortController().signal);
      } catch (error) {
        this.log.warn(`Searching files failed: ${error instanceof Error ? error.message : String(error)}`);
        return [new FailureNode(() => this.refresh(), error)];
      }
    }
    return [...(this.filter?.result?.nodes ?? [])];
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
