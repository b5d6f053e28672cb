import * as vscode from 'vscode';
import { errorWords } from '../../words/errorWords';

/** The message for an error in the editor's language. */
export function userMessage(error: unknown): string {
  return errorWords(vscode.l10n.t, error);
}
