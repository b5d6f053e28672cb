// Shows the two pages in a headless Chromium with made-up data and VS Code's own theme colours, under the real content
// security policy, and takes pictures into out/preview. Run, with parts of scenes' names to choose some:
//   esbuild test/browser/preview/preview.ts --bundle --platform=node --packages=external --format=esm \
//     --outfile=out/preview/preview.mjs && node out/preview/preview.mjs [part of a name…]
import { build } from 'esbuild';
import { mkdirSync, readFileSync } from 'node:fs';
import { chromium, type Page } from 'playwright-core';
import { readStrings } from './readStrings';
import { scenes, type Scene } from './scenes';
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
const wanted = process.argv.slice(2);

const bundle = async (entry: string) => {
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
};

const files: Record<string, { body: string | Buffer; contentType: string }> = {
  '/codicon.css': {
    body: readFileSync('node_modules/@vscode/codicons/dist/codicon.css'),
    contentType: 'text/css',
  },
  '/codicon.ttf': {
    body: readFileSync('node_modules/@vscode/codicons/dist/codicon.ttf'),
    contentType: 'font/ttf',
  },
  '/panels.js': { body: await bundle('test/browser/preview/fakePanels.ts'), contentType: 'text/javascript' },
};
for (const page of ['table', 'masks']) {
  const isWanted = scenes.some(
    scene =>
      scene.page === page &&
      (wanted.length === 0 ||
        wanted.some(part => scene.name.includes(part.replace(/-(dark|light|hc\w+)$/, '')))),
  );
  if (!isWanted) continue;
  files[`/${page}.js`] = {
    body: await bundle(`src/webview/${page}/main.ts`),
    contentType: 'text/javascript',
  };
}

function html(scene: Scene, theme: ThemeName): string {
  const policy = [
    `default-src 'none'`,
    `img-src blob: data:`,
    `style-src 'nonce-${NONCE}' ${ORIGIN}`,
    `script-src 'nonce-${NONCE}'`,
    `font-src ${ORIGIN}`,
  ].join('; ');
  const options = { strings: readStrings(scene.page), ...scene.options };
  const { variables, bodyClass } = themes[theme];
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<style nonce="${NONCE}">@layer vscode-default { html { ${variables} } ${HOST_STYLE} }</style>
<link nonce="${NONCE}" rel="stylesheet" href="/codicon.css" id="vscode-codicon-stylesheet">
<script nonce="${NONCE}" src="/panels.js"></script>
<script nonce="${NONCE}">
  addEventListener('securitypolicyviolation', e => console.error('CSP: ' + e.violatedDirective + ' ' + e.blockedURI + ' ' + e.sourceFile + ':' + e.lineNumber));
  const panel = makePanel.${scene.page}(${JSON.stringify(options)}, m => window.postMessage(m, '*'));
  window.panel = panel;
  window.heard = [];
  panel.onHeard = (name, value) => { heard.push([name, value]); document.documentElement.setAttribute('data-heard', (document.documentElement.getAttribute('data-heard') ?? '') + ' ' + name); };
  window.acquireVsCodeApi = () => ({
    postMessage: m => panel.receive(m),
    getState: () => JSON.parse(sessionStorage.getItem('state') ?? 'null') ?? undefined,
    setState: s => (sessionStorage.setItem('state', JSON.stringify(s)), s),
  });
</script></head>
<body class="${bodyClass}"><div id="root"></div><script nonce="${NONCE}" src="/${scene.page}.js"></script></body></html>`;
}

const axe = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');

/** What axe finds wrong, in short. Contrast is the theme's affair: VS Code's own colours do not always pass. */
async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(`axe.run(document, { rules: { 'color-contrast': { enabled: false }, 'page-has-heading-one': { enabled: false } } })
    .then(result => result.violations.map(v => 'axe ' + v.id + ': ' + v.help + ' ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 160)).join(' | ')))`);
}

mkdirSync('out/preview', { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  ignoreDefaultArgs: ['--hide-scrollbars'],
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
  ],
});
let problems = 0;
for (const scene of scenes) {
  for (const theme of scene.themes) {
    const name = `${scene.name}-${theme}`;
    if (wanted.length > 0 && !wanted.some(part => name.includes(part))) continue;
    const page: Page = await browser.newPage({
      viewport: scene.size ?? { width: 1100, height: 700 },
      deviceScaleFactor: scene.pixelRatio ?? 1,
      colorScheme: themes[theme].bodyClass.includes('light') ? 'light' : 'dark',
      ...(theme.startsWith('hc') && { forcedColors: 'none' as const }),
    });
    const engine = new PreviewEngine();
    if (scene.page === 'table') {
      await engine.open(Number(scene.options['rowCount']), String(scene.options['kind']));
      await page.exposeFunction('askEngine', (question: string, params: string) =>
        engine.ask(question, params),
      );
    }
    const problem = (words: string) => {
      problems++;
      console.error(`${name}: ${words}`);
    };
    page.on('console', message => {
      const told = message.type() === 'error' || message.type() === 'warning';
      // Without a GPU the painted labels are read back: slower, and not our fault.
      if (told && !message.text().includes('GL Driver Message')) problem(message.text());
    });
    page.on('pageerror', error => problem(String(error)));
    await page.route('**/*', route => {
      const path = new URL(route.request().url()).pathname;
      const file = files[path];
      if (file) return route.fulfill(file);
      return path === '/'
        ? route.fulfill({ body: html(scene, theme), contentType: 'text/html' })
        : route.abort();
    });
    try {
      await page.goto(`${ORIGIN}/`);
      await scene.act?.(page);
    } catch (error) {
      problem(String(error));
    }
    for (const fault of await accessibilityFaults(page)) problem(fault);
    await page.screenshot({ path: `out/preview/${name}.png`, animations: 'disabled' });
    await page.close();
    engine.dispose();
    console.log(`out/preview/${name}.png`);
  }
}
await browser.close();
process.exitCode = problems > 0 ? 1 : 0;
