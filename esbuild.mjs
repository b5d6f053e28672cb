// Bundles the extension, its thread, the sample service and the pages into dist/. A warning fails
// the build.
import { build, context } from 'esbuild';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { pageBundles } from './scripts/pageBundles.mjs';
import { splitOptions } from './scripts/splitCommonJs.mjs';
import { bundledPackages, thirdPartyNotices } from './scripts/thirdPartyNotices.mjs';

const watch = process.argv.includes('--watch');
const production = process.argv.includes('--production');

const shared = {
  bundle: true,
  sourcemap: !production,
  minify: production,
  metafile: true,
  logLevel: 'warning',
  loader: { '.wasm': 'binary' },
};

const node = { ...shared, platform: 'node', format: 'cjs', target: 'node22' };

const bundles = [
  splitOptions('extension', {
    ...node,
    entryPoints: { extension: 'src/extension.ts' },
    external: ['vscode'],
    outdir: 'dist',
  }),
  // Codecs and formats that few results need are parts, so that a thread starts without them.
  splitOptions('engine', {
    ...node,
    entryPoints: { engine: 'src/workbench/engine/thread.ts' },
    external: [],
    withDefaults: true,
    maxPartBytes: 100_000,
    outdir: 'dist',
  }),
  { ...node, entryPoints: { scanner: 'src/columns/engine/scanner.ts' }, outdir: 'dist' },
  { ...node, entryPoints: { sample: 'src/sample/node/main.ts' }, outdir: 'dist' },
  ...pageBundles('dist/webview', ['table', 'masks', 'comparison'], shared),
];

await rm('dist', { recursive: true, force: true });
await mkdir('dist/webview', { recursive: true });
for (const file of ['codicon.css', 'codicon.ttf']) {
  await cp(`node_modules/@vscode/codicons/dist/${file}`, `dist/webview/${file}`);
}

/**
 * Prints the lines that tell the watch task (.vscode/tasks.json) when all bundles are up to date.
 */
function watchLines() {
  let building = 0;
  return {
    name: 'watch-lines',
    setup({ onStart, onEnd }) {
      onStart(() => {
        if (building++ === 0) console.log('[watch] build started');
      });
      onEnd(() => {
        if (--building === 0) console.log('[watch] build finished');
      });
    },
  };
}

if (watch) {
  const plugins = [watchLines()];
  await Promise.all(
    bundles.map(async options =>
      (await context({ ...options, plugins: [...(options.plugins ?? []), ...plugins] })).watch(),
    ),
  );
} else {
  // esbuild has already printed the errors.
  const results = await Promise.all(bundles.map(options => build(options))).catch(() => process.exit(1));
  if (results.some(result => result.warnings.length > 0)) process.exitCode = 1;
  // The icon font is copied, not bundled.
  const packages = new Set([
    ...bundledPackages(results.map(({ metafile }) => metafile)),
    'node_modules/@vscode/codicons',
  ]);
  await writeFile('dist/THIRD_PARTY_NOTICES.txt', thirdPartyNotices([...packages].sort()));
}
