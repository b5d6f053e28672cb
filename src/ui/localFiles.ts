import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { CodedError, throwIfCancelled } from '../base/errors';
import type { FileSource } from '../uploads/fileSource';

/** A file that may be uploaded: where it is, and where it stood below the folder that was chosen. */
export interface LocalFile {
  uri: vscode.Uri;
  fileName: string;
  /** Slash-separated folder below the destination: the chosen folder's name and what is under it; empty for a file. */
  folder: string;
  size: number;
}

/** How many files one folder may expand to: a slip such as a home directory must not list for ever. */
const MOST_FILES = 100_000;

/** A whole virtual file is held in memory while it is sent; larger ones are refused. Bytes. */
const MOST_VIRTUAL_BYTES = 256 * 1024 * 1024;

const imageName = /\.(png|jpe?g|tiff?|svs|ndpi|vms|vmu|scn|svslide|bif|webp|bmp|czi|lif|nd2)$/i;

/** Whether the name is one the service is known to analyse; only a hint for what to tick first. */
export function looksLikeImage(fileName: string): boolean {
  return imageName.test(fileName);
}

/** One for all: setting up the comparison costs far more than a comparison. */
const naturally = new Intl.Collator(undefined, { numeric: true });

export interface ExpandedFiles {
  files: LocalFile[];
  /** What was named but cannot be read as a file or folder. */
  failed: { uri: vscode.Uri; error: CodedError }[];
  /** Whether a folder was among what was named. */
  hadFolder: boolean;
}

/** Turns files and folders into a list of files. Hidden entries of folders are left out; links are not followed into folders. */
export async function expandFiles(uris: readonly vscode.Uri[], signal?: AbortSignal): Promise<ExpandedFiles> {
  const expanded: ExpandedFiles = { files: [], failed: [], hadFolder: false };
  const seen = new Set<string>();
  for (const uri of uris) {
    throwIfCancelled(signal);
    const name = path.posix.basename(uri.path);
    await orFailed(uri, name, expanded, async () => {
      const found = await vscode.workspace.fs.stat(uri);
      if (found.type & vscode.FileType.Directory) {
        expanded.hadFolder = true;
        await walk(uri, name, expanded, seen, signal);
      } else {
        take({ uri, fileName: name, folder: '', size: found.size }, expanded, seen);
      }
    });
  }
  return expanded;
}

/** What cannot be read costs itself only: it is listed as failed. A cancel or too many files end all. */
async function orFailed(
  uri: vscode.Uri,
  subject: string,
  { failed }: ExpandedFiles,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof CodedError) throw error;
    failed.push({ uri, error: new CodedError('not-a-file', 'Not a readable file', { subject }) });
  }
}

function take(file: LocalFile, expanded: ExpandedFiles, seen: Set<string>): void {
  const key = file.uri.toString();
  // A file and its folder may both be selected.
  if (seen.has(key)) return;
  seen.add(key);
  if (expanded.files.length >= MOST_FILES) {
    throw new CodedError('bad-request', 'Too many files', {
      reason: vscode.l10n.t('There are more than {0} files; choose a smaller folder', MOST_FILES),
    });
  }
  expanded.files.push(file);
}

async function walk(
  directory: vscode.Uri,
  folder: string,
  expanded: ExpandedFiles,
  seen: Set<string>,
  signal?: AbortSignal,
): Promise<void> {
  throwIfCancelled(signal);
  const entries = await vscode.workspace.fs.readDirectory(directory);
  entries.sort(([left], [right]) => naturally.compare(left, right));
  for (const [name, type] of entries) {
    throwIfCancelled(signal);
    if (name.startsWith('.') || name === 'Thumbs.db') continue;
    const uri = vscode.Uri.joinPath(directory, name);
    await orFailed(uri, name, expanded, async () => {
      if (!(type & vscode.FileType.Directory)) {
        const { size } = await vscode.workspace.fs.stat(uri);
        take({ uri, fileName: name, folder, size }, expanded, seen);
      } else if (!(type & vscode.FileType.SymbolicLink)) {
        // A linked folder may lead back to where we are.
        await walk(uri, `${folder}/${name}`, expanded, seen, signal);
      }
    });
  }
}

/** How the upload queue reads the file: from disk in a stream, from other file systems whole. */
export function toFileSource(file: LocalFile): FileSource {
  const { uri, fileName, folder } = file;
  const base = { uri: uri.toString(), fileName, ...(folder && { folder }) };
  if (uri.scheme === 'file') {
    return {
      ...base,
      size: async () => (await readableFile(uri.fsPath, fileName)).size,
      identity: async () => {
        const { size, mtimeMs } = await readableFile(uri.fsPath, fileName);
        return `${size}:${mtimeMs}`;
      },
      open: signal => createReadStream(uri.fsPath, { signal, highWaterMark: 256 * 1024 }),
    };
  }
  return {
    ...base,
    size: async () => (await vscode.workspace.fs.stat(uri)).size,
    identity: async () => {
      const { size, mtime } = await vscode.workspace.fs.stat(uri);
      return `${size}:${mtime}`;
    },
    open: signal => readWhole(uri, fileName, signal),
  };
}

async function readableFile(fsPath: string, subject: string) {
  let found;
  try {
    found = await stat(fsPath);
  } catch {
    throw new CodedError('not-a-file', 'The file cannot be read', { subject });
  }
  if (!found.isFile()) throw new CodedError('not-a-file', 'Not a regular file', { subject });
  return found;
}

async function* readWhole(uri: vscode.Uri, subject: string, signal: AbortSignal): AsyncIterable<Uint8Array> {
  const { size } = await vscode.workspace.fs.stat(uri);
  if (size > MOST_VIRTUAL_BYTES) {
    throw new CodedError('not-a-file', 'Too large to be read from a virtual file system', {
      subject,
      reason: vscode.l10n.t('Files over 256 MB are only uploaded from a disk'),
    });
  }
  throwIfCancelled(signal);
  const bytes = await vscode.workspace.fs.readFile(uri);
  throwIfCancelled(signal);
  yield bytes;
}
