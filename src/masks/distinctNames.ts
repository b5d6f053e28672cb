import { pathParts } from '../base/pathParts';

/**
 * The name of each path, with as few of its folders before it as tell it from the other paths; the same path twice stays
 * the same name. Parts are joined by `/`.
 */
export function distinctNames(paths: readonly string[]): string[] {
  const parts = paths.map(pathParts);
  const names = parts.map((each, at) => each.at(-1) ?? paths[at] ?? '');
  let same = sharedNames(names, names.keys());
  for (let folders = 1; same.length > 0; folders++) {
    const next: number[] = [];
    for (const group of same) {
      const longer = group.filter(at => (parts[at]?.length ?? 0) > folders);
      for (const at of longer) names[at] = parts[at]?.slice(-folders - 1).join('/') ?? '';
      next.push(...longer);
    }
    same = sharedNames(names, next);
  }
  return names;
}

/** Positions of those that have one name, by name, where several do. */
function sharedNames(names: readonly string[], positions: Iterable<number>): number[][] {
  const byName = new Map<string, number[]>();
  for (const at of positions) {
    const name = names[at] ?? '';
    const known = byName.get(name);
    if (known) known.push(at);
    else byName.set(name, [at]);
  }
  return [...byName.values()].filter(({ length }) => length > 1);
}
