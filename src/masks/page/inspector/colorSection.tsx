import { t } from '../../../pages/page/l10n';
import { useComputed } from '@preact/signals';
import { useCallback, useLayoutEffect, useRef } from 'preact/hooks';
import { classColor, toHex } from '../../../base/colors';
import type { ObjectColumn } from '../../masksPage';
import { colorMapNames, scaleColor } from '../../../pages/page/widgets/colorScale';
import { LinkButton } from '../../../pages/page/widgets/parts';
import { coloringBy } from '../state/coloringModel';
import { type ColorBy, sameColoring } from '../state/masksLook';
import { RangeClip } from './rangeClip';
import { type InspectorProps, Section } from './sections';

/** What the objects are colored by, and for numbers where the colors begin and end. */
export function ColorSection({ store, text }: InspectorProps) {
  const { coloring, look } = store;
  const colorBy = useComputed(() => look.now.value.colorBy).value;
  const { of, values, spread, failure } = coloring.values.value;
  const isLoaded = sameColoring(of, colorBy);
  const column =
    colorBy.kind === 'column' && coloring.columns.value.find(each => each.column === colorBy.column);
  const hasScale = isLoaded && spread !== undefined;
  const title = text.get('colorBy');
  return (
    <Section title={title} heading={<label for="color-by">{title}</label>}>
      <Choice store={store} text={text} />
      {hasScale && <Scale store={store} text={text} />}
      {hasScale && column && column.isRounded && <p class="hint">{text.get('scaleRounded')}</p>}
      {isLoaded && column && column.categories && <Categories column={column} text={text} />}
      {isLoaded && values && !spread && !(column && column.categories) && (
        <p class="hint">{text.get('scaleNone')}</p>
      )}
      {isLoaded && failure !== undefined && <Failure store={store} text={text} reason={failure} />}
    </Section>
  );
}

function Choice({ store: { coloring, look }, text }: InspectorProps) {
  const selected = useComputed(() => look.now.value.colorBy).value;
  const known = coloring.columns.value;
  // A saved column is listed before the table is linked.
  const isUnknown = selected.kind === 'column' && !known.some(({ column }) => column === selected.column);
  const byColumns = known.map(coloringBy);
  const columns = isUnknown ? [selected, ...byColumns] : byColumns;
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
      {option({ kind: 'class' }, text.get('byClass'))}
      {option({ kind: 'object' }, text.get('byObject'))}
      <optgroup label={text.get('measuredHere')}>
        {option({ kind: 'measure', measure: 'area' }, text.get('byArea'))}
        {option({ kind: 'measure', measure: 'perimeter' }, text.get('byPerimeter'))}
      </optgroup>
      {columns.length > 0 && (
        <optgroup label={text.get('columnsOfTable')}>
          {columns.map(
            by => by.kind === 'column' && option(by, by.name || text.get('unnamedColumn', by.column + 1)),
          )}
        </optgroup>
      )}
    </select>
  );
}

const MAPS = {
  viridis: t.later('Viridis'),
  turbo: t.later('Turbo'),
  grays: t.later('Grays'),
} as const;

function Scale({ store: { coloring, look }, text }: InspectorProps) {
  const map = useComputed(() => look.now.value.colorMap).value;
  const colorAt = useCallback((share: number) => `rgb(${scaleColor(share, map).join(' ')})`, [map]);
  const { spread, range } = coloring.values.value;
  if (!spread || !range) return null;
  return (
    <div class="scale">
      <div class="color-map">
        <label for="color-map">{text.get('colorMap')}</label>
        <select
          class="input wide"
          id="color-map"
          onChange={({ currentTarget }) =>
            coloring.setColorMap(colorMapNames.find(name => name === currentTarget.value) ?? 'viridis')
          }
        >
          {colorMapNames.map(name => (
            <option key={name} value={name} selected={name === map}>
              {MAPS[name]()}
            </option>
          ))}
        </select>
      </div>
      <RangeClip
        text={text}
        labels={{ low: text.get('scaleLow'), high: text.get('scaleHigh') }}
        spread={spread}
        range={range}
        colorAt={colorAt}
        change={ends => coloring.setRange(ends)}
      />
      <p class="hint scale-hint">
        <span>{text.get('scaleHint')}</span>
        <LinkButton onClick={() => coloring.setRange(undefined)}>{text.get('scaleReset')}</LinkButton>
      </p>
    </div>
  );
}

/** The colors of the texts of a column. */
function Categories({ column, text }: Pick<InspectorProps, 'text'> & { column: ObjectColumn }) {
  const { name, categories = [], moreCategories = 0 } = column;
  return (
    <>
      <ul class="legend" aria-label={name} tabIndex={0}>
        {categories.map((category, at) => (
          <li key={category} class="legend-row">
            <span class="swatch" style={{ background: toHex(classColor(at)) }} />
            <span class="legend-name" title={category}>
              {category}
            </span>
          </li>
        ))}
      </ul>
      <p class="hint">
        {moreCategories > 0 ? text.get('categoriesMore', moreCategories) : text.get('categoriesNone')}
      </p>
    </>
  );
}

/** Says why values couldn't be loaded, until something else is shown. */
function Failure({ store: { coloring }, text, reason }: InspectorProps & { reason: string }) {
  const root = useRef<HTMLParagraphElement>(null);
  /** Each failure is another element: the same words are said again. */
  const failures = useRef(0);
  useLayoutEffect(() => {
    const { current } = root;
    // The button that had the focus goes with what it says.
    return () => {
      if (current?.contains(document.activeElement)) document.getElementById('color-by')?.focus();
    };
  }, []);
  return (
    <p ref={root} class="hint">
      <span key={failures.current++} role="alert">
        {text.get('valuesFailed', reason)}
      </span>{' '}
      <LinkButton onClick={() => void coloring.load()}>{text.get('retry')}</LinkButton>
    </p>
  );
}
