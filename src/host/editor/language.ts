import * as vscode from 'vscode';
import { errorWords } from '../../words/errorWords';
import * as format from '../../words/format';

/** The message for an error in the editor's language. */
export function userMessage(error: unknown): string {
  return errorWords(vscode.l10n.t, error);
}

/** A timestamp in the editor's language, to the minute. */
export function formatMoment(timestamp: string): string {
  return format.formatTimestamp(vscode.env.language, timestamp);
}

/** A size in the editor's language, to at most three significant digits. */
export function formatBytes(bytes: number): string {
  return format.formatBytes(vscode.env.language, bytes);
}
