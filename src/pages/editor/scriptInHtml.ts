/**
 * A bundled script as the content of a script element: nothing in its strings ends the element. Its source map, if it names one, is
 * found at the address given.
 */
export function scriptInHtml(code: string, sourceMap: string): string {
  return code
    .replaceAll(/<(?=!--|\/?script)/gi, () => '\\x3C')
    .replace(/(?<=^\/\/# sourceMappingURL=)\S+\s*$/m, () => `${sourceMap}\n`);
}
