import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { toHex } from '../../base/colors';
import { columnStatisticNames } from '../../columns/columnStatistics';
import { PlacedPlot } from '../../drawing/page/placedPlot';
import { paperColors } from '../../drawing/page/plotColors';
import type { PlotAction } from '../../drawing/page/plotDrawing';
import { figureFile, fileEntries } from '../../drawing/page/plotFile';
import { t } from '../../pages/page/l10n';
import { scaleColor, spreadOf } from '../../pages/page/widgets/colorScale';
import { Button, Icon, IconButton, Picker } from '../../pages/page/widgets/parts';
import { openMenu, openPopover } from '../../pages/page/widgets/popover';
import rangeClipCss from '../../pages/page/widgets/rangeClip.css';
import { RangeClip } from '../../pages/page/widgets/rangeClip';
import { imageMeasures, measurable, measureKey, wholeOf } from '../../study/page/chosenMeasure';
import { ListedMeasures } from '../../study/page/comparePickers';
import type { ConditionsInTable } from '../../study/page/conditionsInTable';
import type { OpenedParts } from '../../table/page/contribution';
import { EmptyView, OverRowsView } from '../../table/page/overRowsView';
import { type Control, controlKinds } from '../controls';
import { shownAs, wellStatisticIds } from '../plates';
import { plateSizes } from '../wells';
import { PlateModel, type ShownPlate, type MeasuredPlates } from './plateModel';
import { drawPlates, type PlateCell, type PlatesDrawing, type SelectedWells } from './platePlot';
import platesCss from './plates.css';
import type { ChosenWellMeasure } from './platesSaved';
import { controlName, figure, mapNotes, mapTitles, measureWords, pageWords, shownAsName } from './plateWords';

/** The code of plates in the page's later script. */
export const platesLater = { style: `${rangeClipCss}\n${platesCss}`, PlatePart, PlateModel };

interface PlatePartProps {
  parts: OpenedParts;
  model: PlateModel;
  /** Metadata of images, whose names may have wells. */
  conditions: ConditionsInTable;
}

/** Plates in place of the rows: settings above, separation of controls, and the map. */
function PlatePart(props: PlatePartProps) {
  return props.model.state.value.open ? <OpenPlates {...props} /> : null;
}

function OpenPlates(props: PlatePartProps) {
  const { model } = props;
  useEffect(() => {
    void model.begin();
    return () => model.end();
  }, []);
  return (
    <OverRowsView
      name="plates"
      title={t('Plates')}
      isBusy={model.isBusy.value}
      leave={() => model.leave()}
      head={
        <>
          <Pickers {...props} />
          <Output {...props} />
        </>
      }
    >
      <Marking {...props} />
      <Content {...props} />
    </OverRowsView>
  );
}

function Pickers({ model, parts }: PlatePartProps) {
  const { as = 'value', size } = model.state.value;
  const chosen = model.measure();
  const keyOf = (measure: ChosenWellMeasure) => (measure.kind === 'objects' ? 'count' : measureKey(measure));
  const whole = wholeOf(chosen);
  const isOfImages = whole.kind !== 'column' && whole.kind !== 'objects';
  const measures: ChosenWellMeasure[] = [
    ...measurable(parts.model.table.columns).map(({ name }) => ({ kind: 'column', name }) as const),
    { kind: 'objects' },
    ...imageMeasures(model.offered, isOfImages ? [whole] : []),
  ];
  return (
    <div class="over-rows-pickers" role="group" aria-label={t('Plates')}>
      <ListedMeasures
        choices={measures.map(measure => [keyOf(measure), measureWords(measure), measure] as const)}
        {...{ chosen, keyOf }}
        populations={model.offered.populations}
        choose={measure => model.choose({ measure })}
      />
      {chosen.kind === 'column' && (
        <Picker
          label={t('Statistic of each well')}
          value={model.statistic}
          options={wellStatisticIds.map(id => [id, columnStatisticNames[id](t)] as const)}
          choose={value => model.choose({ statistic: wellStatisticIds.find(id => id === value) })}
        />
      )}
      <Picker
        label={t('Shown as')}
        value={as}
        options={shownAs.map(kind => [kind, shownAsName(kind)] as const)}
        choose={value => model.choose({ as: shownAs.find(kind => kind === value) })}
      />
      {controlKinds.map(control => (
        <ControlButton key={control} {...{ model, control }} />
      ))}
      <DropDown
        label={t('Color Scale')}
        opens="dialog"
        disabled={model.scale.value === undefined}
        open={anchor =>
          openPopover({
            ...{ anchor, label: t('Color Scale'), className: 'plates-scale' },
            view: () => <Scale model={model} />,
          })
        }
      />
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

interface DropDownProps {
  label: string;
  /** What is shown in place of the label. */
  words?: string;
  opens: 'menu' | 'dialog';
  disabled?: boolean;
  open: (anchor: Element) => void;
  /** A sign before the words. */
  children?: ComponentChildren;
}

function DropDown({ label, words = label, opens, disabled, open, children }: DropDownProps) {
  return (
    <Button
      aria-haspopup={opens}
      aria-label={label}
      title={label}
      disabled={disabled}
      onClick={({ currentTarget }) => open(currentTarget)}
    >
      {children}
      <span class="plates-drop-down-words">{words}</span>
      <Icon name="chevron-down" />
    </Button>
  );
}

/** Which wells are a control: by their condition, or by a click. */
function ControlButton({ model, control }: Pick<PlatePartProps, 'model'> & { control: Control }) {
  const { conditions = [], wells = [] } = model.state.value.marks?.[control] ?? {};
  const marked = [...conditions, ...wells].join(', ');
  const allConditions = model.shown.value?.measured.conditions ?? [];
  const isMarking = model.marking.value === control;
  const name = controlName(control);
  const items = [
    ...allConditions.map(condition => ({
      label: condition,
      checked: conditions.includes(condition),
      run: () => model.mark('conditions', [condition], control),
    })),
    {
      label: t('Mark Wells by Click'),
      checked: isMarking,
      startsGroup: allConditions.length > 0,
      run: () => (model.marking.value = isMarking ? undefined : control),
    },
    { label: t('Remove Marks'), disabled: marked === '', run: () => model.unmark(control) },
  ];
  return (
    <DropDown
      label={marked === '' ? name : `${name}: ${marked}`}
      words={marked || name}
      opens="menu"
      open={anchor => openMenu(anchor, name, items)}
    >
      <span class="plates-control-sign" aria-hidden="true">
        {control === 'negative' ? '−' : '+'}
      </span>
    </DropDown>
  );
}

/** Bars of the histogram of values. */
const BINS = 64;

/** Sets the ends of the color scale. */
function Scale({ model }: Pick<PlatePartProps, 'model'>) {
  const scale = model.scale.value;
  const spread = spreadOf(model.values.value, BINS);
  if (!scale || !spread) return null;
  const choice = (name: string, chosenScale: 'percentiles' | undefined) => (
    <label>
      <input
        type="radio"
        name="plates-scale"
        checked={model.state.value.scale === chosenScale}
        onChange={() => model.choose({ scale: chosenScale })}
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

/** Saves the map and its numbers. */
function Output({ model, parts }: PlatePartProps) {
  const shown = model.shown.value;
  const savePlot = (type: 'png' | 'svg') => {
    if (!shown) return;
    const titles = mapTitles(model, shown);
    const look = { width: 960, height: 640, scale: model.scale.value, colors: paperColors() };
    const { frame } = drawPlates(model.page.value.plates, titles, look);
    void parts.plotted.savePlot(titles.title, type, () => figureFile(frame.root, type));
  };
  const saveNumbers = () => shown && void model.saveWells(mapTitles(model, shown).value);
  return (
    <Button
      class="plates-output"
      aria-haspopup="menu"
      aria-label={t('Save Plates')}
      disabled={model.plates.value.length === 0}
      onClick={({ currentTarget }) =>
        openMenu(currentTarget, t('Save Plates'), [
          ...fileEntries(savePlot),
          { label: t('Save Numbers of Wells'), startsGroup: true, run: saveNumbers },
        ])
      }
    >
      <Icon name="save" /> <span class="button-words">{t('Save Plates')}</span>
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

function Content(props: PlatePartProps) {
  const { model } = props;
  const failure = model.failure.value;
  const shown = model.shown.value;
  if (failure)
    return (
      <EmptyView icon="error" words={t("Couldn't show the plates: {0}", failure.words)} isError>
        <div class="over-rows-answers">
          {failure.mayBeOne && (
            <Button onClick={() => model.choose({ isOnePlate: true })}>{t('All Are of One Plate')}</Button>
          )}
          {failure.mayBeOne && <AddColumns {...props} />}
          <Button onClick={() => void model.begin()}>{t('Try Again')}</Button>
        </div>
      </EmptyView>
    );
  if (model.studyColumns.value?.well.length === 0) return <NoWells {...props} />;
  if (!shown) return <EmptyView icon="loading" words="" />;
  const notes = mapNotes(model, shown);
  return (
    <>
      <Lines {...props} />
      {notes.length > 0 && (
        <ul class="hint plates-notes">
          {notes.map(note => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {model.plates.value.length === 0 ? (
        <EmptyView icon="table" words={t('No image is in a well.')}>
          <AddColumns {...props} />
        </EmptyView>
      ) : (
        <>
          <Pages {...props} />
          <Map {...props} shown={shown} />
        </>
      )}
    </>
  );
}

/** Asks for the wells of images. If image names have them, a click uses these. */
function NoWells(props: PlatePartProps) {
  const { images } = props.conditions;
  const { model } = props;
  useEffect(() => {
    if (!images.metadata.peek()) void images.load();
  }, []);
  const catalog = images.metadata.value;
  const hasProposal = images.proposed.value?.columns.some(({ role }) => role === 'well') === true;
  // The table doesn't have columns yet that were just added.
  const isComing = model.isBusy.value || catalog?.columns.some(({ role }) => role === 'well') === true;
  if (isComing || (!catalog && images.failure.value === undefined))
    return <EmptyView icon="loading" words="" />;
  return (
    <EmptyView
      icon="table"
      words={t('Which image is of which well?')}
      hint={
        hasProposal
          ? t('Folders and names of images say it.')
          : catalog?.images.length === 0
            ? t('The table names no images: it needs a column of wells.')
            : t('Give images a column of wells, and one of plates where there are several.')
      }
    >
      <div class="over-rows-answers">
        {hasProposal && (
          <Button
            primary
            onClick={({ currentTarget }) => {
              // The focused button is about to be removed.
              currentTarget.closest('main')?.focus();
              images.acceptProposal();
            }}
          >
            {t('Use Wells of Names')}
          </Button>
        )}
        {catalog?.images.length !== 0 && <AddColumns {...props} isPrimary={!hasProposal} />}
      </div>
    </EmptyView>
  );
}

function AddColumns({ conditions, isPrimary = false }: PlatePartProps & { isPrimary?: boolean }) {
  return (
    <Button primary={isPrimary} onClick={() => conditions.showImages()}>
      {t('Image Columns')}
    </Button>
  );
}

/** Separation of controls: a line per plate and condition of positive controls. */
function Lines({ model }: PlatePartProps) {
  const { marks } = model.state.value;
  if (!controlKinds.some(control => marks && Object.values(marks[control]).flat().length > 0))
    return (
      <p class="hint plates-hint">
        {t('Mark negative and positive control wells to see Z′, robust Z′ and SSMD of each plate.')}
      </p>
    );
  const plates = model.plates.value;
  const hasNames = plates.some(({ name }) => name !== null);
  const lines = plates.flatMap(({ name, lines: plateLines }) => plateLines.map(line => ({ name, ...line })));
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
          {lines.map(({ name, positive, zPrime, robustZPrime, ssmd, wells, gaps }, index) => (
            <tr key={index}>
              {hasNames && <th scope="row">{name}</th>}
              <td>{positive ?? t('no condition')}</td>
              {[
                ...[zPrime, robustZPrime, ssmd].map(value => figure(value)),
                ...[wells.negative, wells.positive].map(count => t.number(count)),
              ].map((cell, column) => (
                <td key={column} class="plates-number">
                  {cell}
                </td>
              ))}
              <td>{gaps.map(gap => gap(t)).join(' ')}</td>
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
  const turn = (by: 1 | -1, disabled: boolean) => (
    <IconButton
      icon={by === 1 ? 'chevron-right' : 'chevron-left'}
      label={by === 1 ? t('Next Plates') : t('Previous Plates')}
      disabled={disabled}
      onClick={() => model.turnPage(by)}
    />
  );
  return (
    <div class="plates-pages" role="group" aria-label={t('Pages of plates')}>
      {turn(-1, first === 0)}
      <span aria-live="polite">{t('Plates {0}', words)}</span>
      {turn(1, isLast)}
    </div>
  );
}

const MIN_SIZE = { width: 240, height: 160 };

/** The plates themselves. */
function Map({ model, parts, shown }: PlatePartProps & { shown: MeasuredPlates }) {
  const container = useRef<HTMLDivElement>(null);
  const map = useRef<PlacedPlot<PlatesDrawing> | undefined>(undefined);
  useEffect(() => {
    if (!container.current) return undefined;
    const { say } = parts.plotted;
    const created = new PlacedPlot<PlatesDrawing>({
      ...{ place: container.current, minSize: MIN_SIZE, kind: t('map of plates') },
      actions: { say, hover: () => undefined, act: (action, adds) => act(model, action, adds === true) },
      press: (event, target) => press(model, event, map.current?.drawn?.cells[target ?? -1]),
    });
    map.current = created;
    return () => created.dispose();
  }, []);
  const { plates, first } = model.page.value;
  const titles = mapTitles(model, shown);
  const scale = model.scale.value;
  useEffect(() => container.current?.scrollTo(0, 0), [first]);
  useEffect(
    () => map.current?.draw(look => drawPlates(plates, titles, { ...look, scale })),
    [plates, scale, titles.value, shown],
  );
  useEffect(
    () => map.current?.mark(drawn => drawn.outlineOf((plate, well) => model.isSelected(plate, well))),
    [model.selection.value],
  );
  const isMarking = model.marking.value !== undefined;
  return <div class={isMarking ? 'plates-map marking' : 'plates-map'} ref={container} />;
}

/** Marks the selected wells, or filters to them. Escape ends marking, or clears the filter. */
function act(model: PlateModel, action: PlotAction, adds: boolean): void {
  if (action.kind !== 'part') return;
  const { plate, wells } = action.part as SelectedWells;
  const control = model.marking.peek();
  if (plate && wells.length > 0) {
    if (control) markWells(model, plate, wells, control);
    else model.filterTo(plate, wells, adds);
  } else if (!plate && control) model.marking.value = undefined;
  else if (!plate) model.clearSelection();
}

function markWells(model: PlateModel, plate: ShownPlate, wells: readonly number[], control: Control): void {
  const names = wells.flatMap(well => plate.wells[well] ?? []);
  model.mark('wells', names, control);
}

/** Handles keys that other plots don't have. Returns whether the key was handled. */
function press(model: PlateModel, { key, shiftKey }: KeyboardEvent, cell: PlateCell | undefined): boolean {
  if (key === 'PageDown' || key === 'PageUp') return model.turnPage(key === 'PageDown' ? 1 : -1);
  const { plate, well } = cell ?? {};
  if (!plate || well === undefined) return key === ' ';
  switch (key.length === 1 ? key.toLowerCase() : key) {
    case 'Enter':
      void model.enter(plate, well);
      return true;
    case ' ':
      act(model, { kind: 'part', part: { plate, wells: [well] } }, shiftKey);
      return true;
    case 'n':
    case 'p':
      markWells(model, plate, [well], key.toLowerCase() === 'n' ? 'negative' : 'positive');
      return true;
    default:
      return false;
  }
}
