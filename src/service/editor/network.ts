import * as vscode from 'vscode';
import { networkSettings, type NetworkSettings } from '../node/networkSettings';

/** The current proxy and certificate settings of VS Code, and the system's proxy. */
export function readNetworkSettings(): NetworkSettings {
  const http = vscode.workspace.getConfiguration('http');
  return networkSettings(
    name => http.get(name),
    // Imported on the first request without a proxy in settings or environment.
    async origin => (await import('./systemProxy')).resolveSystemProxy(origin),
  );
}
