import * as vscode from 'vscode';
import { badOption, isPlainObject, type Option } from '../options';

/** A URI, as a Uri, its JSON form or a string. */
export const uri: Option<vscode.Uri> = {
  expected: 'a URI such as file:///folder/image.png',
  read: value => {
    if (value instanceof vscode.Uri) return { value };
    if (typeof value === 'string') {
      return /^[a-z][a-z0-9+.-]+:/i.test(value) ? { value: vscode.Uri.parse(value, true) } : undefined;
    }
    const isJson =
      isPlainObject(value) && typeof value['scheme'] === 'string' && typeof value['path'] === 'string';
    return isJson ? { value: vscode.Uri.from(value as { scheme: string; path: string }) } : undefined;
  },
};

/** The path of a file or folder on disk, given as a URI. */
export const pathOnDisk: Option<string> = {
  expected: 'the URI of a file or folder on disk',
  read: value => {
    const parsed = uri.read(value)?.value;
    return parsed?.scheme === 'file' ? { value: parsed.fsPath } : undefined;
  },
};

/** An array of URIs; empty if missing. */
export const optionalUris: Option<vscode.Uri[]> = {
  expected: 'an array of URIs',
  read: value => {
    if (!Array.isArray(value)) return { value: [] };
    const parsed = value.map(uri.read);
    return parsed.every(entry => entry !== undefined)
      ? { value: parsed.map(entry => entry.value) }
      : undefined;
  },
};

/** The files of a call from the Explorer, which passes the clicked file and the selection. */
export function explorerUris([clicked, selected]: readonly unknown[]): vscode.Uri[] {
  if (Array.isArray(selected) && selected.length > 0) return selected.map(entry => read('uris', entry));
  return clicked === undefined || clicked === null ? [] : [read('uri', clicked)];
}

function read(name: string, value: unknown): vscode.Uri {
  const parsed = uri.read(value);
  if (!parsed) throw badOption(name, uri.expected);
  return parsed.value;
}
