/** Adds style sheets to the page under its content security policy. */
export function addStyle(nonce: string, ...sheets: string[]): void {
  const style = document.createElement('style');
  style.nonce = nonce;
  style.textContent = sheets.join('\n');
  document.head.append(style);
}

/** The nonce of the script that is running now; call it only while the page's script first runs. */
export function scriptNonce(): string {
  const script = document.currentScript;
  return script instanceof HTMLScriptElement ? script.nonce : '';
}
