import { safeFileName } from '../../export/node/fileStems';

/** Format characters but the joiners, which scripts and emoji need: they are invisible, or turn the direction of the name. */
const INVISIBLE = /(?![\u200c\u200d])\p{Cf}/gu;

/** The name to propose where the user chooses a file to save: valid on any system, shown as it is, and with its extension. */
export function proposedFileName(name: string): string {
  const visible = name.replace(INVISIBLE, '');
  const [extension = ''] = /\.\w{1,8}$/.exec(visible) ?? [];
  return `${safeFileName(visible.slice(0, visible.length - extension.length))}${extension}`;
}

/** The folder of a workspace to propose: the first one on a disk, as nothing is written elsewhere. */
export function folderToSaveIn<T extends { scheme: string }>(
  folders: readonly { uri: T }[] | undefined,
): T | undefined {
  return folders?.find(({ uri }) => uri.scheme === 'file')?.uri;
}
