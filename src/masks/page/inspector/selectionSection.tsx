import { type PageWords, t } from '../../../pages/page/l10n';
import { Button } from '../../../pages/page/widgets/parts';
import { type MeanAndSpread, type ShapeMeasure, shapeMeasures } from '../../../archives/selectionStatistics';
import { shownOnce } from '../state/statisticsOfSelection';
import { NameSelectionButton } from './namedSelections';
import { type InspectorProps, Section } from './sections';

const NAMES: Record<ShapeMeasure, { name: PageWords; hint: PageWords; unit: string }> = {
  area: {
    name: t.later('Area'),
    hint: t.later('Number of pixels in the mask, not counting holes'),
    unit: 'px²',
  },
  perimeter: {
    name: t.later('Perimeter'),
    hint: t.later(
      "Length of the border as scikit-image's perimeter with 4 neighbors, including the borders of holes",
    ),
    unit: 'px',
  },
  majorAxis: {
    name: t.later('Major axis'),
    hint: t.later('Axis of the ellipse with the same second central moments as the mask'),
    unit: 'px',
  },
  minorAxis: {
    name: t.later('Minor axis'),
    hint: t.later('Axis of the ellipse with the same second central moments as the mask'),
    unit: 'px',
  },
  feretMaximum: {
    name: t.later('Maximum Feret'),
    hint: t.later('Greatest distance between two points of the contour'),
    unit: 'px',
  },
};

/** Several selected objects: what is known of them together, and what is done with them. */
export function SelectionSection({ store, text }: InspectorProps) {
  const count = store.selection.several.count.value;
  return (
    <Section
      title={text.get('selection')}
      class="selection"
      hidden={count === 0}
      heading={count > 0 && text.count('selectionOf', count)}
    >
      <div class="buttons">
        {(store.table.link.value?.matched ?? 0) > 0 && (
          <Button
            title={text.get('filterToSelectedHint')}
            onClick={() => void store.selection.filterToSelected()}
          >
            {text.get('filterToSelected')}
          </Button>
        )}
        <NameSelectionButton store={store} text={text} />
        <Button onClick={() => store.selection.exportSelected()}>{text.get('exportSelected')}</Button>
        <Button onClick={() => store.selection.clear()}>{text.get('clearSelection')}</Button>
      </div>
      <div>
        <Statistics store={store} text={text} />
      </div>
    </Section>
  );
}

/** Mean and standard deviation of the masks of selected objects, and of their rows of the table. */
function Statistics({ store, text }: InspectorProps) {
  const { columns: known, shapes } = store.statistics.now.value ?? {};
  if (!known) return null;
  const { columns, same } = shownOnce(known, shapes);
  const group = (words: string) => (
    <tr>
      <th scope="rowgroup" colSpan={3} class="statistics-group">
        {words}
      </th>
    </tr>
  );
  const row = (key: string | number, name: string, hint: string, found: MeanAndSpread | undefined) => {
    const [mean = '', sd = ''] = found ? text.aligned([found.mean, found.sd], 5) : ['…', '…'];
    const counted = found && text.count('statisticOf', found.count);
    return (
      <tr key={key} title={[name, hint, counted].filter(Boolean).join('\n')}>
        <th scope="row">{name}</th>
        <td>{mean}</td>
        <td>{sd}</td>
      </tr>
    );
  };
  return (
    <table class="statistics">
      <thead>
        <tr>
          <td />
          <th scope="col">{text.get('statisticMean')}</th>
          <th scope="col" title={text.get('statisticSdHint')}>
            {text.get('statisticSd')}
          </th>
        </tr>
      </thead>
      <tbody>
        {group(text.get('measuredHere'))}
        {shapeMeasures.map(measure => {
          const { name, hint, unit } = NAMES[measure];
          const words = text.get('nameInUnit', name(), unit);
          const inTable = same.get(measure)?.map(each => text.get('sameAsColumn', each)) ?? [];
          return row(measure, words, [hint(), ...inTable].join('\n'), shapes?.[measure]);
        })}
      </tbody>
      {columns.length > 0 && (
        <tbody>
          {group(text.get('columnsOfTable'))}
          {columns.map((column, at) =>
            row(at, column.name || '–', column.isRounded ? text.get('statisticRounded') : '', column),
          )}
        </tbody>
      )}
    </table>
  );
}
