import { build } from 'esbuild';
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { readStrings } from './readStrings';
import { PreviewEngine } from './tableEngine';
import { themes, type ThemeName } from './themes';

const ORIGIN = 'http://preview.test';
const NONCE = 'cHJldmlldw';
/** What VS Code itself gives every webview, in short. */
const HOST_STYLE = `
  html { scrollbar-color: var(--vscode-scrollbarSlider-background) var(--vscode-editor-background); }
  body { overscroll-behavior-x: none; background-color: transparent; color: var(--vscode-editor-foreground);
    font-family: var(--vscode-font-family); font-size: var(--vscode-font-size); margin: 0; padding: 0 20px; }
  ::-webkit-scrollbar { width: 10px; height: 10px; }
  ::-webkit-scrollbar-corner { background-color: var(--vscode-editor-background); }
  ::-webkit-scrollbar-thumb { background-color: var(--vscode-scrollbarSlider-background); }`;

export type PageName = 'table' | 'masks';

/** One of our pages, and what its made-up panel is told. */
export interface PageWanted {
  page: PageName;
  options: Record<string, unknown>;
  pixelRatio?: number;
  size?: { width: number; height: number };
}

/** A page on the screen. */
export interface OpenPreview {
  page: Page;
  /** Answers the table page; of no use to the masks page. */
  engine: PreviewEngine;
  /** What the page complained about so far: errors, warnings, what its content security policy refused. */
  problems: string[];
  close(): Promise<void>;
}

/**
 * Opens our pages in a browser alone, with made-up data, VS Code's own theme colours and the real content security
 * policy. Tables are read by the real engine.
 */
export class PreviewPages {
  private constructor(
    private readonly browser: Browser,
    private readonly files: Record<string, { body: string | Buffer; contentType: string }>,
  ) {}

  /** Bundles the pages; the browser stays its caller's. */
  static async bundle(browser: Browser, names: readonly PageName[]): Promise<PreviewPages> {
    const script = async (entry: string) => ({ body: await bundle(entry), contentType: 'text/javascript' });
    const codicons = 'node_modules/@vscode/codicons/dist';
    const files: PreviewPages['files'] = {
      '/codicon.css': { body: readFileSync(`${codicons}/codicon.css`), contentType: 'text/css' },
      '/codicon.ttf': { body: readFileSync(`${codicons}/codicon.ttf`), contentType: 'font/ttf' },
      '/panels.js': await script('test/browser/preview/fakePanels.ts'),
    };
    for (const name of names) files[`/${name}.js`] = await script(`src/webview/${name}/main.ts`);
    return new PreviewPages(browser, files);
  }

  async open(wanted: PageWanted, theme: ThemeName): Promise<OpenPreview> {
    const page = await this.browser.newPage({
      viewport: wanted.size ?? { width: 1100, height: 700 },
      deviceScaleFactor: wanted.pixelRatio ?? 1,
      colorScheme: themes[theme].bodyClass.includes('light') ? 'light' : 'dark',
      ...(theme.startsWith('hc') && { forcedColors: 'none' as const }),
    });
    const engine = new PreviewEngine();
    if (wanted.page === 'table') {
      const { rowCount, kind, columns } = wanted.options;
      await engine.open(Number(rowCount), String(kind), Number(columns ?? 0));
      await page.exposeFunction('askEngine', (question: string, params: string) =>
        engine.ask(question, params),
      );
    }
    const problems: string[] = [];
    page.on('console', message => {
      const told = message.type() === 'error' || message.type() === 'warning';
      // Without a GPU the painted labels are read back: slower, and not our fault.
      if (told && !message.text().includes('GL Driver Message')) problems.push(message.text());
    });
    page.on('pageerror', error => problems.push(String(error)));
    await page.route('**/*', route => {
      const path = new URL(route.request().url()).pathname;
      const file = this.files[path];
      if (file) return route.fulfill(file);
      return path === '/'
        ? route.fulfill({ body: html(wanted, theme), contentType: 'text/html' })
        : route.abort();
    });
    await page.goto(`${ORIGIN}/`);
    return {
      page,
      engine,
      problems,
      close: async () => {
        await page.close();
        engine.dispose();
      },
    };
  }
}

/** Until the page sent its panel an event or request of this name. */
export async function heard(page: Page, name: string): Promise<void> {
  await page.waitForSelector(`html[data-heard~="${name}"]`, { state: 'attached' });
}

/** Values of all events and requests of a name that the page sent so far. */
export async function allHeard(page: Page, name: string): Promise<unknown[]> {
  const heardSoFar: [string, unknown][] = await page.evaluate('heard');
  return heardSoFar.filter(([each]) => each === name).map(([, value]) => value);
}

async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    target: 'chrome128',
    loader: { '.css': 'text' },
    logLevel: 'warning',
  });
  return outputFiles[0]?.text ?? '';
}

function html(wanted: PageWanted, theme: ThemeName): string {
  const policy = [
    `default-src 'none'`,
    `img-src blob: data:`,
    `style-src 'nonce-${NONCE}' ${ORIGIN}`,
    `script-src 'nonce-${NONCE}'`,
    `font-src ${ORIGIN}`,
  ].join('; ');
  const options = { strings: readStrings(wanted.page), ...wanted.options };
  const { variables, bodyClass } = themes[theme];
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<style nonce="${NONCE}">@layer vscode-default { html { ${variables} } ${HOST_STYLE} }</style>
<link nonce="${NONCE}" rel="stylesheet" href="/codicon.css" id="vscode-codicon-stylesheet">
<script nonce="${NONCE}" src="/panels.js"></script>
<script nonce="${NONCE}">
  addEventListener('securitypolicyviolation', e => console.error('CSP: ' + e.violatedDirective + ' ' + e.blockedURI + ' ' + e.sourceFile + ':' + e.lineNumber));
  const panel = makePanel.${wanted.page}(${JSON.stringify(options)}, m => window.postMessage(m, '*'));
  window.panel = panel;
  window.heard = [];
  panel.onHeard = (name, value) => { heard.push([name, value]); document.documentElement.setAttribute('data-heard', (document.documentElement.getAttribute('data-heard') ?? '') + ' ' + name); };
  window.acquireVsCodeApi = () => ({
    postMessage: m => panel.receive(m),
    getState: () => JSON.parse(sessionStorage.getItem('state') ?? 'null') ?? undefined,
    setState: s => (sessionStorage.setItem('state', JSON.stringify(s)), s),
  });
</script></head>
<body class="${bodyClass}"><div id="root"></div><script nonce="${NONCE}" src="/${wanted.page}.js"></script></body></html>`;
}
