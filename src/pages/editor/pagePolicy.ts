/** A page's Content-Security-Policy: fonts, images and styles from `source`, scripts by `nonce`. */
export function pagePolicy(source: string, nonce: string): string {
  return [
    `default-src 'none'`,
    // What default-src doesn't include.
    `base-uri 'none'`,
    `form-action 'none'`,
    `img-src ${source} blob: data:`,
    `font-src ${source}`,
    `style-src ${source} 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
  ].join('; ');
}

/**
 * A bundled script as the content of a script element: nothing in its strings ends the element. Its
 * source map, if it names one, is at the address given.
 */
export function scriptInHtml(code: string, sourceMap: string): string {
  return code
    .replaceAll(/<(?=!--|\/?script)/gi, () => '\\x3C')
    .replace(/(?<=^\/\/# sourceMappingURL=)\S+\s*$/m, () => `${sourceMap}\n`);
}
