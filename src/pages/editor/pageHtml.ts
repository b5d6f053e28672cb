import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { earlyRequestsScript } from '../earlyRequests';
import { pagePolicy, scriptInHtml } from './pagePolicy';

/** The only folder that a page may load files from. */
export function pageRoot(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
}

/**
 * The HTML of a page: an empty root and its script, with a policy that allows nothing else. Styles
 * and most scripts are inline, as VS Code requests files of a page only after it has set up
 * everything around the page. The table's script is a file, because it is four times as long as
 * the others, and the table's rows appear sooner if it isn't inline. While this file loads, a short
 * inline script sends the table's first requests. The file is a module, so that its nonce also
 * allows the scripts that it imports later.
 */
export function pageHtml(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  page: 'table' | 'masks' | 'comparison',
  title: string,
): string {
  const nonce = randomBytes(18).toString('base64');
  const uri = (name: string) =>
    escape(webview.asWebviewUri(vscode.Uri.joinPath(pageRoot(extensionUri), name)).toString());
  const file = (name: string) =>
    readFileSync(vscode.Uri.joinPath(pageRoot(extensionUri), name).fsPath, 'utf8');
  const policy = pagePolicy(webview.cspSource, nonce);
  const icons = file('codicon.css').replaceAll(/\.\/codicon\.ttf[^"]*/g, () => uri('codicon.ttf'));
  const script =
    page === 'table'
      ? `<script nonce="${nonce}">${earlyRequestsScript()}</script>\n<script nonce="${nonce}" type="module" src="${uri('table.js')}"></script>`
      : `<script nonce="${nonce}">${scriptInHtml(file(`${page}.js`), uri(`${page}.js.map`))}</script>`;
  return `<!DOCTYPE html>
<html lang="${escape(vscode.env.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escape(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="preload" href="${uri('codicon.ttf')}" as="font" type="font/ttf" crossorigin>
<style nonce="${nonce}">${icons}</style>
<title>${escape(title)}</title>
</head>
<body>
<div id="root"></div>
${script}
</body>
</html>`;
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
