import { useComputed } from '@preact/signals';
import { toHex } from '../../../base/colors';
import { shownAlone } from '../../../pages/page/numbers';
import type { MasksText } from '../../../pages/page/pageText';
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

/** Maximum number of channels whose means are all listed; of more, only those that show. */
const MAX_MEANS = 8;

/**
 * The selected object, or else the one under the pointer, with its measurements; each with its definition as a tooltip. From
 * one object to the next only texts change, and nothing below may jump under the pointer.
 */
export function ObjectSection({ store, text }: InspectorProps) {
  const { object, background } = store;
  const heading = useComputed(() => {
    const now = object.now.value;
    return text.get(!now ? 'object' : now.selected ? 'objectSelected' : 'objectUnderPointer');
  });
  const size = background.pixelSize.value?.size;
  const isSquarePixel = size !== undefined && isSquare(size);
  const measure = (
    name: string,
    hint: string,
    of: MeasureProps['of'],
    more: { unit?: string; note?: string | false | undefined } = {},
  ) => (
    <Measure
      store={store}
      text={text}
      name={name}
      title={[hint, more.note].filter(Boolean).join('\n')}
      of={of}
      unit={more.unit}
    />
  );
  return (
    <Section title={text.get('object')} class="object" heading={heading}>
      <div class="object-body">
        <dl class="measures">
          {measure(text.get('measureId'), text.get('measureIdHint'), ({ id }) => String(id))}
          <dt>{text.get('measureClass')}</dt>
          <dd>
            <ClassOfObject store={store} text={text} />
          </dd>
          {object.hasScores.value &&
            measure(text.get('measureScore'), text.get('measureScoreHint'), ({ score }) =>
              score === undefined ? undefined : text.number(score, 3),
            )}
          {measure(
            text.get('measureArea'),
            text.get('measureAreaHint'),
            ({ area }) => text.get('squarePixels', area),
            {
              unit: text.get('squarePixels', '–'),
            },
          )}
          {size &&
            measure('', text.get('measureAreaHint'), ({ area }) => squareMicrons(area, store, text), {
              unit: text.get('squareMicrons', '–'),
            })}
          {measure(
            text.get('measurePerimeter'),
            text.get('measurePerimeterHint'),
            ({ perimeter }) => text.get('pixels', text.number(perimeter, 2)),
            {
              unit: text.get('pixels', '–'),
              note: size && !isSquarePixel && text.get('perimeterNotSquareHint'),
            },
          )}
          {isSquarePixel &&
            measure(
              '',
              text.get('measurePerimeterHint'),
              ({ perimeter }) => microns(perimeter, store, text),
              {
                unit: text.get('microns', '–'),
              },
            )}
          {measure(text.get('measureCentroid'), text.get('measureCentroidHint'), ({ centroid }) =>
            centroid.map(each => each.toFixed(2)).join(', '),
          )}
          <BoxOfObject store={store} text={text} />
          <Means store={store} text={text} />
          {measure(text.get('measureRow'), text.get('measureRowHint'), ({ row }) =>
            row === undefined ? text.get('measureRowNone') : text.number(row + 1),
          )}
        </dl>
        <Hints store={store} text={text} />
      </div>
    </Section>
  );
}

function squareMicrons(area: number, { background }: MasksStore, text: MasksText): string {
  const known = background.pixelSize.value;
  return known ? text.get('squareMicrons', text.significant(areaInMicrons(area, known.size), 5)) : '';
}

function microns(perimeter: number, { background }: MasksStore, text: MasksText): string {
  const known = background.pixelSize.value;
  const length = known && perimeterInMicrons(perimeter, known.size);
  return text.get('microns', text.significant(length ?? NaN, 5));
}

interface MeasureProps extends InspectorProps {
  /** Empty where it goes on with the measurement above, in another unit. */
  name: string;
  title: string;
  /** Its words; undefined where it isn't known. What it reads of the store is followed. */
  of: (details: ObjectDetails) => string | undefined;
  /** Without an object, its unit says what is measured. */
  unit?: string | undefined;
}

function Measure({ store: { object }, name, title, of, unit }: MeasureProps) {
  const value = useComputed(() => {
    const details = object.now.value?.details;
    return (details ? of(details) : unit) ?? '–';
  });
  return (
    <>
      <dt title={title}>{name}</dt>
      <dd title={title}>{value}</dd>
    </>
  );
}

function ClassOfObject({ store: { object, look } }: InspectorProps) {
  const name = useComputed(() => object.now.value?.details.className);
  const color = useComputed(() => name.value !== undefined && toHex(look.classColor(name.value)));
  if (!color.value) return '–';
  return (
    <span class="class-value">
      <span class="dot" aria-hidden="true" style={{ background: color.value }} />
      {name}
    </span>
  );
}

/** Its corners, neither of them ever broken over two lines. */
function BoxOfObject({ store: { object }, text }: InspectorProps) {
  const box = useComputed(() => object.now.value?.details.bbox);
  const first = useComputed(() => (box.value ? `${box.value[0]}, ${box.value[1]}` : '–'));
  const second = useComputed(() => (box.value ? `${box.value[2]}, ${box.value[3]}` : ''));
  const between = useComputed(() => (box.value ? ' – ' : ''));
  const title = text.get('measureBoxHint');
  return (
    <>
      <dt title={title}>{text.get('measureBox')}</dt>
      <dd title={title}>
        <span class="corner">{first}</span>
        {between}
        <span class="corner">{second}</span>
      </dd>
    </>
  );
}

/** Mean of the samples inside its mask, for each channel of the background image. */
function Means({ store, text }: InspectorProps) {
  const { object, background } = store;
  const { info, look } = background.painted.value ?? {};
  if (!info) return null;
  return Array.from({ length: info.channels }, (_, at) => {
    if (info.channels > MAX_MEANS && !look?.channels[at]?.shown) return null;
    return (
      <Measure
        key={at}
        store={store}
        text={text}
        name={meanName(text, channelName(text, info, at), info.channels)}
        title={text.get('measureMeanHint')}
        of={() => {
          const mean = object.means.value?.[at];
          return mean === null ? 'NaN' : mean === undefined ? undefined : text.significant(mean, 6);
        }}
      />
    );
  });
}

/** What can be done next. The longest takes its place unseen. */
function Hints({ store: { object }, text }: InspectorProps) {
  const said = useComputed(() => {
    const now = object.now.value;
    const { stack } = now ?? {};
    const count = stack?.candidates.length ?? 0;
    if (stack && count > 1) return text.get('clickAgain', stack.position + 1, count);
    return text.get(!now ? 'pointAtObject' : now.selected ? 'clearSelected' : 'clickToSelect');
  });
  const unsaid = useComputed(() => (object.now.value ? text.get('pointAtObject') : ''));
  return (
    <div class="hints">
      <p class="hint">{said}</p>
      <p class="hint unsaid">{unsaid}</p>
    </div>
  );
}

/** What the object's row of the table says beyond its mask, with a warning where they contradict each other. */
export function RowSection({ store, text }: InspectorProps) {
  const { row } = store.object;
  return (
    <details
      class="section row"
      hidden={!row.isKnown.value}
      open={row.isOpen.value}
      onToggle={({ currentTarget }) => row.setOpen(currentTarget.open)}
    >
      <summary>
        <Icon name="chevron-right" />
        <span>{text.get('rowOfTable')}</span>
      </summary>
      <Cells store={store} text={text} />
    </details>
  );
}

function Cells({ store, text }: InspectorProps) {
  const { row } = store.object;
  const { names, cells } = row.now.value;
  const agreement = row.agreement.value;
  const same = names.filter((_, at) => agreement[at] === 'same');
  return (
    <>
      <dl class="measures row-cells">
        {names.map((name, at) => {
          if (agreement[at] === 'same') return null;
          const cell = cells[at];
          const warning = agreement[at] === 'differs' && cells.length > 0 && text.get('differsFromMask');
          return [
            <dt key={`${at} name`} title={name}>
              {name || '–'}
            </dt>,
            <dd key={`${at} cell`} title={warning || cell} class={warning ? 'warning' : undefined}>
              {warning && <Icon name="warning" />}
              {breakable(shownAlone(cell ?? '') || '–')}
              {warning && <span class="visually-hidden">{warning}</span>}
            </dd>,
          ];
        })}
      </dl>
      <p class="hint">{same.length > 0 && text.get('sameInTable', same.join(', '))}</p>
    </>
  );
}

/** Paths may be broken after each of their parts, rather than within a name. */
function breakable(cell: string) {
  return cell.split(/(?<=[/\\])/).flatMap((part, at) => (at === 0 ? [part] : [<wbr key={at} />, part]));
}
