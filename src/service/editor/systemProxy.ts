import { createRequire } from 'node:module';
import * as path from 'node:path';
import * as vscode from 'vscode';

/*
 * VS Code resolves the system's proxy for a URL, including proxy scripts, for requests that
 * extensions send with Node.js. There is no API for this. But VS Code sets the function on its copy
 * of @vscode/proxy-agent, for extensions with their own network client
 * (docs/decisions/2026-11-24-the-systems-proxy.md).
 */

interface ProxyAgentModule {
  resolveProxyURL?: (url: string) => Promise<string | undefined>;
}

/** VS Code's modules: in an archive, or in a folder on servers. */
const FOLDERS = ['node_modules.asar', 'node_modules'];

/**
 * The system's proxy for an origin according to VS Code: an address, or undefined for a direct
 * connection. Rejects if this editor doesn't provide it.
 */
export async function resolveSystemProxy(origin: string): Promise<string | undefined> {
  const resolve = resolver();
  if (!resolve) throw new Error('this editor does not tell');
  // Only the origin of a link is passed: VS Code may log it.
  return await resolve(`${origin}/`);
}

/** The function of the module copy that VS Code uses, as modules are loaded once. */
function resolver(): ProxyAgentModule['resolveProxyURL'] {
  const { appRoot } = vscode.env;
  const load = createRequire(path.join(appRoot, 'package.json'));
  for (const folder of FOLDERS) {
    const file = path.join(appRoot, folder, '@vscode', 'proxy-agent');
    if (!canResolve(load, file)) continue;
    const { resolveProxyURL } = load(file) as ProxyAgentModule;
    if (resolveProxyURL) return resolveProxyURL;
  }
  return undefined;
}

function canResolve(load: NodeJS.Require, file: string): boolean {
  try {
    load.resolve(file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return false;
    throw error;
  }
}
