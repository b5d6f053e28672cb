import { t } from '../../../pages/page/l10n';
import { useComputed } from '@preact/signals';
import { useCallback, useLayoutEffect, useRef } from 'preact/hooks';
import { classColor, toHex } from '../../../base/colors';
import type { ObjectColumn } from '../../masksPage';
import { colorMapNames, scaleColor } from '../../../pages/page/widgets/colorScale';
import { LinkButton } from '../../../pages/page/widgets/parts';
import { coloringBy } from '../state/coloringModel';
import { type ColorBy, sameColoring } from '../state/masksLook';
import { RangeClip } from '../../../pages/page/widgets/rangeClip';
import { type InspectorProps, Section } from './sections';

/** What colors objects and, for numbers, the color scale. */
export function ColorSection({ store }: InspectorProps) {
  const { coloring, look } = store;
  const colorBy = useComputed(() => look.current.value.colorBy).value;
  const { colorBy: loadedColoring, values, spread, failure } = coloring.values.value;
  const isLoaded = sameColoring(loadedColoring, colorBy);
  const column =
    colorBy.kind === 'column' &&
    coloring.columns.value.find(objectColumn => objectColumn.column === colorBy.column);
  const hasScale = isLoaded && spread !== undefined;
  const title = t('Color by');
  return (
    <Section title={title} heading={<label for="color-by">{title}</label>}>
      <Choice store={store} />
      {hasScale && <Scale store={store} />}
      {hasScale && column && column.isRounded && (
        <p class="hint">{t('This column has integers beyond 2⁵³. Colors round them.')}</p>
      )}
      {isLoaded && colorBy.kind === 'population' && <Populations store={store} />}
      {isLoaded && column && column.categories && <Categories column={column} />}
      {isLoaded && column && values && !spread && !column.categories && (
        <p class="hint">{t('No numbers in this column.')}</p>
      )}
      {isLoaded && failure !== undefined && <Failure store={store} reason={failure} />}
    </Section>
  );
}

function Choice({ store: { coloring, look } }: InspectorProps) {
  const selected = useComputed(() => look.current.value.colorBy).value;
  const listedColumns = coloring.columns.value;
  // A saved column is listed even before the table is linked.
  const isUnlisted =
    selected.kind === 'column' && !listedColumns.some(({ column }) => column === selected.column);
  const listedChoices = listedColumns.map(coloringBy);
  const columns = isUnlisted ? [selected, ...listedChoices] : listedChoices;
  const choices: ColorBy[] = [];
  const option = (choice: ColorBy, words: string) => {
    const value = choices.push(choice) - 1;
    return (
      <option key={value} value={value} selected={sameColoring(choice, selected)}>
        {words}
      </option>
    );
  };
  return (
    <select
      class="input wide"
      id="color-by"
      onChange={({ currentTarget }) => {
        const choice = choices[Number(currentTarget.value)];
        if (choice) coloring.colorBy(choice);
      }}
    >
      {option({ kind: 'class' }, t({ message: 'Class', comment: 'Of an object' }))}
      {option({ kind: 'object' }, t({ message: 'Object', comment: 'An object in an image, such as a cell' }))}
      {(coloring.hasPopulations.value || selected.kind === 'population') &&
        option({ kind: 'population' }, t({ message: 'Population', comment: 'Named set of objects' }))}
      <optgroup label={t('Measured from masks')}>
        {option({ kind: 'measure', measure: 'area' }, t('Area'))}
        {option({ kind: 'measure', measure: 'perimeter' }, t('Perimeter'))}
      </optgroup>
      {columns.length > 0 && (
        <optgroup label={t('Table columns')}>
          {columns.map(
            choice =>
              choice.kind === 'column' && option(choice, choice.name || t('Column {0}', choice.column + 1)),
          )}
        </optgroup>
      )}
    </select>
  );
}

const COLOR_MAP_NAMES = {
  viridis: t.later('Viridis'),
  turbo: t.later({ message: 'Turbo', comment: 'Name of a color scale' }),
  grays: t.later('Grays'),
} as const;

function Scale({ store: { coloring, look } }: InspectorProps) {
  const colorMap = useComputed(() => look.current.value.colorMap).value;
  const colorAt = useCallback((share: number) => `rgb(${scaleColor(share, colorMap).join(' ')})`, [colorMap]);
  const { spread, range } = coloring.values.value;
  if (!spread || !range) return null;
  return (
    <div class="scale">
      <div class="color-map">
        <label for="color-map">{t('Color map')}</label>
        <select
          class="input wide"
          id="color-map"
          onChange={({ currentTarget }) =>
            coloring.setColorMap(colorMapNames.find(name => name === currentTarget.value) ?? 'viridis')
          }
        >
          {colorMapNames.map(name => (
            <option key={name} value={name} selected={name === colorMap}>
              {COLOR_MAP_NAMES[name]()}
            </option>
          ))}
        </select>
      </div>
      <RangeClip
        labels={{ low: t('Scale minimum'), high: t('Scale maximum') }}
        spread={spread}
        range={range}
        colorAt={colorAt}
        change={ends => coloring.setRange(ends)}
      />
      <p class="hint scale-hint">
        <span>{t('Gray: no value')}</span>
        <LinkButton onClick={() => coloring.setRange(undefined)}>
          {t({ message: 'Reset', comment: 'Verb' })}
        </LinkButton>
      </p>
    </div>
  );
}

/** The colors of the texts of a column. */
function Categories({ column }: { column: ObjectColumn }) {
  const { name, categories = [], moreCategories = 0 } = column;
  return (
    <>
      <ul class="legend" aria-label={name} tabIndex={0}>
        {categories.map((category, position) => (
          <li key={category} class="legend-row">
            <span class="swatch" style={{ background: toHex(classColor(position)) }} />
            <span class="legend-name" title={category}>
              {category}
            </span>
          </li>
        ))}
      </ul>
      <p class="hint">
        {moreCategories > 0
          ? t('Gray: no value, or one of {0} more values', moreCategories)
          : t('Gray: no value')}
      </p>
    </>
  );
}

/** The populations of the table as a tree, with colors and counts of the image's objects. */
function Populations({ store: { coloring } }: InspectorProps) {
  const { populations } = coloring.values.value;
  if (!populations) return null;
  if (populations.length === 0)
    return <p class="hint">{t('The table has no populations. Make them there, from filters or gates.')}</p>;
  return (
    <>
      <ul class="legend" aria-label={t('Populations')} tabIndex={0}>
        {populations.map(({ path, color, isHidden, count }) => (
          <li key={path.at(-1)} class={isHidden ? 'legend-row hidden-class' : 'legend-row'}>
            <span class="swatch" style={{ background: isHidden ? 'none' : toHex(color) }} />
            <span
              class="legend-name"
              style={{ paddingInlineStart: `${(path.length - 1) * 12}px` }}
              title={path.join(' → ')}
            >
              {path.at(-1)}
            </span>
            <span
              class="legend-count"
              title={t.count(count, '1 object of this image', '{0} objects of this image')}
            >
              {t.number(count)}
            </span>
          </li>
        ))}
      </ul>
      <p class="hint">
        {t(
          'Where populations overlap, the deepest has the object, then the first. Gray: in none of those shown',
        )}
      </p>
    </>
  );
}

/** Reports why values couldn't be loaded, until other values are shown. */
function Failure({ store: { coloring }, reason }: InspectorProps & { reason: string }) {
  const root = useRef<HTMLParagraphElement>(null);
  /** The key of an element, new for each failure: repeated text is announced again. */
  const failures = useRef(0);
  useLayoutEffect(() => {
    const { current } = root;
    // The focused button is removed together with the message.
    return () => {
      if (current?.contains(document.activeElement)) document.getElementById('color-by')?.focus();
    };
  }, []);
  return (
    <p ref={root} class="hint">
      <span key={failures.current++} role="alert">
        {t("Couldn't load the values: {0}", reason)}
      </span>{' '}
      <LinkButton onClick={() => void coloring.load()}>{t('Try Again')}</LinkButton>
    </p>
  );
}
