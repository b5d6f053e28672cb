import { type PageWords, t } from '../../../pages/page/l10n';
import { Button } from '../../../pages/page/widgets/parts';
import { type MeanAndSpread, type ShapeMeasure, shapeMeasures } from '../../../archives/selectionStatistics';
import { withoutDuplicates } from '../state/statisticsOfSelection';
import { NameSelectionButton } from './namedSelections';
import { type InspectorProps, Section } from './sections';

const MEASURE_WORDS: Record<ShapeMeasure, { name: PageWords; hint: PageWords; unit: string }> = {
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

/** Several selected objects: their statistics and actions. */
export function SelectionSection({ store }: InspectorProps) {
  const count = store.selection.several.count.value;
  return (
    <Section
      title={t('Selected objects')}
      class="selection"
      hidden={count === 0}
      heading={count > 0 && t.count(count, '1 object selected', '{0} objects selected')}
    >
      <div class="buttons">
        {(store.table.link.value?.matched ?? 0) > 0 && (
          <Button
            title={t('Show only these objects and their table rows. The table can undo it.')}
            onClick={() => void store.selection.filterToSelected()}
          >
            {t('Filter to Selection')}
          </Button>
        )}
        <NameSelectionButton store={store} />
        <Button onClick={() => store.selection.exportSelected()}>{t('Export Selected Objects…')}</Button>
        <Button onClick={() => store.selection.clear()}>{t('Clear Selection')}</Button>
      </div>
      <div>
        <Statistics store={store} />
      </div>
    </Section>
  );
}

/** Mean and standard deviation of the selected objects: of their masks and of their table rows. */
function Statistics({ store }: InspectorProps) {
  const { columns: loadedColumns, shapes } = store.statistics.shownStatistics.value ?? {};
  if (!loadedColumns) return null;
  const { columns, duplicates } = withoutDuplicates(loadedColumns, shapes);
  const group = (words: string) => (
    <tr>
      <th scope="rowgroup" colSpan={3} class="statistics-group">
        {words}
      </th>
    </tr>
  );
  const row = (key: string | number, name: string, hint: string, statistics: MeanAndSpread | undefined) => {
    const [mean = '', sd = ''] = statistics ? t.aligned([statistics.mean, statistics.sd], 5) : ['…', '…'];
    const countWords = statistics && t.count(statistics.count, 'Of 1 value', 'Of {0} values');
    return (
      <tr key={key} title={[name, hint, countWords].filter(Boolean).join('\n')}>
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
          <th scope="col">{t({ message: 'Mean', comment: 'Statistic' })}</th>
          <th scope="col" title={t('Standard deviation (n − 1)')}>
            {t({ message: 'SD', comment: 'Standard deviation' })}
          </th>
        </tr>
      </thead>
      <tbody>
        {group(t('Measured from masks'))}
        {shapeMeasures.map(measure => {
          const { name, hint, unit } = MEASURE_WORDS[measure];
          const words = t('{0} ({1})', name(), unit);
          const inTable =
            duplicates
              .get(measure)
              ?.map(columnName => t('The same numbers as in the table column "{0}"', columnName)) ?? [];
          return row(measure, words, [hint(), ...inTable].join('\n'), shapes?.[measure]);
        })}
      </tbody>
      {columns.length > 0 && (
        <tbody>
          {group(t('Table columns'))}
          {columns.map((column, index) =>
            row(
              index,
              column.name || '–',
              column.isRounded ? t('This column has integers beyond 2⁵³. Statistics round them.') : '',
              column,
            ),
          )}
        </tbody>
      )}
    </table>
  );
}
