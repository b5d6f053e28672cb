import { build } from 'esbuild';
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { pagePolicy } from '../../../src/pages/editor/pagePolicy';
import { compareTexts } from '../../../src/pages/compareTexts';
import { masksTexts } from '../../../src/pages/masksTexts';
import { tableTexts } from '../../../src/pages/tableTexts';
import { plainEnglish } from '../../../src/words/translate';
import { PreviewEngine } from './tableEngine';
import { themes, type ThemeName } from './themes';

const ORIGIN = 'http://preview.test';
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

export type PageName = 'table' | 'masks' | 'matching';

/** One of our pages, and the options of its fake panel. */
export interface PageSetup {
  page: PageName;
  options: Record<string, unknown>;
  pixelRatio?: number;
  size?: { width: number; height: number };
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
 * Opens our pages in a browser without VS Code, with made-up data, VS Code's own theme colors and the real content
 * security policy. Tables are read by the real engine.
 */
export class PreviewPages {
  private constructor(
    private readonly browser: Browser,
    private readonly files: Record<string, { body: string | Buffer; contentType: string }>,
  ) {}

  /** Bundles the pages; the caller closes the browser. */
  static async bundle(browser: Browser, names: readonly PageName[]): Promise<PreviewPages> {
    const script = async (entry: string) => ({ body: await bundle(entry), contentType: 'text/javascript' });
    const codicons = 'node_modules/@vscode/codicons/dist';
    const files: PreviewPages['files'] = {
      '/codicon.css': { body: readFileSync(`${codicons}/codicon.css`), contentType: 'text/css' },
      '/codicon.ttf': { body: readFileSync(`${codicons}/codicon.ttf`), contentType: 'font/ttf' },
      '/panels.js': await script('test/browser/preview/fakePanels.ts'),
    };
    for (const name of names) files[`/${name}.js`] = await script(`src/${name}/page/main.ts`);
    return new PreviewPages(browser, files);
  }

  async open(setup: PageSetup, theme: ThemeName): Promise<OpenPreview> {
    const page = await this.browser.newPage({
      viewport: setup.size ?? USUAL_SIZE,
      deviceScaleFactor: setup.pixelRatio ?? 1,
      colorScheme: themes[theme].bodyClass.includes('light') ? 'light' : 'dark',
      ...(theme.startsWith('hc') && { forcedColors: 'none' as const }),
    });
    const engine = new PreviewEngine();
    if (setup.page === 'table') {
      const { rowCount, kind, columns, path, study } = setup.options;
      if (typeof path === 'string') await engine.openFile(path);
      else if (study) await engine.openStudy(study);
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
    await page.route('**/*', route => {
      const path = new URL(route.request().url()).pathname;
      const file = this.files[path];
      if (file) return route.fulfill(file);
      return path === '/'
        ? route.fulfill({ body: html(setup, theme), contentType: 'text/html' })
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

/** Waits until the page has sent its panel an event or request of this name. */
export async function waitForMessage(page: Page, name: string): Promise<void> {
  await page.waitForSelector(`html[data-sent~="${name}"]`, { state: 'attached' });
}

/** Values of all events and requests of a name that the page sent so far. */
export async function sentMessages(page: Page, name: string): Promise<unknown[]> {
  const messages: [string, unknown][] = await page.evaluate('sentMessages');
  return messages.filter(([each]) => each === name).map(([, value]) => value);
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

function html(setup: PageSetup, theme: ThemeName): string {
  const policy = pagePolicy(ORIGIN, NONCE);
  const options = {
    strings: { table: tableTexts, masks: masksTexts, matching: compareTexts }[setup.page](plainEnglish),
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
    postMessage: m => panel.receive(m),
    getState: () => JSON.parse(sessionStorage.getItem('state') ?? 'null') ?? undefined,
    setState: s => (sessionStorage.setItem('state', JSON.stringify(s)), s),
  });
</script></head>
<body class="${bodyClass}"><div id="root"></div><script nonce="${NONCE}" src="/${setup.page}.js"></script></body></html>`;
}
