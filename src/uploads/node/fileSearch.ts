import { isCoded } from '../../base/errors';
import type { AnalysisClient } from '../../service/node/client';
import { Pager } from '../../service/node/pager';
import { FileNode } from './fileNode';

/** The files and folders whose name contains a text. */
export interface FileSearchResult {
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
