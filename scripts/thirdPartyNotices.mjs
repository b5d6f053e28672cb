// The licenses of the packages in the bundles, by esbuild's metafiles.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledCodecs } from './bundledCodecs.mjs';

const licenseFile = /^(licen[cs]e|copying|notice)([.-].*)?$/i;

/**
 * Folders of the packages among the inputs of esbuild's metafiles, each once, in alphabetical
 * order.
 */
export function bundledPackages(metafiles) {
  const folders = new Set();
  for (const input of metafiles.flatMap(({ inputs }) => Object.keys(inputs))) {
    const found = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (found) folders.add(found[1]);
  }
  return [...folders].sort();
}

/**
 * The text of THIRD_PARTY_NOTICES.txt for package folders. Throws for a package without a license,
 * and for one of WebAssembly of which it isn't known what is inside.
 */
export function thirdPartyNotices(folders) {
  const parts = folders.map(folder => {
    const { name, version, license, author, homepage } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    );
    const texts = readdirSync(folder)
      .filter(file => licenseFile.test(file))
      .sort()
      .map(file => readFileSync(join(folder, file), 'utf8').trim());
    if (texts.length === 0 && !license) throw new Error(`${name} names no license: it must not be bundled`);
    const inside = bundledCodecs.get(name);
    if (!inside && readdirSync(folder, { recursive: true }).some(file => file.endsWith('.wasm')))
      throw new Error(`It isn't known what the WebAssembly of ${name} contains`);
    if (inside) texts.push(inside);
    const by = typeof author === 'string' ? author : author?.name;
    const said = `The package carries no license text; its manifest says: ${[license, by].filter(Boolean).join(', by ')}.`;
    const title = [`${name} ${version}`, license && `(${license})`, homepage].filter(Boolean).join(' ');
    return `${title}\n${'-'.repeat(title.length)}\n\n${texts.length > 0 ? texts.join('\n\n') : said}\n`;
  });
  const intro = 'This extension contains the following software, each under its own license.\n';
  return [intro, ...parts].join('\n\n');
}
