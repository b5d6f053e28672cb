// Which test files and scenes the words after `npm test --` mean.
import { globSync, readdirSync, readFileSync } from 'node:fs';

/** The folder of each suite's files. */
const folders = { unit: 'test/unit', integration: 'test/integration', browser: 'test/browser' };

/**
 * The files of a suite whose path contains one of the words, with slashes on every system; all
 * without words.
 */
export function testFiles(suite, words, root = '.') {
  return globSync(`${folders[suite]}/**/*.test.{ts,tsx}`, { cwd: root })
    .map(file => file.replaceAll('\\', '/'))
    .filter(file => words.length === 0 || words.some(word => file.includes(word)))
    .sort();
}

/**
 * For each suite that has tests which one of the words means, those words: the name of a subject
 * means its unit tests; a path of src or test, whole or in part, the test files that have it in
 * theirs; the beginning of a scene's name, such as `table-empty` or `masks-`, the scenes of the
 * preview; and any words of a fault of docs/faults.md its runs.
 */
export function suitesOfWords(words) {
  const subjects = new Set(
    readdirSync('test/unit', { withFileTypes: true }).flatMap(each => (each.isDirectory() ? each.name : [])),
  );
  const faults = readFileSync('docs/faults.md', 'utf8')
    .split('\n')
    .filter(line => line.startsWith('| '))
    .map(line => line.split(' | ', 1)[0].slice(2));
  const found = new Map();
  const add = (suite, word) => found.set(suite, [...(found.get(suite) ?? []), word]);
  const unknown = [];
  for (const word of words) {
    const path = word
      .replaceAll('\\', '/')
      .replace(/^(\.\/)?src\//, '')
      .replace(/(\.test)?\.tsx?$/, '');
    const before = [...found.values()].flat().length;
    if (/^(table|masks)-/.test(word)) add('preview', word);
    else if (subjects.has(path.replace(/\/$/, ''))) add('unit', `test/unit/${path.replace(/\/$/, '')}/`);
    else {
      for (const suite of Object.keys(folders)) if (testFiles(suite, [path]).length > 0) add(suite, path);
      if (faults.some(fault => fault.includes(word))) add('faults', word);
    }
    if ([...found.values()].flat().length === before) unknown.push(word);
  }
  return { found, unknown };
}
