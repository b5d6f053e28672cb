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

/** What the files are filtered by, and what came of it once that is known. */
interface FileFilter {
  text: string;
  found?: FileSearchResult;
}

/** The account's files: by folder or, while filtered, all whose name contains a text. */
export class FileNodes extends PagedNodes<FilesystemItem, FileNode, ServiceSession> {
  private readonly filterChanged = this.store.add(new Emitter<FileFilter | undefined>());
  private current: FileFilter | undefined;
  private searching: AbortController | undefined;

  readonly onDidChangeFilter = this.filterChanged.event;

  constructor(dependencies: PagedNodesDependencies<ServiceSession>) {
    super('files', dependencies);
    this.store.add(this.sessions.onDidChangeActive(() => this.clearFilter()));
  }

  get filter(): FileFilter | undefined {
    return this.current;
  }

  /** Shows only files and folders whose name contains a text. Throws what listing them throws. */
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
    // Another search has begun, or the filter was cleared.
    if (searching.signal.aborted) return;
    this.setFilter({ text, found: result });
  }

  clearFilter(): void {
    this.searching?.abort();
    if (this.current) this.setFilter(undefined);
  }

  /** A filter stays, and is applied to what is listed then. */
  override refresh(): void {
    if (this.current) this.current = { text: this.current.text };
    super.refresh();
  }

  override async children(parent?: TreeNode<FileNode>): Promise<TreeNode<FileNode>[]> {
    const filter = this.current;
    if (parent !== undefined || !filter) return super.children(parent);
    if (!filter.found) {
      try {
        await this.filterBy(filter.text, () => undefined, new AbortController().signal);
      } catch (error) {
        this.log.warn(`Searching files failed: ${error instanceof Error ? error.message : String(error)}`);
        return [new FailureNode(() => this.refresh(), error)];
      }
    }
    return [...(this.current?.found?.nodes ?? [])];
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
    this.current = filter;
    this.filterChanged.fire(filter);
    this.redraw();
  }
}

/** A filesystem item with the folders above it. */
export class FileNode {
  constructor(
    readonly resource: FilesystemItem,
    readonly parent: FileNode | undefined,
    /** Whether a search found it: then it stands alone, without its folders above it. */
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

  /** Unique in the tree, even where the service shows an item in several folders. */
  get key(): string {
    const key = this.parent
      ? `${this.parent.key}/${encodeURIComponent(this.id)}`
      : encodeURIComponent(this.id);
    return this.isFound ? `found:${key}` : key;
  }

  /** Path on the service, with slashes; undefined if the service doesn't give all its names. */
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
  /** How many files and folders were looked at. */
  searched: number;
  /** Why some weren't: a cancel, a list that couldn't be loaded, or more matches than are shown. */
  ended?: 'canceled' | 'failed' | 'many';
}

/** Entries of a page: as many as the service gives at once. */
const PAGE = 100;

/** More matches end the search: a longer text finds fewer. */
export const MAX_FOUND = 2000;

/**
 * Looks for a name in all pages of all folders, level by level, regardless of case and of how
 * accents are encoded. Canceled, it resolves to what it found so far, as it does where a later list
 * can't be loaded; throws what the first list throws.
 */
export async function searchFiles(
  client: Pick<AnalysisClient, 'listFilesystemItems'>,
  text: string,
  onProgress: (searched: number) => void,
  signal: AbortSignal,
): Promise<FileSearchResult> {
  const wanted = comparable(text);
  const result: FileSearchResult = { nodes: [], searched: 0 };
  const folders: (FileNode | undefined)[] = [undefined];
  // The service may show a folder in several others.
  const seen = new Set<string>();
  for (const folder of folders) {
    const pager = new Pager((startingAfter, listing) =>
      client.listFilesystemItems(
        {
          limit: PAGE,
          ...(startingAfter !== undefined && { startingAfter }),
          ...(folder && { folderId: folder.id }),
        },
        listing,
      ),
    );
    while (!pager.done) {
      let resources;
      try {
        resources = await pager.loadMore(signal);
      } catch (error) {
        if (signal.aborted) return { ...result, ended: 'canceled' };
        if (result.searched === 0 || isCoded(error, 'invalid-key')) throw error;
        // A folder that was removed in the meantime keeps nothing else from being found.
        result.ended = 'failed';
        break;
      }
      for (const resource of resources) {
        const node = new FileNode(resource, folder, true);
        if (comparable(node.label).includes(wanted)) result.nodes.push(node);
        if (!node.isFolder || seen.has(node.id)) continue;
        seen.add(node.id);
        folders.push(node);
      }
      result.searched += resources.length;
      onProgress(result.searched);
      if (result.nodes.length >= MAX_FOUND)
        return { ...result, nodes: result.nodes.slice(0, MAX_FOUND), ended: 'many' };
    }
  }
  return result;
}

function comparable(text: string): string {
  return text.normalize('NFC').toLocaleLowerCase();
}

/** What was dropped on a tree. */
interface Drop {
  /** A `text/uri-list`. */
  uriList: string | undefined;
  /** URIs of the files, undefined for one whose path isn't known: a browser doesn't tell it. */
  files: readonly (string | undefined)[];
}

/** URIs of a drop, each once, and whether something has no path and so can't be read later. */
export function droppedUris({ uriList, files }: Drop): { uris: string[]; hasPathless: boolean } {
  const listed = urisInList(uriList ?? '');
  // An editor on the desktop gives the same files in both ways.
  const uris = listed.length > 0 ? listed : files.filter(uri => uri !== undefined);
  return {
    uris: [...new Set(uris)],
    hasPathless: uris.length === 0 || (listed.length === 0 && uris.length < files.length),
  };
}

/** The folder that something dropped on a node is uploaded into; undefined for the top. */
export function folderOfDrop(target: unknown): FileNode | undefined {
  if (!(target instanceof FileNode)) return undefined;
  return target.isFolder ? target : target.parent;
}

/**
 * What the arguments of an upload say: the folder to upload into, where the first is a node of the
 * tree, and the files in the Explorer's form. With a folder the second argument is what was dropped
 * on it, or the nodes selected in the tree.
 */
export function uploadArguments(
  rest: readonly unknown[],
  isUri: (value: unknown) => boolean,
): { folder?: FileNode; files: readonly unknown[] } {
  const [first, second] = rest;
  if (!(first instanceof FileNode)) return { files: rest };
  const uris = Array.isArray(second) ? second.filter(isUri) : [];
  return { folder: first, files: uris.length > 0 ? [uris[0], uris] : [] };
}

/** The URIs of a `text/uri-list` (RFC 2483): one per line, `#` begins a comment. */
export function urisInList(list: string): string[] {
  return list.split(/\r?\n/).filter(line => line !== '' && !line.startsWith('#'));
}

/** How far a search for files came. */
interface FileFilterWords {
  text: string;
  matches: number;
  searched: number;
  ended?: 'canceled' | 'failed' | 'many' | undefined;
}

/** What stands above files that are filtered by name. */
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
