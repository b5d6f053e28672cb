import type { AnalysisClient } from '../../service/node/client';
import { Pager } from '../../service/node/pager';
import { isCoded } from '../../base/errors';
import { FileNode } from './fileNode';

/** The files and folders whose name contains a text. */
export interface FileSearchResult {
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
 * Looks for a name in all pages of all folders, level by level, regardless of case and of how accents are encoded. Canceled, it
 * resolves to what it found so far, as it does where a later list can't be loaded; throws what the first list throws.
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
