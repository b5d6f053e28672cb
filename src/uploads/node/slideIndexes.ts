import { open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { LocalFile } from './expandFiles';

/*
 * A .vms or .vmu file of Hamamatsu's scanners is an index: it names the files with the pixels,
 * which are in the same folder. Without these files, it can't be analyzed.
 */

const INDEX = /\.(vms|vmu)$/i;
/** Lines that name pixel files: "ImageFile=", "ImageFile(1,0)=", "MapFile=", "MacroImage=". */
const PIXEL_FILE_LINES = /^\s*(?:ImageFile|MapFile|MacroImage)\b[^=\n]*=[ \t]*(\S[^\r\n]*?)[ \t]*$/gim;
/** Maximum bytes to read of an index; real ones have some thousands. */
const MAX_INDEX_BYTES = 1 << 20;

/**
 * Indexes whose pixel files are missing in `files`, with the number of missing files. The number is
 * undefined if the index can't be read and `files` has nothing else from its folder.
 */
export async function incompleteIndexes(
  files: readonly LocalFile[],
): Promise<{ file: LocalFile; missing: number | undefined }[]> {
  const incomplete: { file: LocalFile; missing: number | undefined }[] = [];
  const folderOf = ({ uri }: LocalFile) => uri.slice(0, uri.lastIndexOf('/'));
  for (const file of files) {
    if (!INDEX.test(file.fileName)) continue;
    const inSameFolder = files.filter(other => other !== file && folderOf(other) === folderOf(file));
    // Ignore case, because the index was written on Windows.
    const names = new Set(inSameFolder.map(({ fileName }) => fileName.toLowerCase()));
    const pixelFiles = namesIn(await startOf(file).catch(() => ''));
    const missing = pixelFiles.filter(name => !names.has(name.toLowerCase()));
    if (missing.length > 0) incomplete.push({ file, missing: missing.length });
    else if (pixelFiles.length === 0 && inSameFolder.length === 0)
      incomplete.push({ file, missing: undefined });
  }
  return incomplete;
}

function namesIn(text: string): string[] {
  const paths = [...text.matchAll(PIXEL_FILE_LINES)].map(([, path = '']) => path);
  return [...new Set(paths.map(path => path.split(/[/\\]/).at(-1) ?? path))];
}

async function startOf({ uri }: LocalFile): Promise<string> {
  if (!uri.startsWith('file:')) return '';
  const file = await open(fileURLToPath(uri));
  try {
    const bytes = Buffer.alloc(MAX_INDEX_BYTES);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    return bytes.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}
