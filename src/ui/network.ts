import * as vscode from 'vscode';
import type { NetworkSettings } from '../api/network/networkSettings';
import { networkSettings } from '../app/settings/networkSettings';

/** VS Code's proxy and certificate settings, as they are now. */
export function readNetworkSettings(): NetworkSettings {
  const http = vscode.workspace.getConfiguration('http');
  return networkSettings(name => http.get(name));
}
