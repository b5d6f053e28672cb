import { FileNode } from './fileNode';
import { urisInList } from './uriList';

/** What was dropped on a tree. */
export interface Drop {
  /** A `text/uri-list`. */
  uriList: string | undefined;
  /** URIs of the files, undefined for one whose path isn't known: a browser doesn't tell it. */
  files: readonly (string | undefined)[];
}

/** The URIs of what was dropped, each once, and whether something has no path, so that it can't be read later. */
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
 * What the arguments of an upload say: the folder to upload into, where the first is a node of the tree, and the files in
 * the Explorer's form. With a folder the second argument is what was dropped on it, or the nodes selected in the tree.
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
