// Prints how the code is cut and how large it is when it is built: files, lines, exported names,
// files per journey, how pages are put together, and the sizes of the bundles in dist (of a
// production build) and of the .vsix, where they are. The last line is the same as JSON.
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { measureSource } from './measureSource.mjs';

const slashed = path => path.replaceAll('\\', '/');
const files = Object.fromEntries(
  globSync('src/**/*.{ts,tsx}').map(path => [slashed(path), readFileSync(path, 'utf8')]),
);
const source = measureSource(files, readFileSync('docs/architecture.md', 'utf8'));

/**
 * Bytes of the JavaScript in dist by bundle, parts of a bundle with it; undefined where it isn't
 * built for production.
 */
function bundleSizes() {
  const scripts = globSync('dist/**/*.js').map(slashed).sort();
  if (scripts.length === 0 || globSync('dist/**/*.js.map').length > 0) return undefined;
  const sizes = {};
  for (const path of scripts) {
    const name = path.replace(/^dist\//, '').replace(/\.js$/, '');
    const whole = name.split('/')[0];
    const bundle = scripts.includes(`dist/${whole}.js`) ? whole : name;
    sizes[bundle] = (sizes[bundle] ?? 0) + statSync(path).size;
  }
  return sizes;
}

const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'));
const vsix = `${name}-${version}.vsix`;
const bundles = bundleSizes();
const packageBytes = existsSync(vsix) ? statSync(vsix).size : undefined;

const count = number => number.toLocaleString('en-US');
const column = number => count(number).padStart(9);
const { subjects, journeys, pages } = source;
console.log(`src: ${count(source.files)} files, ${count(source.lines)} lines
  under 40 lines: ${count(source.under40)} files
  under 30 lines: ${count(source.under30)} files
  exported names: ${count(source.exported)}

    files     lines  subject`);
for (const [subject, { files: number, lines }] of Object.entries(subjects))
  console.log(`${column(number)} ${column(lines)}  ${subject}`);
console.log('\n    files  journey');
for (const [title, number] of Object.entries(journeys)) console.log(`${column(number)}  ${title}`);
console.log(`
pages: ${count(pages.files)} files, ${count(pages.characters)} characters
  declared onX options: ${count(pages.options)}
  methods set…, show…, refresh…, update…: ${count(pages.pushMethods)}
  of these neither private nor verbs of models: ${count(pages.pushedIntoViews)}
`);
if (bundles) {
  console.log('    bytes  bundle');
  for (const [bundle, bytes] of Object.entries(bundles)) console.log(`${column(bytes)}  ${bundle}`);
} else console.log('bundles: none for production in dist (npm run package makes them)');
console.log(
  packageBytes === undefined ? `${vsix}: none (npm run package)` : `${vsix}: ${count(packageBytes)} bytes`,
);
console.log(JSON.stringify({ ...source, bundles: bundles ?? null, package: packageBytes ?? null }));
