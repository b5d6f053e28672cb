import * as assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import type manifestType from '../../../package.json';
import { viewIds, viewTypes, walkthroughId, type ContextKeys } from '../../../src/host/manifestNames';
import { errorCodes } from '../../../src/base/errors';
import { declaredCommands, type DeclaredOptions } from './declaredCommands';
import { readSources, type SourceFile } from './sourceFile';

const manifestText = readFileSync('package.json', 'utf8');
const { contributes, capabilities } = JSON.parse(manifestText) as typeof manifestType;
const automation = readFileSync('docs/guide/automation.md', 'utf8');
const settings = readFileSync('docs/guide/settings-and-limits.md', 'utf8');

/** Commands that only our own menus and tree items run. */
const INTERNAL = [
  'exportOpenMasks',
  'compareOpenMasks',
  'analyzeOpenImage',
  'openShownFileAsTable',
  'followJob',
  'stopFollowingJob',
  'analyzeSampleImage',
  'analyzeSampleStudy',
  'analyzeSamplePlate',
  'filterFiles',
  'clearFileFilter',
  'openJob',
  'renameJob',
  'runImagesAgain',
  'loadMore',
  'zoomToObject',
  'showOnlyClass',
  'copyMeasurements',
  'exportSelectedObjects',
  'fitMasks',
  'saveMasksView',
  'undoInMasks',
  'redoInMasks',
  'showMasksShortcuts',
  'copyCells',
  'copyCellsWithHeader',
  'filterToValue',
  'excludeValue',
  'sortColumnAscending',
  'sortColumnDescending',
  'pinColumn',
  'unpinColumn',
  'hideColumn',
  'showColumnStatistics',
  'groupByColumn',
  'showGroups',
  'savePlotAsPng',
  'savePlotAsSvg',
  'removePlot',
  'undoInTable',
  'redoInTable',
  'openImageColumns',
  'showTableShortcuts',
];

/** A compile error where a key is missing. */
const contextKeys: Record<keyof ContextKeys, true> = {
  'imageAnalysis.signedIn': true,
  'imageAnalysis.hasAccounts': true,
  'imageAnalysis.files.state': true,
  'imageAnalysis.files.filtered': true,
  'imageAnalysis.pipelines.state': true,
  'imageAnalysis.jobs.state': true,
  'imageAnalysis.jobDone': true,
  'imageAnalysis.masksShown': true,
  'imageAnalysis.tableFiltered': true,
  'imageAnalysis.populationMade': true,
  'imageAnalysis.masksExported': true,
  'imageAnalysis.conditionsCompared': true,
};

describe('The contract', () => {
  const sources = readSources();
  const declared = declaredCommands(sources);

  it('declares the commands that package.json contributes', () => {
    const contributed = contributes.commands.map(({ command }) => command);
    assert.deepEqual(
      Object.keys(declared)
        .map(name => `imageAnalysis.${name}`)
        .sort(),
      contributed.sort(),
    );
  });

  it('runs all commands that are declared', () => {
    const runs = ({ path }: SourceFile) => /(allCommands|InHost)\.ts$/.test(path);
    const runner = sources
      .filter(runs)
      .map(({ text }) => text)
      .join('\n');
    const groups = sources.flatMap(({ path, text }) =>
      /^src\/\w+\/editor\//.test(path) ? [...text.matchAll(/^export function (\w+Commands)\(/gm)] : [],
    );
    const names = groups
      .map(([, name = '']) => name)
      .filter(name => !['allCommands', 'registerCommands'].includes(name));
    assert.ok(names.length > 6);
    for (const name of names)
      assert.match(runner, new RegExp(`(\\.\\.\\.|commands: )${name}\\(`), `Nothing runs ${name}`);
  });

  it('equals the table of commands in docs/guide/automation.md', () => {
    const rows = tableRows(automation, '## Commands');
    const documented = rows.flatMap(([names = '']) => namesIn(names));
    assert.deepEqual(
      documented.sort(),
      Object.keys(declared)
        .filter(name => !INTERNAL.includes(name))
        .sort(),
    );
    for (const [names = '', args = ''] of rows) {
      // What the commands of a row have together: some have fewer options.
      const options = Object.assign({}, ...namesIn(names).map(name => declared[name])) as DeclaredOptions;
      // The files of a call, which a key binding can pass as an option.
      const written = optionsIn(args);
      if (!Object.hasOwn(written, 'uris')) delete options['uris'];
      assert.deepEqual(written, options, names);
    }
  });

  it('has the views and view types of package.json', () => {
    assert.deepEqual(
      contributes.views.imageAnalysis.map(({ id }) => id).sort(),
      Object.values(viewIds).sort(),
    );
    assert.deepEqual(
      contributes.customEditors.map(({ viewType }) => viewType),
      [
        viewTypes.tableEditor,
        viewTypes.tableFileEditor,
        viewTypes.imageEditor,
        viewTypes.optionalImageEditor,
      ],
    );
    for (const [, id] of manifestText.matchAll(/active(?:WebviewPanel|CustomEditor)Id == ([\w.]+)/g))
      assert.ok(Object.values<string>(viewTypes).includes(id ?? ''), id);
    for (const [, id] of manifestText.matchAll(/onWebviewPanel:([\w.]+)/g))
      assert.ok(Object.values<string>(viewTypes).includes(id ?? ''), id);
  });

  it('has the context keys of the `when` clauses and of the walkthrough', () => {
    const clauses = [...manifestText.matchAll(/"(?:(?:when|enablement)": "|onContext:)([^"]*)"/g)].map(
      ([, text = '']) => text,
    );
    const views: readonly string[] = [...Object.values(viewIds), ...Object.values(viewTypes)];
    const used = clauses
      .flatMap(text => text.match(/\bimageAnalysis(\.\w+)+/g) ?? [])
      .filter(name => !views.includes(name));
    assert.deepEqual([...new Set(used)].sort(), Object.keys(contextKeys).sort());
  });

  it('has a walkthrough whose steps have pictures, and buttons for commands that exist', () => {
    const [walkthrough] = contributes.walkthroughs;
    assert.equal(walkthrough?.id, walkthroughId);
    const texts = JSON.parse(readFileSync('package.nls.json', 'utf8')) as Record<string, string>;
    const commands = contributes.commands.map(({ command }) => command);
    for (const { description, media, completionEvents } of walkthrough.steps) {
      const pictures = typeof media.image === 'string' ? [media.image] : Object.values(media.image);
      for (const path of pictures) assert.ok(existsSync(path), path);
      const words = texts[description.slice(1, -1)] ?? '';
      // A link on a line of its own is a button.
      const buttons = [...words.matchAll(/^\[[^\]]+\]\(command:([\w.]+)(?:\?[^)]*)?\)$/gm)].map(
        ([, name = '']) => name,
      );
      assert.equal(buttons.length, 1, description);
      const links = [...words.matchAll(/\(command:([\w.]+)(?:\?[^)]*)?\)/g)].map(([, name = '']) => name);
      for (const name of links) assert.ok(commands.includes(name), name);
      // By its result: a click on its button may be canceled, or fail.
      assert.match(completionEvents.join(), /^onContext:imageAnalysis\.\w+$/, description);
    }
  });

  it('has no other names in the source', () => {
    const known = new Set<string>([
      ...contributes.commands.map(({ command }) => command),
      ...Object.values(viewIds),
      ...Object.values(viewIds).map(id => `${id}.focus`),
      ...Object.values(viewTypes),
      ...Object.keys(contextKeys),
    ]);
    const executed = sources.flatMap(({ path, text }) =>
      [...text.matchAll(/executeCommand\(\s*'(imageAnalysis\.[^']*)'/g)].map(([, name = '']) => [path, name]),
    );
    assert.deepEqual(
      executed.filter(([, name = '']) => !known.has(name)),
      [],
    );
  });

  it('lets no workspace that is not trusted silence jobs, fill the disk or use up the memory', () => {
    const names = ['jobs.notifications', 'results.cacheSize', 'table.memory'].map(
      name => `imageAnalysis.${name}`,
    );
    assert.equal(capabilities.untrustedWorkspaces.supported, 'limited');
    assert.ok(capabilities.untrustedWorkspaces.description);
    assert.deepEqual(capabilities.untrustedWorkspaces.restrictedConfigurations, names);
    const scopes = names.map(name => [name.split('.')[1], scopeOf(name)]);
    // Under Remote, a choice made on this side would be lost with the scope of a machine.
    assert.deepEqual(scopes, [
      ['jobs', undefined],
      ['results', 'machine-overridable'],
      ['table', 'machine-overridable'],
    ]);
  });

  it('has the defaults of package.json in docs/guide/settings-and-limits.md', () => {
    const { properties } = contributes.configuration;
    const expected = Object.entries(properties).map(([name, { default: value }]) => [name, String(value)]);
    const rows = tableRows(settings, '## Settings');
    assert.deepEqual(
      rows.map(([name = '', value = '']) => [name.replaceAll('`', ''), value.replaceAll('`', '')]),
      expected,
    );
  });

  it('has all its error codes listed in docs/guide/automation.md', () => {
    const codes = /^Codes: ([\s\S]*?)\n(?:\n|$)/m.exec(automation)?.[1] ?? '';
    assert.deepEqual(
      [...codes.matchAll(/`([a-z-]+)`/g)].map(([, code]) => code).sort(),
      [...errorCodes].sort(),
    );
  });
});

function scopeOf(setting: string): string | undefined {
  const properties = new Map<string, object>(Object.entries(contributes.configuration.properties));
  const { scope } = (properties.get(setting) ?? {}) as { scope?: string };
  return scope;
}

/** The cells of the first table below a heading, without its two header rows. */
function tableRows(document: string, heading: string): string[][] {
  const [table = ''] = /(^\|.*\n)+/m.exec(document.slice(document.indexOf(heading))) ?? [];
  return table
    .trim()
    .split('\n')
    .slice(2)
    .map(row =>
      row
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map(cell => cell.trim()),
    );
}

function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
}

/**
 * The options between the braces of a cell: "a, b?: 'x' \| 'y', c: { d }"; of alternatives, "a \|
 * b", each may be missing.
 */
function optionsIn(cell: string): DeclaredOptions {
  const inner = /\{([^}]*)\}/.exec(cell.replace(/: \{[^{}]*\}/g, ''))?.[1]?.trim() ?? '';
  const options: DeclaredOptions = {};
  for (const part of inner === '' ? [] : inner.split(',')) {
    const [names = ''] = part.split(':');
    const alternatives = names.split('\\|').map(name => name.trim());
    for (const name of alternatives) {
      const optional = name.endsWith('?') || alternatives.length > 1;
      options[name.replace('?', '')] = optional ? 'optional' : 'required';
    }
  }
  return options;
}
