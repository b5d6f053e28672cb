import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

/** The folder that a panel's page may load from; nothing else. */
export function pageRoot(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
}

/** The HTML of a page: an empty root and one script, under a policy that allows nothing but these. */
export function pageHtml(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  page: 'table' | 'masks',
  title: string,
): string {
  const nonce = randomBytes(18).toString('base64');
  const uri = (name: string) =>
    escape(webview.asWebviewUri(vscode.Uri.joinPath(pageRoot(extensionUri), name)).toString());
  const policy = [
    `default-src 'none'`,
    `img-src ${webview.cspSource} blob: data:`,
    `font-src ${webview.cspSource}`,
    `style-src ${webview.cspSource} 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${escape(vscode.env.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escape(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${uri('codicon.css')}">
<title>${escape(title)}</title>
</head>
<body>
<div id="root"></div>
<script nonce="${nonce}" src="${uri(`${page}.js`)}"></script>
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
