/**
 * A page's Content-Security-Policy: fonts, images and styles from `source`, scripts with `nonce`.
 */
export function pagePolicy(source: string, nonce: string): string {
  return [
    `default-src 'none'`,
    // Directives that don't fall back to default-src.
    `base-uri 'none'`,
    `form-action 'none'`,
    `img-src ${source} blob: data:`,
    `font-src ${source}`,
    `style-src ${source} 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
  ].join('; ');
}

/**
 * A bundled script as the content of a script element. Escapes strings that would end the element,
 * and sets the address of its source map, if any.
 */
export function scriptInHtml(code: string, sourceMap: string): string {
  return code
    .replaceAll(/<(?=!--|\/?script)/gi, () => '\\x3C')
    .replace(/(?<=^\/\/# sourceMappingURL=)\S+\s*$/m, () => `${sourceMap}\n`);
}
