import type { TableColumn } from '../../columns/tableSummary';
import { type Filter, isOfColumn } from '../../columns/viewSpec';
import { columnName, formatNumber, percentOf } from '../../pages/page/columnName';
import { t } from '../../pages/page/l10n';
import { CommonParts } from '../../pages/page/widgets/commonParts';
import { filterWords } from '../../table/page/controls/filterChips';
import type { NamedPopulation } from '../../table/page/state/namedPopulations';
import { type GateOf, withColumns } from '../gate';
import {
  byName,
  columnsBehind,
  columnsNamed,
  pathsIn,
  type Population,
  populationsInTable,
} from '../population';

/** The rows that a threshold is computed of. */
const THRESHOLD_ROWS = {
  all: t.later('all rows'),
  parent: t.later('the parent'),
  image: t.later('each image'),
  reference: t.later('the reference'),
} as const;

/** A gate in words, as on filter chips. Shows missing columns by the names that they had. */
export function gateWords(gate: GateOf<string | number>, columns: readonly TableColumn[]): string {
  // Missing and ambiguous columns are appended to the table's, to be shown by their names.
  const shownColumns = [...columns];
  const placed = withColumns(gate, (key): number => {
    const [match] = columnsNamed(columns, key);
    if (match) return match.index;
    return shownColumns.push({ index: shownColumns.length, name: String(key), kind: 'text' }) - 1;
  });
  return words(placed, shownColumns);
}

function words(gate: GateOf<number>, columns: readonly TableColumn[]): string {
  const name = (column: number) => columnName(columns, column);
  const both = (x: number, y: number) => t('{0} and {1}', name(x), name(y));
  switch (gate.kind) {
    case 'range': {
      const { from = null, to = null, column } = gate;
      const range = ofFilter({ kind: 'range', column, from, to }, columns);
      return gate.toExcluded === true ? t('{0}, end excluded', range) : range;
    }
    case 'values':
    case 'text':
    case 'missing':
      return ofFilter(gate, columns);
    case 'rectangle':
      return t('Rectangle over {0}', both(gate.x, gate.y));
    case 'polygon':
      return t('Polygon over {0}', both(gate.x, gate.y));
    case 'ellipse':
      return t('Ellipse over {0}', both(gate.x, gate.y));
    case 'percentile':
    case 'statistic': {
      const { side, frozen, of } = gate;
      const threshold =
        frozen !== undefined
          ? t('{0} (frozen)', formatNumber(frozen))
          : t('{0} of {1}', thresholdWords(gate), THRESHOLD_ROWS[of]());
      const isAbove = side === 'above';
      return isAbove
        ? t('{0} ≥ {1}', name(gate.column), threshold)
        : t('{0} < {1}', name(gate.column), threshold);
    }
    case 'population':
      return t('in {0}', gate.name);
    case 'all':
      return gate.gates.map(inner => innerWords(inner, columns, ['any'])).join(' · ');
    case 'any':
      return gate.gates.map(inner => innerWords(inner, columns, ['all'])).join(t(' or '));
    case 'not':
      return t('not: {0}', innerWords(gate.gate, columns, ['all', 'any']));
  }
}

/** A gate within another one in words, in parentheses if it is of one of the kinds. */
function innerWords(
  gate: GateOf<number>,
  columns: readonly TableColumn[],
  kindsInParentheses: readonly GateOf<number>['kind'][],
): string {
  const inside = words(gate, columns);
  return kindsInParentheses.includes(gate.kind) ? `(${inside})` : inside;
}

type ThresholdGate = Extract<GateOf<number>, { kind: 'percentile' | 'statistic' }>;

function thresholdWords(gate: ThresholdGate): string {
  if (gate.kind === 'percentile') return t('percentile {0}', formatNumber(gate.percent));
  const center = gate.center === 'mean' ? t('mean') : t('median');
  const spread = gate.spread === 'sd' ? 'SD' : '1.4826 · MAD';
  const factor = `${formatNumber(Math.abs(gate.factor))} · ${spread}`;
  return `${center} ${gate.factor < 0 ? '−' : '+'} ${factor}`;
}

function ofFilter(filter: Filter & { column: number }, columns: readonly TableColumn[]): string {
  return isOfColumn(filter) ? filterWords({ filter }, columns, 0, () => new CommonParts(), true) : '';
}

/** The populations without a problem, for use in measures. */
export function namedPopulations(
  all: readonly Population[],
  columnsNow: () => readonly TableColumn[],
): NamedPopulation[] {
  const columns = columnsNow();
  return populationsInTable(all, columns).flatMap(({ population: { name }, placement }) =>
    'problem' in placement
      ? []
      : {
          name,
          get columns() {
            return columnsBehind(all, name, columns);
          },
          words: () => populationWords(all, name, columnsNow()),
        },
  );
}

/** The definition of a population in words: the gates of its parents, then its own. */
function populationWords(all: readonly Population[], name: string, columns: readonly TableColumn[]): string {
  const named = byName(all);
  return pathsIn(all)(name)
    .map(ancestor => gateWords(named(ancestor)?.gate ?? { kind: 'population', name: ancestor }, columns))
    .join(' · ');
}

/** A share in percent with about two significant digits: 0.04%, 3.2%, 57%. */
export function percent(part: number, of: number): string {
  if (!(of > 0)) return '–';
  const share = part / of;
  const isNearAnEnd = share > 0 && share < 1 && (share < 0.01 || share > 0.99);
  const digits = isNearAnEnd ? 2 : share > 0 && share < 0.1 ? 1 : 0;
  return `${percentOf(part, of, digits)}%`;
}
