import { useEffect, useRef } from 'preact/hooks';
import { imageMeasures, measurable, measureKey } from '../../study/page/chosenMeasure';
import type { ConditionsInTable } from '../../study/page/conditionsInTable';
import { paperColors } from '../../drawing/page/plotColors';
import { figureFile } from '../../drawing/page/plotFile';
import { t } from '../../pages/page/l10n';
import { Button, Icon, IconButton, Picker } from '../../pages/page/widgets/parts';
import { openMenu, openPopover } from '../../pages/page/widgets/popover';
import { RangeClip } from '../../pages/page/widgets/rangeClip';
import type { OpenedParts } from '../../table/page/contribution';
import { toHex } from '../../base/colors';
import { scaleColor, spreadOf } from '../../pages/page/widgets/colorScale';
import type { Control } from '../controls';
import { shownAs, wellStatisticIds } from '../plates';
import { gapWords } from '../plateWords';
import { plateSizes } from '../wells';
import type { PlateModel, ShownPlate, ShownPlates } from './plateModel';
import type { ChosenWellMeasure } from './platesSaved';
import { drawPlates } from './platePlot';
import { PlateStage } from './plateStage';
import {
  conditionName,
  controlName,
  figure,
  measureWords,
  pageWords,
  mapNotes,
  mapTitles,
  shownAsName,
  statisticName,
} from './plateWords';

export interface PlatePartProps {
  parts: OpenedParts;
  model: PlateModel;
  /** Metadata of images, whose names may have wells. */
  conditions: ConditionsInTable;
}

/** Plates in place of the rows: settings above, separation of controls, and the map. */
export function PlatePart(props: PlatePartProps) {
  return props.model.state.value.open ? <OpenPlates {...props} /> : null;
}

function OpenPlates(props: PlatePartProps) {
  const { model } = props;
  useEffect(() => {
    void model.begin();
    return () => model.end();
  }, []);
  return (
    <main class="over-rows plates" aria-label={t('Plates')} aria-busy={model.isBusy.value} tabindex={-1}>
      <div class="over-rows-head plates-head">
        <IconButton icon="arrow-left" label={t('Back to Table')} onClick={() => model.leave()} autofocus />
        <h2>{t('Plates')}</h2>
        <Pickers {...props} />
        <Output {...props} />
      </div>
      <Marking {...props} />
      <Content {...props} />
    </main>
  );
}

function Pickers(props: PlatePartProps) {
  const { model, parts } = props;
  const { as = 'value', size } = model.state.value;
  const chosen = model.measure();
  const isImageMeasure = chosen.kind !== 'column' && chosen.kind !== 'objects';
  const measures: ChosenWellMeasure[] = [
    ...measurable(parts.model.table.columns).map(({ name }) => ({ kind: 'column', name }) as const),
    { kind: 'objects' },
    ...imageMeasures(model.offered, isImageMeasure ? [chosen] : []),
  ];
  const keyOf = (measure: ChosenWellMeasure) => (measure.kind === 'objects' ? 'count' : measureKey(measure));
  return (
    <div class="plates-pickers" role="group" aria-label={t('Plates')}>
      <Picker
        label={t({ message: 'Measure', comment: 'Noun: a measured column' })}
        value={keyOf(chosen)}
        options={measures.map(measure => [keyOf(measure), measureWords(measure)] as const)}
        choose={key => model.choose({ measure: measures.find(measure => keyOf(measure) === key) })}
      />
      {chosen.kind === 'column' && (
        <Picker
          label={t('Statistic of each well')}
          value={model.statistic}
          options={wellStatisticIds.map(id => [id, statisticName(id)] as const)}
          choose={value => model.choose({ statistic: wellStatisticIds.find(id => id === value) })}
        />
      )}
      <Picker
        label={t('Shown as')}
        value={as}
        options={shownAs.map(as => [as, shownAsName(as)] as const)}
        choose={value => model.choose({ as: shownAs.find(as => as === value) })}
      />
      <ControlButton {...props} control="negative" />
      <ControlButton {...props} control="positive" />
      <ScaleButton {...props} />
      <Picker
        label={t('Plate size')}
        value={String(size ?? '')}
        options={[
          ['', t('Smallest plate')],
          ...plateSizes.map(({ wells }) => [String(wells), t('{0} wells', wells)] as const),
        ]}
        choose={value => model.choose({ size: value === '' ? undefined : Number(value) })}
      />
    </div>
  );
}

/** Which wells are a control: by their condition, or by a click. */
function ControlButton({ model, control }: PlatePartProps & { control: Control }) {
  const marks = model.state.value.marks?.[control];
  const names = [...(marks?.conditions ?? []), ...(marks?.wells ?? [])];
  const conditions = model.shown.value?.measured.conditions ?? [];
  const isMarking = model.marking.value === control;
  const label = names.length > 0 ? `${controlName(control)}: ${names.join(', ')}` : controlName(control);
  const open = (anchor: Element) =>
    openMenu(anchor, controlName(control), [
      ...conditions.map(condition => ({
        label: condition,
        checked: marks?.conditions.includes(condition) === true,
        run: () => model.mark('conditions', [condition], control),
      })),
      {
        label: t('Mark Wells by Click'),
        checked: isMarking,
        startsGroup: conditions.length > 0,
        run: () => (model.marking.value = isMarking ? undefined : control),
      },
      { label: t('Remove Marks'), disabled: names.length === 0, run: () => model.unmark(control) },
    ]);
  return (
    <Button
      class="plates-control"
      aria-haspopup="menu"
      aria-label={label}
      title={label}
      onClick={({ currentTarget }) => open(currentTarget)}
    >
      <span class="plates-control-mark" aria-hidden="true">
        {control === 'negative' ? '−' : '+'}
      </span>
      <span class="plates-control-words">{names.length > 0 ? names.join(', ') : controlName(control)}</span>
      <Icon name="chevron-down" />
    </Button>
  );
}

/** Explains a click while wells are marked. */
function Marking({ model }: PlatePartProps) {
  const control = model.marking.value;
  if (!control) return null;
  return (
    <p class="plates-marking" role="status">
      {control === 'negative'
        ? t('Click wells, or drag over them, to mark them as negative controls on every plate.')
        : t('Click wells, or drag over them, to mark them as positive controls on every plate.')}{' '}
      <Button onClick={() => (model.marking.value = undefined)}>
        {t({ message: 'Done', comment: 'Button that ends marking wells' })}
      </Button>
    </p>
  );
}

/** Saves the map and its numbers. */
function Output(props: PlatePartProps) {
  const { model, parts } = props;
  const shown = model.shown.value;
  const hasMap = shown !== undefined && model.plates.value.length > 0;
  const savePlot = async (type: 'png' | 'svg') => {
    if (!shown) return;
    try {
      const titles = mapTitles(model, shown);
      const look = { width: 960, height: 640, scale: model.scale.value, colors: paperColors() };
      const { frame } = drawPlates(model.page.value.plates, titles, look);
      const data = await figureFile(frame.root, type);
      void parts.output.savePlot(titles.title.slice(0, MAX_NAME), type, data);
    } catch (error) {
      parts.messages.failed(t.later("Couldn't save the plot as PNG. Save it as SVG instead."), error);
    }
  };
  return (
    <Button
      class="plates-output"
      aria-haspopup="menu"
      aria-label={t('Save Plates')}
      disabled={!hasMap}
      onClick={({ currentTarget }) =>
        openMenu(currentTarget, t('Save Plates'), [
          { label: t('Save as PNG…'), run: () => void savePlot('png') },
          { label: t('Save as SVG…'), run: () => void savePlot('svg') },
          {
            label: t('Save Numbers of Wells'),
            startsGroup: true,
            run: () => shown && void model.saveWells(mapTitles(model, shown).value),
          },
        ])
      }
    >
      <Icon name="save" /> <span class="button-words">{t('Save Plates')}</span>
    </Button>
  );
}

/** Characters of a proposed name. */
const MAX_NAME = 150;

function Content(props: PlatePartProps) {
  const { model } = props;
  const failure = model.failure.value;
  const shown = model.shown.value;
  if (failure)
    return (
      <Empty icon="error" words={t("Couldn't show the plates: {0}", failure.words)} isError>
        {failure.mayBeOne && (
          <Button onClick={() => model.choose({ isOnePlate: true })}>{t('All Are of One Plate')}</Button>
        )}
        {failure.mayBeOne && <AddColumns {...props} />}
        <Button onClick={() => void model.begin()}>{t('Try Again')}</Button>
      </Empty>
    );
  if (model.start.value?.well.length === 0) return <NoWells {...props} />;
  if (!shown) return <Empty icon="loading" words="" />;
  const notes = mapNotes(model, shown);
  return (
    <>
      <Lines {...props} shown={shown} />
      {notes.length > 0 && (
        <ul class="plates-notes">
          {notes.map(note => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {model.plates.value.length === 0 ? (
        <Empty icon="table" words={t('No image is in a well.')}>
          <AddColumns {...props} />
        </Empty>
      ) : (
        <>
          <Pages {...props} />
          <Map {...props} shown={shown} />
        </>
      )}
    </>
  );
}

/** The wells of images are unknown: if names have them, a click uses those. */
function NoWells(props: PlatePartProps) {
  const { images } = props.conditions;
  const { model } = props;
  useEffect(() => {
    if (!images.metadata.peek()) void images.load();
  }, []);
  const catalog = images.metadata.value;
  const proposed = images.proposed.value?.columns.some(({ role }) => role === 'well') === true;
  // Columns that were just added are on their way to the table.
  const isComing = model.isBusy.value || catalog?.columns.some(({ role }) => role === 'well') === true;
  if (isComing || (!catalog && images.failure.value === undefined)) return <Empty icon="loading" words="" />;
  return (
    <Empty
      icon="table"
      words={t('Which image is of which well?')}
      hint={
        proposed
          ? t('Folders and names of images say it.')
          : catalog?.images.length === 0
            ? t('The table names no images: it needs a column of wells.')
            : t('Give images a column of wells, and one of plates where there are several.')
      }
    >
      {proposed && (
        <Button
          primary
          onClick={({ currentTarget }) => {
            // The button goes, and its focus with it.
            currentTarget.closest('main')?.focus();
            images.acceptProposal();
          }}
        >
          {t('Use Wells of Names')}
        </Button>
      )}
      {catalog?.images.length !== 0 && <AddColumns {...props} isPrimary={!proposed} />}
    </Empty>
  );
}

function AddColumns({ conditions, isPrimary = false }: PlatePartProps & { isPrimary?: boolean }) {
  return (
    <Button primary={isPrimary} onClick={() => conditions.showImages()}>
      {t('Image Columns')}
    </Button>
  );
}

interface ShownProps extends PlatePartProps {
  shown: ShownPlates;
}

/** Separation of controls: a line per plate and condition of positive controls. */
function Lines({ model }: ShownProps) {
  const { marks } = model.state.value;
  const isMarked = (control: Control) =>
    marks !== undefined && marks[control].wells.length + marks[control].conditions.length > 0;
  if (!isMarked('negative') && !isMarked('positive'))
    return (
      <p class="plates-hint">
        {t('Mark negative and positive control wells to see Z′, robust Z′ and SSMD of each plate.')}
      </p>
    );
  const plates = model.plates.value;
  const hasNames = plates.some(({ name }) => name !== null);
  const lines = plates.flatMap(({ name, lines: ofPlate }) => ofPlate.map(line => ({ name, ...line })));
  return (
    <div class="plates-lines" tabindex={0} role="region" aria-label={t('Controls of plates')}>
      <table>
        <thead>
          <tr>
            {hasNames && <th scope="col">{t({ message: 'Plate', comment: 'Microplate with wells' })}</th>}
            <th scope="col">{controlName('positive')}</th>
            {['Z′', t('Robust Z′'), 'SSMD', t('Negative wells'), t('Positive wells')].map(head => (
              <th key={head} scope="col" class="plates-number">
                {head}
              </th>
            ))}
            <th scope="col">{t({ message: 'Note', comment: 'Noun: a remark on a well' })}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ name, positive, zPrime, robustZPrime, ssmd, wells, gaps }, at) => (
            <tr key={at}>
              {hasNames && <th scope="row">{name}</th>}
              <td>{conditionName(positive)}</td>
              {[
                ...[zPrime, robustZPrime, ssmd].map(value => figure(value)),
                ...[wells.negative, wells.positive].map(count => t.number(count)),
              ].map((cell, column) => (
                <td key={column} class="plates-number">
                  {cell}
                </td>
              ))}
              <td>{gaps.map(gap => gapWords(t, gap)).join(' ')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The plates shown, if there are several pages. */
function Pages({ model }: PlatePartProps) {
  const words = pageWords(model);
  if (words === undefined) return null;
  const { first, plates } = model.page.value;
  const isLast = first + plates.length >= model.plates.value.length;
  return (
    <div class="plates-pages" role="group" aria-label={t('Pages of plates')}>
      <IconButton
        icon="chevron-left"
        label={t('Previous Plates')}
        disabled={first === 0}
        onClick={() => model.turnPage(-1)}
      />
      <span aria-live="polite">{t('Plates {0}', words)}</span>
      <IconButton
        icon="chevron-right"
        label={t('Next Plates')}
        disabled={isLast}
        onClick={() => model.turnPage(1)}
      />
    </div>
  );
}

/** Opens the controls for the ends of the color scale. */
function ScaleButton({ model }: PlatePartProps) {
  const label = t('Color Scale');
  return (
    <Button
      class="plates-control"
      aria-haspopup="dialog"
      disabled={model.scale.value === undefined}
      onClick={({ currentTarget: anchor }) =>
        openPopover({ anchor, label, className: 'plates-scale', view: () => <Scale model={model} /> })
      }
    >
      <span class="plates-control-words">{label}</span>
      <Icon name="chevron-down" />
    </Button>
  );
}

function Scale({ model }: Pick<PlatePartProps, 'model'>) {
  const { scale: chosen } = model.state.value;
  const scale = model.scale.value;
  const spread = spreadOf(model.values.value, BINS);
  if (!scale || !spread) return null;
  const choice = (name: string, of: 'percentiles' | undefined) => (
    <label>
      <input
        type="radio"
        name="plates-scale"
        checked={chosen === of}
        onChange={() => model.choose({ scale: of })}
      />
      {name}
    </label>
  );
  return (
    <>
      {choice(t('All values'), undefined)}
      {choice(t('2nd to 98th percentile'), 'percentiles')}
      <RangeClip
        labels={{ low: t('Scale minimum'), high: t('Scale maximum') }}
        spread={spread}
        range={scale.range}
        colorAt={share => toHex(scaleColor(share))}
        change={range => model.choose({ scale: range })}
      />
    </>
  );
}

/** Bars of the histogram of values. */
const BINS = 64;

/** The plates themselves. */
function Map(props: ShownProps) {
  const { model, parts, shown } = props;
  const place = useRef<HTMLDivElement>(null);
  const stage = useRef<PlateStage | undefined>(undefined);
  useEffect(() => {
    if (!place.current) return undefined;
    const namesOf = (plate: ShownPlate, wells: readonly number[]) =>
      wells.flatMap(well => plate.wells.wells[well] ?? []);
    const created = new PlateStage({
      place: place.current,
      select: (plate, wells, adds) => {
        const control = model.marking.peek();
        if (control) model.mark('wells', namesOf(plate, wells), control);
        else model.filterTo(plate, wells, adds);
      },
      enter: (plate, well) => void model.enter(plate, well),
      mark: (plate, well, control) => model.mark('wells', namesOf(plate, [well]), control),
      escape: () => {
        if (model.marking.peek()) model.marking.value = undefined;
        else model.clearSelection();
      },
      turnPage: by => model.turnPage(by),
      say: parts.plotted.say,
    });
    stage.current = created;
    return () => {
      created.dispose();
      stage.current = undefined;
    };
  }, []);
  const { plates, first } = model.page.value;
  useEffect(() => place.current?.scrollTo(0, 0), [first]);
  const titles = mapTitles(model, shown);
  const scale = model.scale.value;
  useEffect(() => {
    stage.current?.show({ plates, scale, titles });
  }, [plates, scale, titles.value, shown]);
  const selected = plates.map(plate => plate.places.map((_, well) => model.isSelected(plate, well)));
  const key = JSON.stringify(selected);
  useEffect(() => {
    stage.current?.outline((plate, well) => model.isSelected(plate, well));
  }, [key, plates]);
  const isMarking = model.marking.value !== undefined;
  return <div class={isMarking ? 'plates-map marking' : 'plates-map'} ref={place} />;
}

interface EmptyProps {
  icon: string;
  words: string;
  hint?: string;
  isError?: boolean;
  children?: preact.ComponentChildren;
}

function Empty({ icon, words, hint, isError = false, children }: EmptyProps) {
  return (
    <div class="plates-empty">
      <Icon name={icon} spins={icon === 'loading'} />
      <p role={isError ? 'alert' : undefined}>{words}</p>
      {hint !== undefined && <p class="plates-hint">{hint}</p>}
      <div class="plates-answers">{children}</div>
    </div>
  );
}
