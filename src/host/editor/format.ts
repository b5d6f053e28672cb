import * as vscode from 'vscode';
import * as format from '../../words/format';

/** A timestamp in the editor's language, to the minute. */
export function formatMoment(timestamp: string): string {
  return format.formatTimestamp(vscode.env.language, timestamp);
}

/** A size in the editor's language, to at most three significant digits. */
export function formatBytes(bytes: number): string {
  return format.formatBytes(vscode.env.language, bytes);
}
