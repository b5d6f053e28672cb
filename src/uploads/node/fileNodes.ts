import { Pager } from '../../service/node/pager';
import type { FilesystemItem } from '../../service/wire';
import { Emitter } from '../../base/event';
import type { UploadSession } from './uploadSessions';
import { FileNode } from './fileNode';
import type { FileSearchResult } from './fileSearch';
import { FailureNode, PagedNodes, type PagedNodesParts, type TreeNode } from '../../accounts/node/pagedNodes';

/** What the files are filtered by, and what came of it once that is known. */
export interface FileFilter {
  text: string;
  found?: FileSearchResult;
}

/** The account's files: folder by folder, or, while filtered, those of all folders whose name contains a text. */
export class FileNodes extends PagedNodes<FilesystemItem, FileNode> {
  private readonly filterChanged = this.store.add(new Emitter<FileFilter | undefined>());
  private current: FileFilter | undefined;
  private searching: AbortController | undefined;

  readonly onDidChangeFilter = this.filterChanged.event;

  constructor(parts: PagedNodesParts) {
    super('files', parts);
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
    const [session, { searchFiles }] = await Promise.all([this.sessions.active(), import('./fileSearch')]);
    const found = await searchFiles(
      session.client,
      text,
      onProgress,
      AbortSignal.any([signal, searching.signal]),
    );
    // Another search has begun, or the filter was cleared.
    if (searching.signal.aborted) return;
    this.setFilter({ text, found });
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
