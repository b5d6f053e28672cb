import { t } from '../../pages/page/l10n';
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { findRowColumns } from '../../columns/rowColumns';
import { isReversed } from '../../columns/viewSpec';
import { Button, Picker } from '../../pages/page/widgets/parts';
import { MeasureChoice } from '../../table/page/groups/groupOptions';
import type { ChosenGroups } from '../../table/page/groupUnits';
import { MAX_MEASURES } from '../../table/page/state/groupsState';
import { chosenName, type ImageMeasure, imageMeasures, measurable, measureKey } from './chosenMeasure';
import { chosenOf, type GroupedImages } from './groupedImages';
import { RangeFields, type RangeMeasure } from './rangeFields';

interface GroupMeasuresProps {
  images: GroupedImages;
  groups: ChosenGroups;
}

/** Measures of images, such as objects per image and shares, to select for groups. */
export function GroupMeasures({ images, groups }: GroupMeasuresProps) {
  const { model } = images.parts;
  const { measures } = groups.state.value;
  const { image } = findRowColumns(model.table.columns);
  const chosen = measures.flatMap(measure => (typeof measure === 'number' ? [] : [chosenOf(measure)]));
  const disabled = groups.unit === undefined;
  // Without a column that names images, images can't be counted.
  const offered = imageMeasures(images.measureOptions, chosen, true).filter(
    ({ kind }) => image !== undefined || kind !== 'objectsPerImage',
  );
  return (
    <fieldset>
      <legend class="popover-title">{t('Objects per Image and Shares')}</legend>
      {disabled && (
        <p class="popover-note">{t('These are values of images: choose Image Means or Replicate Means.')}</p>
      )}
      <div class="group-measures">
        {offered.map(measure => (
          <MeasureChoice
            key={measureKey(measure)}
            groups={groups}
            measure={measure}
            name={chosenName(measure)}
            disabled={disabled}
          />
        ))}
      </div>
      {!disabled && measures.length < MAX_MEASURES && (
        <>
          <NewRange images={images} groups={groups} />
          <NewMean images={images} groups={groups} />
        </>
      )}
    </fieldset>
  );
}

/** Input of a share within a range; the range needs an end, and ends in order. */
function NewRange({ images, groups }: GroupMeasuresProps) {
  const { model } = images.parts;
  const columns = measurable(model.table.columns);
  const [first] = columns;
  const range = useSignal<RangeMeasure>({ kind: 'range', name: first?.name ?? '', from: null, to: null });
  const form = useRef<HTMLFormElement>(null);
  if (!first) return null;
  // A field is committed before the button is pressed, so the range has the last typed text.
  const add = () => {
    const { measures } = groups.state.peek();
    const added = range.peek();
    if ((added.from === null && added.to === null) || isReversed(added)) {
      form.current?.querySelector('input')?.focus();
      return;
    }
    range.value = { ...added, from: null, to: null };
    if (measures.every(measure => groups.keyOf(measure) !== groups.keyOf(added)))
      groups.choose({ measures: [...measures, added] });
  };
  return (
    <form
      class="group-range"
      ref={form}
      onSubmit={event => {
        event.preventDefault();
        add();
      }}
    >
      <span class="popover-note">{t('Another share, in a range:')}</span>
      <RangeFields columns={columns} range={range.value} choose={next => (range.value = next)} />
      <Button type="submit">{t({ message: 'Add', comment: 'Verb: add a measure' })}</Button>
    </form>
  );
}

/** Input of the mean of a column in a population, if there are populations. */
function NewMean({ images, groups }: GroupMeasuresProps) {
  const columns = measurable(images.parts.model.table.columns);
  const { populations } = images.measureOptions;
  const column = useSignal(columns[0]?.name ?? '');
  const chosen = useSignal<string | undefined>(undefined);
  const population = populations.find(({ name }) => name === chosen.value) ?? populations[0];
  if (columns.length === 0 || !population) return null;
  const add = () => {
    const { measures } = groups.state.peek();
    const added: ImageMeasure = { kind: 'column', name: column.peek(), population: population.name };
    if (measures.every(measure => groups.keyOf(measure) !== groups.keyOf(added)))
      groups.choose({ measures: [...measures, added] });
  };
  return (
    <form
      class="group-range"
      onSubmit={event => {
        event.preventDefault();
        add();
      }}
    >
      <span class="popover-note">{t('The mean of a column in a population:')}</span>
      <Picker
        label={t('Column')}
        value={column.value}
        options={columns.map(({ name }) => [name, name] as const)}
        choose={name => (column.value = name)}
      />
      <Picker
        label={t({ message: 'Population', comment: 'Named set of objects' })}
        value={population.name}
        options={populations.map(({ name }) => [name, t('In {0}', name)] as const)}
        choose={name => (chosen.value = name)}
      />
      <Button type="submit">{t({ message: 'Add', comment: 'Verb: add a measure' })}</Button>
    </form>
  );
}
