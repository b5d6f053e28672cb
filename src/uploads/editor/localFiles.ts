import { stat } from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { LocalFile, LocalFileSystem, NamedUri } from '../node/expandFiles';
import type { ShortFiles } from '../node/fileReading';
import type { FileSource } from '../node/fileSource';
import { diskFileSource, type VirtualFiles, virtualFileSource } from '../node/fileSources';

/** VS Code's file systems: the disk, and those of extensions. */
export const vscodeFiles: LocalFileSystem = {
  async stat(uri) {
    const file = vscode.Uri.parse(uri);
    if (file.scheme === 'file') {
      // Use Node's stat for thousands of files: VS Code's takes some milliseconds per call.
      const stats = await stat(file.fsPath);
      return { isFolder: stats.isDirectory(), size: stats.size };
    }
    const { type, size } = await vscode.workspace.fs.stat(file);
    return { isFolder: (type & vscode.FileType.Directory) !== 0, size };
  },
  async list(uri) {
    const folder = vscode.Uri.parse(uri);
    const entries = await vscode.workspace.fs.readDirectory(folder);
    return entries.map(([name, type]) => ({
      uri: vscode.Uri.joinPath(folder, name).toString(),
      name,
      isFolder: (type & vscode.FileType.Directory) !== 0,
      isLink: (type & vscode.FileType.SymbolicLink) !== 0,
    }));
  },
};

/** Adds the file name to each URI. */
export function withFileNames(uris: readonly vscode.Uri[]): NamedUri[] {
  return uris.map(uri => ({ uri: uri.toString(), name: path.posix.basename(uri.path) }));
}

/**
 * A source for the upload queue: streams files from disk, loads other files as a whole.
 * `shortFiles` reads the short files of an upload from disk.
 */
export function toFileSource(file: LocalFile, shortFiles?: ShortFiles): FileSource {
  const uri = vscode.Uri.parse(file.uri);
  return uri.scheme === 'file'
    ? diskFileSource(file, uri.fsPath, shortFiles)
    : virtualFileSource(file, virtualFiles);
}

/**
 * A text that differs after each change of a file, see FileFacts. Rejects if the URI isn't
 * that of a readable file.
 */
export async function identityOf(uri: string): Promise<string> {
  const file = { uri, fileName: path.posix.basename(uri), folder: '', size: 0 };
  return (await toFileSource(file).facts()).identity;
}

/** Files of the file systems that extensions provide. */
export const virtualFiles: VirtualFiles = {
  stat: uri => vscode.workspace.fs.stat(vscode.Uri.parse(uri)),
  readFile: uri => vscode.workspace.fs.readFile(vscode.Uri.parse(uri)),
};
