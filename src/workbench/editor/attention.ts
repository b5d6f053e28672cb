import * as vscode from 'vscode';
import type { AccountSessions } from '../node/accountSessions';

/** Has jobs followed more often while a person is working in this window. */
export function followAttention(sessions: AccountSessions): vscode.Disposable {
  const attend = ({ focused }: vscode.WindowState) => sessions.attend(focused ? 'focused' : 'background');
  attend(vscode.window.state);
  return vscode.window.onDidChangeWindowState(attend);
}
