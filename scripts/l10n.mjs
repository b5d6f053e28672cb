// Writes l10n/bundle.l10n.json, which translators start from, with the strings in the code; with --check only
// reports whether it is up to date.
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { bundlePath, bundleText, collectStrings } from './l10nStrings.mjs';

const { bundle, computed } = collectStrings();
if (computed.length > 0) {
  console.error(`l10n.t needs a string literal at ${computed.join(', ')}`);
  process.exitCode = 1;
}
const text = bundleText(bundle);
const fresh = existsSync(bundlePath) && readFileSync(bundlePath, 'utf8') === text;
if (process.argv.includes('--check')) {
  if (!fresh) {
    console.error(`${bundlePath} does not match the code: run \`npm run l10n\``);
    process.exitCode = 1;
  }
} else if (!fresh) {
  await mkdir('l10n', { recursive: true });
  await writeFile(bundlePath, text);
  console.log(`${bundlePath}: ${Object.keys(bundle).length} strings`);
}
