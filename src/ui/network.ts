import * as vscode from 'vscode';
import type { NetworkSettings } from '../api/networkSettings';

/**
 * VS Code's proxy and certificate settings, for a client that does not see them by itself. What cannot be honoured
 * (proxy scripts, Kerberos) is named in the message for network errors.
 */
export function readNetworkSettings(): NetworkSettings {
  const http = vscode.workspace.getConfiguration('http');
  const support = http.get<string>('proxySupport', 'override');
  const proxy = support === 'off' ? '' : http.get('proxy', '').trim();
  const noProxy = http.get<unknown>('noProxy', []);
  return {
    strictSSL: http.get('proxyStrictSSL', true),
    ...(proxy && { proxy }),
    ...(Array.isArray(noProxy) && { noProxy: noProxy.filter(entry => typeof entry === 'string') }),
  };
}
