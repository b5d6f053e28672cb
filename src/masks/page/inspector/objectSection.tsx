import { t } from '../../../pages/page/l10n';
import { useComputed } from '@preact/signals';
import { toHex } from '../../../base/colors';
import { shownAlone } from '../../../pages/page/numbers';
import { Icon } from '../../../pages/page/widgets/parts';
import type { ObjectDetails } from '../../../archives/masksSummary';
import type { MasksStore } from '../state/masksStore';
import {
  areaInMicrons,
  channelName,
  isSquare,
  meanName,
  perimeterInMicrons,
} from '../state/objectMeasurements';
import { type InspectorProps, Section } from './sections';

/** Channels up to which all means are listed; of more channels, only visible ones. */
const MAX_MEANS = 8;

/**
 * The selected object, else the hovered one, with its measurements; tooltips define them. Only
 * texts change with the object, so that nothing below moves.
 */
export function ObjectSection({ store }: InspectorProps) {
  const { object, background } = store;
  const heading = useComputed(() => {
    const focusedObject = object.shownObject.value;
    return !focusedObject
      ? t({ message: 'Object', comment: 'An object in an image, such as a cell' })
      : focusedObject.selected
        ? t('Selected object')
        : t('Object under the pointer');
  });
  const size = background.pixelSize.value?.size;
  const isSquarePixel = size !== undefined && isSquare(size);
  const measure = (
    name: string,
    hint: string,
    wordsOf: MeasureProps['wordsOf'],
    options: { unit?: string; note?: string | false | undefined } = {},
  ) => (
    <Measure
      store={store}
      name={name}
      title={[hint, options.note].filter(Boolean).join('\n')}
      wordsOf={wordsOf}
      unit={options.unit}
    />
  );
  return (
    <Section
      title={t({ message: 'Object', comment: 'An object in an image, such as a cell' })}
      class="object"
      heading={heading}
    >
      <div class="object-body">
        <dl class="measures">
          {measure(t('ID'), t("The object's number in the archive, unique within its image only"), ({ id }) =>
            String(id),
          )}
          <dt>{t({ message: 'Class', comment: 'Of an object' })}</dt>
          <dd>
            <ClassOfObject store={store} />
          </dd>
          {object.hasScores.value &&
            measure(
              t({ message: 'Score', comment: 'Model confidence of an object' }),
              t('Model confidence, from the archive'),
              ({ score }) => (score === undefined ? undefined : t.number(score, 3)),
            )}
          {measure(
            t('Area'),
            t('Number of pixels in the mask, not counting holes'),
            ({ area }) => t('{0} px²', area),
            {
              unit: t('{0} px²', '–'),
            },
          )}
          {size &&
            measure(
              '',
              t('Number of pixels in the mask, not counting holes'),
              ({ area }) => squareMicrons(area, store),
              {
                unit: t('{0} µm²', '–'),
              },
            )}
          {measure(
            t('Perimeter'),
            t(
              "Length of the border as scikit-image's perimeter with 4 neighbors, including the borders of holes",
            ),
            ({ perimeter }) => t('{0} px', t.number(perimeter, 2)),
            {
              unit: t('{0} px', '–'),
              note:
                size &&
                !isSquarePixel &&
                t("Unknown in µm: the pixels aren't square, and the perimeter in pixels has no direction"),
            },
          )}
          {isSquarePixel &&
            measure(
              '',
              t(
                "Length of the border as scikit-image's perimeter with 4 neighbors, including the borders of holes",
              ),
              ({ perimeter }) => microns(perimeter, store),
              {
                unit: t('{0} µm', '–'),
              },
            )}
          {measure(
            t('Centroid'),
            t('Mean position of the pixel centers; (0, 0) is the top left corner of the first pixel'),
            ({ centroid }) => centroid.map(coordinate => coordinate.toFixed(2)).join(', '),
          )}
          <BoxOfObject store={store} />
          <Means store={store} />
          {measure(
            t('Table row'),
            t("Number of the object's row in the table, not counting the header"),
            ({ row }) => (row === undefined ? t('not linked') : t.number(row + 1)),
          )}
        </dl>
        <Hints store={store} />
      </div>
    </Section>
  );
}

function squareMicrons(area: number, { background }: MasksStore): string {
  const pixelSize = background.pixelSize.value;
  return pixelSize ? t('{0} µm²', t.significant(areaInMicrons(area, pixelSize.size), 5)) : '';
}

function microns(perimeter: number, { background }: MasksStore): string {
  const pixelSize = background.pixelSize.value;
  const length = pixelSize && perimeterInMicrons(perimeter, pixelSize.size);
  return t('{0} µm', t.significant(length ?? NaN, 5));
}

interface MeasureProps extends InspectorProps {
  /** Empty if the measurement is the one above in another unit. */
  name: string;
  title: string;
  /** The measurement as text; undefined if unknown. Rendered again when a signal in it changes. */
  wordsOf: (details: ObjectDetails) => string | undefined;
  /** Text without an object, which names the unit. */
  unit?: string | undefined;
}

function Measure({ store: { object }, name, title, wordsOf, unit }: MeasureProps) {
  const value = useComputed(() => {
    const details = object.shownObject.value?.details;
    return (details ? wordsOf(details) : unit) ?? '–';
  });
  return (
    <>
      <dt title={title}>{name}</dt>
      <dd title={title}>{value}</dd>
    </>
  );
}

function ClassOfObject({ store: { object, look } }: InspectorProps) {
  const name = useComputed(() => object.shownObject.value?.details.className);
  const color = useComputed(() => name.value !== undefined && toHex(look.classColor(name.value)));
  if (!color.value) return '–';
  return (
    <span class="class-value">
      <span class="dot" aria-hidden="true" style={{ background: color.value }} />
      {name}
    </span>
  );
}

/** The object's bounding box. A corner is never broken over two lines. */
function BoxOfObject({ store: { object } }: InspectorProps) {
  const box = useComputed(() => object.shownObject.value?.details.bbox);
  const topLeft = useComputed(() => (box.value ? `${box.value[0]}, ${box.value[1]}` : '–'));
  const bottomRight = useComputed(() => (box.value ? `${box.value[2]}, ${box.value[3]}` : ''));
  const dash = useComputed(() => (box.value ? ' – ' : ''));
  const title = t('x1, y1 inclusive – x2, y2 exclusive');
  return (
    <>
      <dt title={title}>{t('Bounding box')}</dt>
      <dd title={title}>
        <span class="corner">{topLeft}</span>
        {dash}
        <span class="corner">{bottomRight}</span>
      </dd>
    </>
  );
}

/** Mean of the samples inside the object's mask, for each channel of the background image. */
function Means({ store }: InspectorProps) {
  const { object, background } = store;
  const { info, look } = background.painted.value ?? {};
  if (!info) return null;
  return Array.from({ length: info.channels }, (_, channel) => {
    if (info.channels > MAX_MEANS && !look?.channels[channel]?.shown) return null;
    return (
      <Measure
        key={channel}
        store={store}
        name={meanName(channelName(info, channel), info.channels)}
        title={t('Mean of the raw pixel values inside the mask, leaving out NaN')}
        wordsOf={() => {
          const mean = object.means.value?.[channel];
          return mean === null ? 'NaN' : mean === undefined ? undefined : t.significant(mean, 6);
        }}
      />
    );
  });
}

/** What the user can do. The longest text, invisible, reserves the space. */
function Hints({ store: { object } }: InspectorProps) {
  const hint = useComputed(() => {
    const focusedObject = object.shownObject.value;
    const { stack } = focusedObject ?? {};
    const count = stack?.candidates.length ?? 0;
    if (stack && count > 1)
      return t('{0} of {1} objects at this point. Click again for the next one.', stack.position + 1, count);
    return !focusedObject
      ? t('Hover over an object to measure it; click to select it.')
      : focusedObject.selected
        ? t('Press Esc to clear the selection.')
        : t('Click to select the object.');
  });
  const longestHint = useComputed(() =>
    object.shownObject.value ? t('Hover over an object to measure it; click to select it.') : '',
  );
  return (
    <div class="hints">
      <p class="hint">{hint}</p>
      <p class="hint unsaid">{longestHint}</p>
    </div>
  );
}

/** The populations that the selected object is in. */
export function PopulationsSection({ store: { populations } }: InspectorProps) {
  const ofObject = populations.shownPopulations.value;
  const title = t('In populations');
  return (
    <Section title={title} hidden={ofObject === undefined} heading={title}>
      {ofObject?.populations.length === 0 ? (
        <p class="hint">{t('The object is in none.')}</p>
      ) : (
        <ul class="legend">
          {ofObject?.populations.map(({ path, color }) => (
            <li key={path.at(-1)} class="legend-row">
              <span class="swatch" style={{ background: color }} />
              <span class="legend-name">{path.join(' → ')}</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

/** The object's other cells of its table row, with a warning for those that contradict the mask. */
export function RowSection({ store }: InspectorProps) {
  const { row } = store.object;
  return (
    <details
      class="section row"
      hidden={!row.hasLoadedOnce.value}
      open={row.isOpen.value}
      onToggle={({ currentTarget }) => row.setOpen(currentTarget.open)}
    >
      <summary>
        <Icon name="chevron-right" />
        <span>{t('Other table columns')}</span>
      </summary>
      <Cells store={store} />
    </details>
  );
}

function Cells({ store }: InspectorProps) {
  const { row } = store.object;
  const { names, cells } = row.shownRow.value;
  const agreement = row.agreement.value;
  const sameColumns = names.filter((_, column) => agreement[column] === 'same');
  return (
    <>
      <dl class="measures row-cells">
        {names.map((name, column) => {
          if (agreement[column] === 'same') return null;
          const cell = cells[column];
          const warning =
            agreement[column] === 'differs' && cells.length > 0 && t("The table and the mask don't agree.");
          return [
            <dt key={`${column} name`} title={name}>
              {name || '–'}
            </dt>,
            <dd key={`${column} cell`} title={warning || cell} class={warning ? 'warning' : undefined}>
              {warning && <Icon name="warning" />}
              {breakable(shownAlone(cell ?? '') || '–')}
              {warning && <span class="visually-hidden">{warning}</span>}
            </dd>,
          ];
        })}
      </dl>
      <p class="hint">{sameColumns.length > 0 && t('Same in the table: {0}', sameColumns.join(', '))}</p>
    </>
  );
}

/** Lets long paths break after a separator, not within a name. */
function breakable(cell: string) {
  return cell
    .split(/(?<=[/\\])/)
    .flatMap((part, index) => (index === 0 ? [part] : [<wbr key={index} />, part]));
}
