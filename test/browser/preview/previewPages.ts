import { plateText } from './plateTable';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { WAIT_MS } from '../../../scripts/patience.mjs';
import { pagePolicy } from '../../../src/pages/editor/pagePolicy';
import { type PageName, pageScripts } from './pageScripts';
import { PreviewEngine } from './tableEngine';
import { themes, type ThemeName } from './themes';

const NONCE = 'cHJldmlldw';
/** The styles that VS Code gives every webview, in short. */
const HOST_STYLE = `
  html { scrollbar-color: var(--vscode-scrollbarSlider-background) var(--vscode-editor-background); }
  body { overscroll-behavior-x: none; background-color: transparent; color: var(--vscode-editor-foreground);
    font-family: var(--vscode-font-family); font-size: var(--vscode-font-size); margin: 0; padding: 0 20px; }
  ::-webkit-scrollbar { width: 10px; height: 10px; }
  ::-webkit-scrollbar-corner { background-color: var(--vscode-editor-background); }
  ::-webkit-scrollbar-thumb { background-color: var(--vscode-scrollbarSlider-background); }`;

/** Of scenes that say nothing else. */
export const USUAL_SIZE = { width: 1100, height: 700 };

/**
 * For browsers that show one page at a time: what its process has compiled of a page's script is
 * there for the next.
 */
export const oneRenderer = ['--renderer-process-limit=1'];

/** One of our pages, and the options of its fake panel. */
export interface PageSetup {
  page: PageName;
  options: Record<string, unknown>;
  pixelRatio?: number;
  size?: { width: number; height: number } | undefined;
}

/** A page on the screen. */
export interface OpenPreview {
  page: Page;
  /** Handles requests of the table page; unused by the masks page. */
  engine: PreviewEngine;
  /** Problems of the page so far: errors, warnings, violations of its content security policy. */
  problems: string[];
  close(): Promise<void>;
}

/**
 * Opens our pages in a browser without VS Code, with made-up data, VS Code's own theme colors and
 * the real content security policy. Tables are read by the real engine.
 */
export class PreviewPages {
  /** By pixel ratio, in each an empty page that keeps the process. */
  private readonly contexts = new Map<number, Promise<BrowserContext>>();
  private opened = 0;

  private constructor(
    private readonly browser: Browser,
    private readonly files: Map<string, ServedFile>,
    private readonly origin: string,
  ) {}

  /**
   * Bundles the pages, unless they are already, and serves them until the caller closes the
   * browser.
   */
  static async bundle(browser: Browser, names: readonly PageName[]): Promise<PreviewPages> {
    const codicons = 'node_modules/@vscode/codicons/dist';
    const files = new Map<string, ServedFile>([
      ['/codicon.css', { body: readFileSync(`${codicons}/codicon.css`), contentType: 'text/css' }],
      ['/codicon.ttf', { body: readFileSync(`${codicons}/codicon.ttf`), contentType: 'font/ttf' }],
      ['/empty', { body: '<!DOCTYPE html>', contentType: 'text/html' }],
      ['/favicon.ico', { body: '', contentType: 'image/x-icon' }],
    ]);
    for (const [name, body] of await pageScripts(names))
      files.set(`/${name}`, { body, contentType: 'text/javascript' });
    return new PreviewPages(browser, files, await serve(files, browser));
  }

  async open(setup: PageSetup, theme: ThemeName): Promise<OpenPreview> {
    const page = await (await this.contextFor(setup.pixelRatio ?? 1)).newPage();
    await page.setViewportSize(setup.size ?? USUAL_SIZE);
    await page.emulateMedia({
      colorScheme: themes[theme].bodyClass.includes('light') ? 'light' : 'dark',
      ...(theme.startsWith('hc') && { forcedColors: 'none' as const }),
    });
    const engine = new PreviewEngine();
    if (setup.page === 'table') {
      const { rowCount, kind, columns, path, study, plates } = setup.options;
      if (typeof path === 'string') await engine.openFile(path);
      else if (study) await engine.openStudy(study);
      else if (plates) await engine.openText(plateText(plates));
      else await engine.open(Number(rowCount), String(kind), Number(columns ?? 0));
      await page.exposeFunction('callEngine', (method: string, params: string) =>
        engine.call(method, params),
      );
    }
    const problems: string[] = [];
    page.on('console', message => {
      const isProblem = message.type() === 'error' || message.type() === 'warning';
      // Without a GPU, reading back the painted labels causes a warning of the driver.
      if (isProblem && !message.text().includes('GL Driver Message')) problems.push(message.text());
    });
    page.on('pageerror', error => problems.push(String(error)));
    const address = `/${setup.page}-${++this.opened}`;
    this.files.set(address, { body: html(setup, theme, this.origin), contentType: 'text/html' });
    await page.goto(`${this.origin}${address}`);
    return {
      page,
      engine,
      problems,
      close: async () => {
        await page.close();
        this.files.delete(address);
        await engine.dispose();
      },
    };
  }

  private contextFor(deviceScaleFactor: number): Promise<BrowserContext> {
    const known = this.contexts.get(deviceScaleFactor);
    if (known) return known;
    const context = this.openContext(deviceScaleFactor);
    this.contexts.set(deviceScaleFactor, context);
    return context;
  }

  private async openContext(deviceScaleFactor: number): Promise<BrowserContext> {
    const context = await this.browser.newContext({ deviceScaleFactor });
    context.setDefaultTimeout(WAIT_MS);
    await (await context.newPage()).goto(`${this.origin}/empty`);
    return context;
  }
}

/** What the server of the pages has at an address. */
interface ServedFile {
  body: string | Buffer;
  contentType: string;
}

/** Serves files to a browser of this machine until that is closed. Gives their origin. */
async function serve(files: ReadonlyMap<string, ServedFile>, browser: Browser): Promise<string> {
  const server = createServer(({ url = '' }, response) => {
    const file = files.get(url.replace(/\?.*/, ''));
    if (!file) return void response.writeHead(404).end();
    const { body, contentType } = file;
    // What is bundled stays as it is; a page is made for one test.
    const caching = contentType === 'text/html' ? 'no-store' : 'max-age=3600';
    response.writeHead(200, { 'content-type': contentType, 'cache-control': caching });
    response.end(body);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  browser.once('disconnected', () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Waits until the page has sent its panel an event or request of this name. */
export async function waitForMessage(page: Page, name: string): Promise<void> {
  await page.waitForSelector(`html[data-sent~="${name}"]`, { state: 'attached' });
}

/**
 * Values of all events and requests of a name that the page sent so far, those that are on their
 * way too.
 */
export async function sentMessages(page: Page, name: string): Promise<unknown[]> {
  const messages: [string, unknown][] = await page.evaluate('panel.port.arrived().then(() => sentMessages)');
  return messages.filter(([each]) => each === name).map(([, value]) => value);
}

function html(setup: PageSetup, theme: ThemeName, origin: string): string {
  const policy = pagePolicy(origin, NONCE);
  const options = {
    strings: {
      failed: setup.page === 'comparison' ? "Couldn't compare these masks" : "Couldn't show this result",
      translations: {},
    },
    ...setup.options,
  };
  const { variables, bodyClass } = themes[theme];
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<style nonce="${NONCE}">@layer vscode-default { html { ${variables} } ${HOST_STYLE} }</style>
<link nonce="${NONCE}" rel="stylesheet" href="/codicon.css" id="vscode-codicon-stylesheet">
<script nonce="${NONCE}" src="/panels.js"></script>
<script nonce="${NONCE}">
  addEventListener('securitypolicyviolation', e => console.error('CSP: ' + e.violatedDirective + ' ' + e.blockedURI + ' ' + e.sourceFile + ':' + e.lineNumber));
  const panel = makePanel.${setup.page}(${JSON.stringify(options)}, m => window.postMessage(m, '*'));
  window.panel = panel;
  window.sentMessages = [];
  panel.onMessage = (name, value) => { sentMessages.push([name, value]); document.documentElement.setAttribute('data-sent', (document.documentElement.getAttribute('data-sent') ?? '') + ' ' + name); };
  window.acquireVsCodeApi = () => ({
    postMessage: m => panel.port.receive(m),
    getState: () => JSON.parse(sessionStorage.getItem('state') ?? 'null') ?? undefined,
    setState: s => (sessionStorage.setItem('state', JSON.stringify(s)), s),
  });
</script></head>
<body class="${bodyClass}"><div id="root"></div><script nonce="${NONCE}"${setup.page === 'table' ? ' type="module"' : ''} src="/${setup.page}.js"></script></body></html>`;
}
