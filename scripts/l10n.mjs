// Writes l10n/bundle.l10n.json, which translators start from, and l10n/reasons.json, the messages
// of reasons, with the strings in the code; with --check only reports whether they are up to date.
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { bundlePath, bundleText, collectStrings, reasonsPath } from './l10nStrings.mjs';

const { bundle, reasons, computed, unfilled } = collectStrings();
if (computed.length > 0) console.error(`A message needs a string literal at ${computed.join(', ')}`);
for (const line of unfilled) console.error(line);
if (computed.length + unfilled.length > 0) process.exitCode = 1;
await mkdir('l10n', { recursive: true });
for (const [path, strings] of [
  [bundlePath, bundle],
  [reasonsPath, reasons],
]) {
  const text = bundleText(strings);
  if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
  if (process.argv.includes('--check')) {
    console.error(`${path} does not match the code: run \`npm run l10n\``);
    process.exitCode = 1;
  } else {
    await writeFile(path, text);
    console.log(`${path}: ${Object.keys(strings).length} strings`);
  }
}
