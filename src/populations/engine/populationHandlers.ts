import { CodedError } from '../../base/errors';
import { finiteOrNull } from '../../columns/columnStatistics';
import { CachedValues } from '../../base/node/joinedWork';
import { saveTexts } from '../../columns/engine/saveTable';
import type { PopulationSets } from '../../columns/engine/tableView';
import type { WrittenTexts } from '../../columns/engine/read/tableWithTexts';
import { engineLinks } from '../../linking/engine/linkHandlers';
import type { RequestHandlers } from '../../protocol/rpc';
import type { OpenInEngine } from '../../session/engine/openInEngine';
import { byName, pathsIn, type Population, populationNamed } from '../population';
import { imageDependence } from '../imageDependence';
import { inTreeOrder } from '../populationList';
import type { CountedPopulation, PopulationEngineRequests } from '../populationRequests';
import { wholeColumn } from './gateRows';
import { populationGroups, toWideTable } from './populationGroups';
import { type PopulationRows, PopulationTree } from './populationTree';
import { hasRow, toBytes } from './rowBits';
import { meanOf } from './thresholds';
import { winnersInBins, winnersOf } from './winners';

type OpenTables = Pick<OpenInEngine, 'tables'> &
  /** Absent if tables never change, and rows aren't objects. */
  Partial<Pick<OpenInEngine, 'onDidOpenTable' | 'onDidChangeTable' | 'parts'>>;

/** The table whose rows are objects. */
const OBJECTS_TABLE = 'objects';

/** Maximum number of cached means. */
const MAX_MEANS = 1000;

/** The populations of the open tables. */
class EnginePopulations {
  /** Means of columns by table, version of a population's rows, and column. */
  private readonly means = new CachedValues<string, number | null>(MAX_MEANS);
  private readonly trees = new Map<string, PopulationTree>();

  constructor(private readonly open: OpenTables) {
    open.tables.setPopulations(name => this.setsOf(name));
    open.onDidOpenTable?.(name => this.trees.get(name)?.tableChanged());
    open.onDidChangeTable?.(name => this.trees.get(name)?.tableChanged());
    const links = open.parts?.find(engineLinks);
    if (links) links.populations = signal => this.treeOf(OBJECTS_TABLE).ofRows(signal);
  }

  treeOf(name: string): PopulationTree {
    let tree = this.trees.get(name);
    if (!tree) this.trees.set(name, (tree = new PopulationTree(() => this.open.tables.view(name).table)));
    return tree;
  }

  /** The mean of a column in a population; null without finite numbers. Throws `cancelled`. */
  meanIn(
    { version, rows }: PopulationRows,
    name: string,
    column: number,
    signal: AbortSignal,
  ): Promise<number | null> {
    const { table } = this.open.tables.view(name);
    const { rowCount } = table;
    const make = async (shared: AbortSignal) =>
      meanOf(await wholeColumn({ table, rowCount, signal: shared }, column), rows, shared);
    return this.means.get(JSON.stringify([name, version, column]), make, signal);
  }

  /** A column per population: yes, no, or '' if membership is unknown. Throws `cancelled`. */
  private async columnsOf(name: string, signal?: AbortSignal): Promise<WrittenTexts[]> {
    const tree = this.treeOf(name);
    const { definitions: all } = tree;
    const resolved = await tree.resolved(signal);
    const [named, pathOf] = [byName(all), pathsIn(all)];
    const memberOf = (population: Population): ((row: number) => string) => {
      const rows = resolved[all.indexOf(population)]?.result;
      // Membership in a population with a problem is unknown.
      if (!rows || 'problem' in rows) return () => '';
      const { parent } = population;
      const parentPopulation = parent === undefined ? undefined : named(parent);
      const inParent = parentPopulation ? memberOf(parentPopulation) : () => 'yes';
      return row => {
        if (hasRow(rows.rows, row)) return 'yes';
        const parentText = inParent(row);
        const isUnknown = parentText === 'yes' && !hasRow(rows.judged, row);
        return isUnknown || parentText === '' ? '' : 'no';
      };
    };
    return inTreeOrder(all).map(({ population }) => ({
      name: pathOf(population.name).join('/'),
      textOf: memberOf(population),
    }));
  }

  private setsOf(name: string): PopulationSets {
    return {
      keyOf: filter => this.treeOf(name).keyOf(filter.name),
      mask: async (filter, count, signal) => {
        const tree = this.treeOf(name);
        if (filter.ofParent === true) {
          const { parent } = populationNamed(tree.definitions, filter.name) ?? {};
          if (parent === undefined) return new Uint8Array(count).fill(1);
          return toBytes((await tree.rowsOf(parent, signal)).rows, count);
        }
        const { rows, judged } = await tree.rowsOf(filter.name, signal);
        return toBytes(filter.judged === true ? judged : rows, count);
      },
      columns: signal => this.columnsOf(name, signal),
      byImage: population => imageDependence(this.treeOf(name).definitions, population),
    };
  }
}

/** The handlers of requests about populations. */
export function populationHandlers(open: OpenTables): RequestHandlers<PopulationEngineRequests> {
  const enginePopulations = new EnginePopulations(open);
  return {
    populationsOfRows: async ({ table, names, rows }, signal) => {
      const coloring = { tree: enginePopulations.treeOf(table), names };
      return { places: (await winnersOf(coloring, new Uint32Array(rows), signal)).buffer };
    },
    populationsInBins: async ({ table, names, ...bins }, signal) => {
      const coloring = { tree: enginePopulations.treeOf(table), names };
      return { counts: (await winnersInBins(coloring, open.tables.view(table), bins, signal)).buffer };
    },
    setPopulations: ({ table, populations }) => {
      enginePopulations.treeOf(table).set(populations);
      return {};
    },
    countPopulations: async ({ table: name, populations, mean }, signal) => {
      const { table } = open.tables.view(name);
      const tree = enginePopulations.treeOf(name);
      if (populations) tree.set(populations);
      if (mean !== undefined && table.columns[mean]?.kind !== 'number')
        throw new CodedError('bad-request', `Column ${mean} has no numbers`);
      const { rowCount } = table;
      const counted: CountedPopulation[] = [];
      for (const { name: populationName, result } of await tree.resolved(signal)) {
        if ('problem' in result) {
          const noCounts = { count: 0, parentCount: 0, missing: 0, thresholds: [], as: 0 };
          counted.push({ name: populationName, problem: result.problem, ...noCounts });
          continue;
        }
        const { version, count, parentCount, missing, thresholds } = result;
        counted.push({
          name: populationName,
          ...{ count, parentCount, missing, as: version },
          thresholds: thresholds.map(({ least, greatest }) => [finiteOrNull(least), finiteOrNull(greatest)]),
          ...(mean !== undefined && { mean: await enginePopulations.meanIn(result, name, mean, signal) }),
        });
      }
      return { rowCount, populations: counted };
    },
    savePopulations: async ({ table: name, ...params }, signal) => {
      await open.tables.settled(name);
      const { header, destination, overwrite = false, markHeader, isSpread = false, ...saved } = params;
      const format = open.tables.formatNamed(destination);
      const decimalMark = open.tables.decimalComma(name) ? ',' : '.';
      const view = open.tables.view(name);
      const rows = await populationGroups(
        view,
        enginePopulations.treeOf(name).definitions,
        { ...saved, decimalMark },
        signal,
      );
      const texts = isSpread ? toWideTable(header, rows, saved.by.length) : { header, rows };
      return saveTexts(view.table, { ...texts, destination, overwrite, format, markHeader }, signal);
    },
  };
}
