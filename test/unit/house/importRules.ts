import { cruise, type ICruiseResult, type IRegularForbiddenRuleType } from 'dependency-cruiser';
import { entries, SAMPLE_CLIENT, subjects } from './rooms';

/*
 * What may import what, as rules of dependency-cruiser: subjects in their order, and the
 * environments inside them. Imports of types, and those that are loaded later, count as all others.
 */

const inside = (...environments: string[]) => `^src/[^/]+/(${environments.join('|')})/`;
const RULES = '^src/[^/]+/(?!(node|engine|page|editor)/)[^/]+';
const EDITOR = '^src/([^/]+/editor/|extension[.]ts$)';
const exactly = (...paths: string[]) => `^(${paths.map(path => path.replaceAll('.', '[.]')).join('|')})$`;
const notTypes = { dependencyTypesNot: ['type-only' as const] };

type Rule = [name: string, from: IRegularForbiddenRuleType['from'], to: IRegularForbiddenRuleType['to']];

const order = Object.keys(subjects);
const ofOrder = order.map((subject, at): Rule => {
  const above = `^src/((${[...order.slice(at + 1), 'none'].join('|')})/|extension[.]ts$)`;
  return [`others stand above ${subject}`, { path: `^src/${subject}/` }, { path: above }];
});

/** Subjects that take less than all that stands before them. */
const ofFew = Object.entries(subjects).flatMap(([subject, { only }]): Rule[] => {
  if (!only) return [];
  const from = { path: `^src/${subject}/` };
  const allowed = `^src/(${[subject, ...only.subjects].join('|')})/`;
  const types = exactly(...only.types);
  return [
    [`${subject} takes only some subjects`, from, { path: '^src/', pathNot: [allowed, types] }],
    [`${subject} takes only types`, from, { path: types, ...notTypes }],
  ];
});

const client = exactly(SAMPLE_CLIENT);
const manifest = { path: '^package[.]json$' };
const packages = {
  pathNot: '^(src/|package[.]json$|l10n/reasons[.]json$)',
  dependencyTypesNot: ['core' as const],
};

const rules: Rule[] = [
  ...ofOrder,
  ...ofFew,
  [
    'the sample service is another process',
    { pathNot: '^src/sample/' },
    { path: '^src/sample/', pathNot: client },
  ],
  ['rules use no environment', { path: RULES }, { path: inside('node', 'engine', 'page', 'editor') }],
  ['node uses rules', { path: inside('node') }, { path: inside('page', 'editor') }],
  // Types of what runs in a thread may be named by who talks to it.
  ['node names only types of an engine', { path: inside('node') }, { path: inside('engine'), ...notTypes }],
  ['engine uses rules and node', { path: inside('engine') }, { path: inside('page', 'editor') }],
  ['page uses rules', { path: inside('page') }, { path: inside('node', 'engine', 'editor') }],
  ['editor uses no page', { path: EDITOR }, { path: inside('page') }],
  ["Node's modules are not for this code", { path: [RULES, inside('page')] }, { dependencyTypes: ['core'] }],
  ['vscode is for editor', { pathNot: EDITOR }, { path: '^vscode$' }],
  ['undici is for the service', { pathNot: '^src/service/node/' }, { path: '(^|/)undici(/|$)' }],
  ['this subject uses no packages', { path: '^src/(base|words)/' }, packages],
  ['that is the entry of a bundle', {}, { path: exactly(...entries) }],
  ['there are no barrel files', { path: '(^|/)index[.]tsx?$' }, {}],
  // The types of settings come from package.json; its values are read at run time, not bundled.
  ['the manifest is for host', { pathNot: '^src/host/' }, manifest],
  ['only types of the manifest', { path: '^src/host/' }, { ...manifest, ...notTypes }],
  ['the messages of reasons are for words', { pathNot: '^src/words/' }, { path: '^l10n/' }],
  ['there are no cycles', {}, { circular: true }],
];

/**
 * Imports of the files in `src` of a project that break a rule, as "file -> what it imports: rule".
 */
export async function forbiddenImports(root = '.'): Promise<string[]> {
  const { output } = await cruise(['src'], {
    baseDir: root,
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    validate: true,
    ruleSet: { forbidden: rules.map(([name, from, to]) => ({ name, severity: 'error', from, to })) },
  });
  const { modules, summary } = output as ICruiseResult;
  const withExtension = modules.flatMap(({ source, dependencies }) =>
    dependencies
      .filter(({ module }) => /^\..*\.[jt]sx?$/.test(module))
      .map(({ module }) => `${source} -> ${module}: relative imports have no extension`),
  );
  const broken = summary.violations.map(
    ({ from, to, unresolvedTo = to, rule: { name } }) => `${from} -> ${unresolvedTo}: ${name}`,
  );
  return [...withExtension, ...broken];
}
