import type { TableColumn } from '../../columns/tableSummary';
import { columnName } from '../../pages/page/columnName';
import type { PlotText } from '../../pages/page/pageText';
import { picker } from '../../pages/page/widgets/picker';
import type { PlotColumn } from './plotDefinition';
import { columnsFor, firstPlot } from './plotSpec';
import { plotTypeIds, plotTypes, type PlotSpec } from './plotTypes';

export interface PlotPickersOptions {
  spec: PlotSpec;
  columns: readonly TableColumn[];
  text: PlotText;
  onChange: (spec: PlotSpec) => void;
}

/** The pickers of a plot: its type, and a column for each of its parts. */
export function plotPickers({ spec, columns, text, onChange }: PlotPickersOptions): HTMLSelectElement[] {
  const type = picker({
    label: text.get('plotType'),
    options: plotTypeIds.map(id => [id, text.get(id)]),
    value: spec.kind,
    onChange: value => {
      const selected = plotTypeIds.find(id => id === value);
      const plot = selected && firstPlot(selected, columns);
      if (plot) onChange(plot);
    },
  });
  const ofColumns = plotTypes[spec.kind].columns.map((needed: PlotColumn) => {
    const { role, nameKey, noneKey } = needed;
    const listed = columnsFor(needed, columns).map(
      ({ index }) => [String(index), columnName(columns, index, text)] as const,
    );
    return picker({
      label: text.get(nameKey),
      options: noneKey ? [['', text.get(noneKey)], ...listed] : listed,
      value: String(spec[role] ?? ''),
      onChange: value => onChange({ ...spec, [role]: value === '' ? null : Number(value) }),
    });
  });
  return [type, ...ofColumns];
}
