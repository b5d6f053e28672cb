// Splits a bundle for Node.js into an entry that is loaded at once and parts that `import()` loads
// later. esbuild splits only ES modules, and into many small files; the extension host spends more
// time on finding such a file than on compiling it. So the parts that are loaded at once are
// merged, the others are functions in one other file, and everything is converted to CommonJS,
// which loads faster.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { basename } from 'node:path';
import { build, transform } from 'esbuild';

/**
 * Larger parts have files of their own, unless a bundle says otherwise, as compiling them takes
 * longer than finding them.
 */
const MAX_PART_BYTES = 200_000;
const PARTS = 'parts.js';
/**
 * Decoders look for their .wasm beside them unless they get it, as here. Of packages the first
 * build doesn't say so.
 */
const IN_PACKAGES = { 'empty-import-meta': 'silent' };

/**
 * Options of a build with one entry point, whose parts `splitCommonJs` writes: those loaded later
 * into `folder`. With `withDefaults` default exports of packages can be imported, which costs time
 * at the start.
 */
export function splitOptions(
  folder,
  { sourcemap, minify, withDefaults = false, maxPartBytes = MAX_PART_BYTES, ...options },
) {
  return {
    ...options,
    format: 'esm',
    splitting: true,
    // Names and whitespace are minified once the parts are merged.
    minifySyntax: minify,
    chunkNames: `${folder}/[name]-[hash]`,
    sourcemap: sourcemap ? 'inline' : false,
    write: false,
    plugins: [
      splitCommonJs(folder, {
        ...options,
        sourcemap: sourcemap ? 'inline' : false,
        minify,
        withDefaults,
        maxPartBytes,
      }),
    ],
  };
}

function splitCommonJs(folder, options) {
  const { outdir, entryPoints } = options;
  const entry = `${Object.keys(entryPoints)[0]}.js`;
  return {
    name: 'split-common-js',
    setup({ onEnd }) {
      onEnd(async ({ outputFiles = [], metafile, errors }) => {
        if (errors.length > 0) return;
        const texts = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
        const imports = importsOfParts(metafile);
        const atOnce = importedBy(entry, imports);
        const later = [...texts.keys()].filter(name => !atOnce.has(name));
        const shared = new Set(later.flatMap(name => imports.get(name)).filter(name => atOnce.has(name)));
        // With every change of a watched build some parts get other names.
        await rm(`${outdir}/${folder}`, { recursive: true, force: true });
        await mkdir(`${outdir}/${folder}`, { recursive: true });
        const merged = await mergeParts(entry, { atOnce, shared, texts, folder, ...options });
        const codes = new Map();
        for (const name of later) {
          const code = await toCommonJs(name, texts.get(name), options);
          codes.set(name, importFromEntry(code, entry, shared));
        }
        // Source maps are those of files.
        const joined = options.sourcemap
          ? []
          : later.filter(name => codes.get(name).length < options.maxPartBytes);
        for (const [name, code] of codes)
          if (!joined.includes(name))
            await writeFile(`${outdir}/${folder}/${name}`, importFromParts(code, './', joined));
        if (joined.length > 0) await writeFile(`${outdir}/${folder}/${PARTS}`, joinParts(joined, codes));
        const entryCode = await toCommonJs(entry, merged, options);
        await writeFile(`${outdir}/${entry}`, importFromParts(entryCode, `./${folder}/`, joined));
      });
    },
  };
}

/** The names of the parts that each part imports, without those that `import()` loads. */
function importsOfParts({ outputs }) {
  return new Map(
    Object.entries(outputs).map(([path, { imports }]) => [
      basename(path),
      imports
        .filter(({ kind, external }) => kind === 'import-statement' && !external)
        .map(({ path }) => basename(path)),
    ]),
  );
}

/** The entry and all parts that it imports, directly or not. */
function importedBy(entry, imports) {
  const loaded = new Set([entry]);
  // Iterating over a set includes what is added on the way.
  for (const name of loaded) for (const imported of imports.get(name)) loaded.add(imported);
  return loaded;
}

/**
 * Merges the parts `atOnce` into one CommonJS file, which also exports each of the `shared` parts
 * as an object.
 */
async function mergeParts(
  entry,
  { atOnce, shared, texts, folder, platform, target, external, sourcemap, withDefaults },
) {
  const parts = {
    name: 'parts',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\.\.?\// }, ({ path }) => {
        const name = basename(path);
        return atOnce.has(name)
          ? { path: name, namespace: 'part' }
          : { path: `./${folder}/${name}`, external: true };
      });
      // Without an export esbuild may take an entry for CommonJS: all parts would be in functions
      // then, and V8 would parse each function twice.
      onLoad({ filter: /./, namespace: 'part' }, ({ path }) => ({
        contents: `${texts.get(path)}\nexport {};`,
      }));
      // Each call of `require` takes time, so there is only one for each package.
      onResolve({ filter: /./ }, ({ path, namespace }) => {
        if (!isBuiltin(path) && !external.includes(path)) return undefined;
        return namespace === 'required' ? { path, external: true } : { path, namespace: 'required' };
      });
      onLoad({ filter: /./, namespace: 'required' }, ({ path }) => ({
        contents: `module.exports = require(${JSON.stringify(path)});`,
      }));
    },
  };
  const { outputFiles } = await build({
    stdin: {
      contents: [
        `export * from './${entry}';`,
        ...[...shared].map(name => `export * as ${exportName(name)} from './${name}';`),
      ].join('\n'),
    },
    bundle: true,
    write: false,
    outdir: '.',
    format: 'cjs',
    platform,
    target,
    sourcemap,
    logLevel: 'warning',
    logOverride: IN_PACKAGES,
    supported: { 'dynamic-import': false },
    plugins: [parts],
  });
  if (withDefaults) return outputFiles[0].text;
  // The wrapper copies all exports of a package for each file that imports it. Only default exports
  // need that.
  return outputFiles[0].text.replace(
    /\b__toESM\((require_\w+\(\)), 1\)|\b__toESM\((require_\w+\(\))\)/g,
    '$1$2',
  );
}

async function toCommonJs(name, text, { platform, target, minify, sourcemap }) {
  const { code } = await transform(text, {
    format: 'cjs',
    platform,
    target,
    minify,
    sourcemap,
    sourcefile: name,
    logOverride: IN_PACKAGES,
    // The extension host's own `require` knows "vscode"; its `import` finds no CommonJS exports.
    supported: { 'dynamic-import': false },
  });
  return asciiOnly(code);
}

/**
 * Of a text with a single other character V8 has two bytes for each, and takes longer to read it.
 * esbuild leaves such characters in regular expressions alone.
 */
function asciiOnly(code) {
  return code.replace(/[^\0-\x7f]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Rewrites the imports of parts that were merged with the entry, to import them from there. */
function importFromEntry(code, entry, shared) {
  return code.replace(/\brequire\("\.\.?\/(?:[\w-]+\/)?([\w.-]+)"\)/g, (call, name) =>
    shared.has(name) ? `require("../${entry}").${exportName(name)}` : call,
  );
}

/** The code of a file, with its imports of joined parts replaced by imports from their file. */
function importFromParts(code, folder, joined) {
  return code.replace(/\brequire\("(\.\/(?:[\w-]+\/)?)([\w.-]+)"\)/g, (call, at, name) =>
    at === folder && joined.includes(name) ? `require("${folder}${PARTS}")("./${name}")` : call,
  );
}

/**
 * A file that exports what loads a part, once, as `require` does; parts also require all else by
 * that.
 */
function joinParts(joined, codes) {
  const functions = joined.map(
    name => `${JSON.stringify(`./${name}`)}(module, exports, require) {${codes.get(name)}\n}`,
  );
  return `const parts = {
${functions.join(',\n')}
};
const modules = new Map();
function load(name) {
  const known = modules.get(name);
  if (known) return known.exports;
  const part = Object.hasOwn(parts, name) ? parts[name] : undefined;
  const module = { exports: part ? {} : require(name) };
  modules.set(name, module);
  if (!part) return module.exports;
  try {
    part(module, module.exports, load);
  } catch (error) {
    modules.delete(name);
    throw error;
  }
  return module.exports;
}
module.exports = load;
`;
}

function exportName(part) {
  return basename(part, '.js').replaceAll('-', '_');
}
