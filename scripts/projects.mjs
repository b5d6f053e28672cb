// The projects of the TypeScript compiler: code that has globals of its own.
import { globSync } from 'node:fs';

/** Their configurations, as paths from the project's root, with slashes on every system. */
export function projects() {
  return globSync('{.,src/**,test/**}/tsconfig{,.*}.json', { exclude: path => path.endsWith('node_modules') })
    .map(path => path.replaceAll('\\', '/'))
    .sort();
}
