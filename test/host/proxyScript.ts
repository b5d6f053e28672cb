import { runInNewContext } from 'node:vm';
import type { Page, Route } from 'playwright-core';

/** A host that no DNS knows (RFC 6761): only a proxy leads there. */
export const HOST_BEHIND_PROXY = 'service.image-analysis.test';

/**
 * A proxy script (PAC) as of a hospital: one host is behind the proxy on this port, all others are
 * reached directly.
 */
export function proxyScript(port: number): string {
  return `function FindProxyForURL(url, host) {
  if (shExpMatch(host, '${HOST_BEHIND_PROXY}')) return 'PROXY 127.0.0.1:${port}; DIRECT';
  return 'DIRECT';
}
`;
}

/** What the desktop's window has the system do, and that of a browser doesn't. */
const NO_ANSWER = /async resolveProxy\((\w+)\)\{\}/;

/**
 * Has a served window answer as the desktop one does on a system with this proxy script. All else
 * of VS Code's way from an extension's request to the proxy stays its own.
 */
export async function answerAsSystem(page: Page, script: string): Promise<void> {
  await page.exposeFunction('answerOfSystem', (url: string) =>
    String(
      runInNewContext(
        `${script}FindProxyForURL(${JSON.stringify(url)}, ${JSON.stringify(new URL(url).hostname)})`,
        { shExpMatch: (text: string, pattern: string) => text === pattern },
      ),
    ),
  );
  const replace = async (route: Route) => {
    const response = await route.fetch();
    const code = await response.text();
    if (!NO_ANSWER.test(code)) throw new Error('The served workbench asks for proxies in another way now');
    const body = code.replace(NO_ANSWER, 'async resolveProxy($1){return globalThis.answerOfSystem($1)}');
    await route.fulfill({ response, body });
  };
  // Once: requests of panels are not to pass through this process.
  await page.route('**/workbench/workbench.js*', replace, { times: 1 });
}
