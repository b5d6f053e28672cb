import { createRequire } from 'node:module';
import * as path from 'node:path';
import * as vscode from 'vscode';

/*
 * VS Code asks the system which proxy leads to a URL, proxy scripts included, and does so for
 * requests that extensions send with Node.js. No API says the answer, but VS Code hangs the
 * function onto its own copy of @vscode/proxy-agent, for extensions with a network client of their
 * own (docs/decisions/2026-11-24-the-systems-proxy.md).
 */

interface ProxyAgentModule {
  resolveProxyURL?: (url: string) => Promise<string | undefined>;
}

/** VS Code's modules: in an archive, or in a folder on servers. */
const FOLDERS = ['node_modules.asar', 'node_modules'];

/**
 * The system's proxy for an origin, by VS Code: an address, or undefined for a direct connection.
 * Rejects where this editor has none to tell.
 */
export async function resolveSystemProxy(origin: string): Promise<string | undefined> {
  const resolve = resolver();
  if (!resolve) throw new Error('this editor does not tell');
  // Of a link nothing more than where it leads: VS Code may write it into its log.
  return await resolve(`${origin}/`);
}

/** Of the copy that VS Code runs with: a module is loaded once. */
function resolver(): ProxyAgentModule['resolveProxyURL'] {
  const { appRoot } = vscode.env;
  const load = createRequire(path.join(appRoot, 'package.json'));
  for (const folder of FOLDERS) {
    const file = path.join(appRoot, folder, '@vscode', 'proxy-agent');
    if (!isThere(load, file)) continue;
    const { resolveProxyURL } = load(file) as ProxyAgentModule;
    if (resolveProxyURL) return resolveProxyURL;
  }
  return undefined;
}

function isThere(load: NodeJS.Require, file: string): boolean {
  try {
    load.resolve(file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return false;
    throw error;
  }
}
