import { open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { LocalFile } from './expandFiles';

/*
 * A .vms or .vmu file of Hamamatsu's scanners is an index: it names the files with the pixels,
 * which lie beside it. Uploaded without them it is an image of nothing.
 */

const INDEX = /\.(vms|vmu)$/i;
/** Lines that name pixel files: "ImageFile=", "ImageFile(1,0)=", "MapFile=", "MacroImage=". */
const NAMED = /^\s*(?:ImageFile|MapFile|MacroImage)\b[^=\n]*=[ \t]*(\S[^\r\n]*?)[ \t]*$/gim;
/** Bytes of an index that are read; real ones have some thousands. */
const MAX_INDEX_BYTES = 1 << 20;

/**
 * The indexes with files missing from `files`, and how many are; undefined if an index can't be
 * read and nothing lies beside it.
 */
export async function lonelyIndexes(
  files: readonly LocalFile[],
): Promise<{ file: LocalFile; missing: number | undefined }[]> {
  const lonely: { file: LocalFile; missing: number | undefined }[] = [];
  const folderOf = ({ uri }: LocalFile) => uri.slice(0, uri.lastIndexOf('/'));
  for (const file of files) {
    if (!INDEX.test(file.fileName)) continue;
    const beside = files.filter(other => other !== file && folderOf(other) === folderOf(file));
    // Written on Windows, where names have no case.
    const names = new Set(beside.map(({ fileName }) => fileName.toLowerCase()));
    const listed = namesIn(await startOf(file).catch(() => ''));
    const missing = listed.filter(name => !names.has(name.toLowerCase()));
    if (missing.length > 0) lonely.push({ file, missing: missing.length });
    else if (listed.length === 0 && beside.length === 0) lonely.push({ file, missing: undefined });
  }
  return lonely;
}

function namesIn(text: string): string[] {
  const paths = [...text.matchAll(NAMED)].map(([, path = '']) => path);
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
