import * as vscode from 'vscode';
import { networkSettings, type NetworkSettings } from '../node/networkSettings';

/** VS Code's proxy and certificate settings, as they are now, and the system's proxy. */
export function readNetworkSettings(): NetworkSettings {
  const http = vscode.workspace.getConfiguration('http');
  return networkSettings(
    name => http.get(name),
    // Loaded with the first request that neither a setting nor the environment names a proxy for.
    async origin => (await import('./systemProxy')).resolveSystemProxy(origin),
  );
}
