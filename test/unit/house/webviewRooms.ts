import type { SourceFile } from './sourceFile';

/** The rooms within src/webview, and which of the others each may import. */
const webviewRooms: Readonly<Record<string, readonly string[]>> = {
  widgets: [],
  page: ['widgets'],
  plots: ['page', 'widgets'],
  table: ['page', 'widgets'],
  masks: ['page', 'widgets'],
};

/** Rooms whose top-level files put the page together of more: those of the table lay out its plots. */
const composed: Readonly<Record<string, readonly string[]>> = { table: ['plots'] };

/** Why a file of the pages may not import what it does; empty when it keeps to the rooms. */
export function forbiddenWithinWebview({ path, imports }: SourceFile): string[] {
  const [room, isTopLevel] = placeOf(path);
  if (room === undefined) return [];
  const allowed = [...(webviewRooms[room] ?? []), ...(isTopLevel ? (composed[room] ?? []) : [])];
  return imports.flatMap(({ line, specifier, target = '' }) => {
    const [other] = placeOf(target);
    if (other === undefined || other === room || allowed.includes(other)) return [];
    return [`${path}:${line} imports ${specifier}: ${room} may not import ${other}`];
  });
}

/** The room of the pages that a path belongs to, and whether it stands at the room's top. */
function placeOf(path: string): [room: string | undefined, isTopLevel: boolean] {
  const [src, webview, room, ...rest] = path.split('/');
  const isInside = src === 'src' && webview === 'webview' && rest.length > 0;
  return [isInside ? room : undefined, rest.length === 1];
}

/** Rooms that the table above doesn't know. */
export function unknownWebviewRooms(folders: readonly string[]): string[] {
  return folders.filter(folder => !(folder in webviewRooms));
}
