/** Properties of the manifest that VS Code shows to users. */
const shownProperties = new Set([
  'title',
  'shortTitle',
  'category',
  'label',
  'name',
  'displayName',
  'description',
  'markdownDescription',
  'deprecationMessage',
  'markdownDeprecationMessage',
  'enumDescriptions',
  'markdownEnumDescriptions',
  'enumItemLabels',
  'contents',
  'contextualTitle',
  'userDescription',
  'altText',
]);

const key = /^%([\w.-]+)%$/;

/** Calls `visit` with every string of the manifest that a user reads, and where it stands. */
function forEachShown(manifest: Record<string, unknown>, visit: (text: string, where: string) => void): void {
  const walk = (value: unknown, where: string, shown: boolean): void => {
    if (typeof value === 'string') {
      if (shown) visit(value, where);
    } else if (Array.isArray(value)) {
      value.forEach((item, index) => walk(item, `${where}[${index}]`, shown));
    } else if (value !== null && typeof value === 'object') {
      for (const [name, item] of Object.entries(value)) {
        walk(
          item,
          `${where}.${name}`,
          typeof item === 'object' && !Array.isArray(item) ? false : shownProperties.has(name),
        );
      }
    }
  };
  for (const part of ['displayName', 'description']) walk(manifest[part], part, true);
  walk(manifest['contributes'], 'contributes', false);
  walk(manifest['capabilities'], 'capabilities', false);
}

/** Strings of the manifest that a user reads and that are no key, with their places. */
export function untranslated(manifest: Record<string, unknown>): string[] {
  const found: string[] = [];
  forEachShown(manifest, (text, where) => {
    if (!key.test(text)) found.push(`${where}: ${text}`);
  });
  return found;
}

/** The keys the manifest uses, sorted, each once. */
export function usedKeys(manifest: Record<string, unknown>): string[] {
  const keys = new Set<string>();
  forEachShown(manifest, text => {
    const name = key.exec(text)?.[1];
    if (name !== undefined) keys.add(name);
  });
  return [...keys].sort();
}
