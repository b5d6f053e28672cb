import { t } from '../../pages/page/l10n';
import { useComputed } from '@preact/signals';
import { Fragment } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { columnName } from '../../pages/page/columnName';
import { Button, Icon, IconButton, Picker } from '../../pages/page/widgets/parts';
import { openMenu } from '../../pages/page/widgets/popover';
import { fileEntries } from '../../drawing/page/plotFile';
import { drawPlot } from './drawPlot';
import type { DrawerModel } from './drawerModel';
import type { PlotColumn } from './plotDefinition';
import type { PlotModel } from './plotModel';
import { removePlot } from './plotsPart';
import { columnsFor, firstPlot, plotTypeIds, plotTypes, scaleOf, withScale } from './plotTypes';

/** Width of a picker with readable text. */
const PICKER = 112;
/** Width of the buttons beside the pickers. */
const BUTTONS = 84;
/** Width of the button for a logarithmic axis. */
const TOGGLE = 36;

interface CardProps {
  drawer: DrawerModel;
  plot: PlotModel;
}

/** One plot with pickers for its type and columns, or why it can't be shown. */
export function PlotCard({ drawer, plot }: CardProps) {
  const { content } = plot;
  const isDrawn = content === 'plot';
  const [card, canvas, stage, note] = [useElement(), useElement(), useElement(), useElement()];
  const label = useComputed(() => {
    const kind = plotTypes[plot.spec.kind].name();
    return plot.drawing ? t('{0}: {1}', kind, plot.drawing.title) : kind;
  });
  const hadFocus = canvas.current?.contains(document.activeElement) === true;
  useLayoutEffect(() => {
    // A focused element that is replaced passes on the focus.
    if (hadFocus) canvas.current?.querySelector<HTMLElement>('button, .plot-stage')?.focus();
    if (!card.current || !stage.current || !note.current) return undefined;
    return drawPlot({ card: card.current, stage: stage.current, note: note.current }, drawer, plot);
  }, [content]);
  return (
    <section class="plot-card" ref={card} aria-label={label} aria-busy={plot.isBusy || undefined}>
      <Head drawer={drawer} plot={plot} />
      {plot.drawing?.axes && drawer.options.addition.value?.tools(plot)}
      <div class="plot-canvas" ref={canvas}>
        {isDrawn && (
          <div
            class="plot-stage"
            ref={stage}
            tabIndex={0}
            role="application"
            aria-roledescription={t({ message: 'plot', comment: 'Noun' })}
          />
        )}
        {content === 'loading' && (
          <div class="plot-empty plot-loading">
            <Icon name="loading" spins />
          </div>
        )}
        {content === 'empty' && (
          <div class="plot-empty">
            <Icon name="graph" />
            {plot.spec.log ? t('No values above 0 to plot on a logarithmic axis.') : t('No values to plot.')}
          </div>
        )}
        {typeof content === 'object' && (
          <div class="plot-empty error">
            <Icon name="error" />
            <span role="alert">{t("Couldn't load the plot: {0}", content.failure)}</span>
            <Button onClick={() => void plot.load()}>{t('Try Again')}</Button>
          </div>
        )}
      </div>
      <p class="plot-note" ref={note} />
    </section>
  );
}

function Head({ drawer, plot }: CardProps) {
  const isTight = useComputed(() => {
    const { columns } = plotTypes[plot.spec.kind];
    const toggles = columns.filter(({ hasScale }: PlotColumn) => hasScale).length;
    const needed = (1 + columns.length) * PICKER + toggles * TOGGLE + BUTTONS;
    return (drawer.cards.value?.width ?? Infinity) < needed;
  });
  const { canZoom, nextReset } = plot.zoom;
  const isFit = nextReset === 'fit';
  const openSave = (anchor: Element) =>
    openMenu(
      anchor,
      t('Save Plot'),
      fileEntries(type => void plot.saveAs(type)),
    );
  return (
    <div class={isTight.value ? 'plot-head two-lines' : 'plot-head'}>
      <Pickers drawer={drawer} plot={plot} />
      <IconButton
        icon={isFit ? 'screen-normal' : 'screen-full'}
        label={isFit ? t('Fit to Filtered Rows') : t('Reset Zoom')}
        hidden={!canZoom}
        disabled={nextReset === undefined}
        onClick={() => plot.zoom.reset()}
      />
      <IconButton
        icon="save"
        label={t('Save Plot')}
        onClick={({ currentTarget }) => openSave(currentTarget)}
      />
      <IconButton icon="close" label={t('Remove Plot')} onClick={() => removePlot(drawer, plot)} />
    </div>
  );
}

/** Pickers of the plot's type, and of a column for each role. */
function Pickers({ drawer, plot }: CardProps) {
  const { imageMeasures } = drawer.options;
  const columns = drawer.columns.value;
  const { spec } = plot;
  const rowColors = drawer.options.addition.value?.colors.value;
  const listsMeasures = plotTypes[spec.kind].columns.some(({ role }: PlotColumn) => role === 'measure');
  useEffect(() => {
    if (listsMeasures) imageMeasures?.offer();
  }, [listsMeasures]);
  const change = (value: string) => {
    const kind = plotTypeIds.find(id => id === value);
    const newSpec = kind && firstPlot(kind, columns);
    if (newSpec) plot.change(newSpec);
  };
  return (
    <div class="plot-controls">
      <Picker
        label={t('Plot type')}
        options={plotTypeIds.map(id => [id, plotTypes[id].name()])}
        value={spec.kind}
        choose={change}
      />
      {plotTypes[spec.kind].columns.map((plotColumn: PlotColumn) => {
        const { role, name, noneName, hasScale } = plotColumn;
        const listed = columnsFor(plotColumn, columns).map(
          ({ index }) => [String(index), columnName(columns, index)] as const,
        );
        const { imageMeasure, ...otherSpec } = spec;
        const measuresOfImages = role === 'measure' ? (imageMeasures?.listed(imageMeasure) ?? []) : [];
        const options = [
          ...(noneName ? [['', (role === 'color' && rowColors?.name) || noneName()] as const] : []),
          ...listed,
          ...measuresOfImages.map(({ key, name: measure }) => [key, measure] as const),
        ];
        const picker = (
          <Picker
            key={role}
            label={name()}
            options={options}
            value={(role === 'measure' && imageMeasure) || String(spec[role] ?? '')}
            choose={value => {
              const isOfImages = measuresOfImages.some(({ key }) => key === value);
              if (isOfImages) plot.change({ ...otherSpec, [role]: null, imageMeasure: value });
              else
                plot.change({
                  ...(role === 'measure' ? otherSpec : spec),
                  [role]: value === '' ? null : Number(value),
                });
            }}
          />
        );
        const within =
          role === 'measure' &&
          imageMeasures?.within({ key: imageMeasure, column: columns[spec.measure ?? -1]?.name });
        if (within)
          return (
            <Fragment key={role}>
              {picker}
              <Picker
                label={t('Objects that are measured')}
                options={within.options}
                value={imageMeasure ?? ''}
                choose={key => {
                  const column =
                    columns.find(({ name: columnName }) => columnName === within.column)?.index ?? null;
                  plot.change(
                    key === ''
                      ? { ...otherSpec, measure: column }
                      : { ...otherSpec, measure: null, imageMeasure: key },
                  );
                }}
              />
            </Fragment>
          );
        if (!hasScale) return picker;
        const isLog = scaleOf(spec, role) === 'log';
        return (
          <span class="axis-picker" key={role}>
            {role !== 'column' && <span aria-hidden="true">{role.toUpperCase()}</span>}
            {picker}
            <IconButton
              class="log-toggle"
              label={role === 'column' ? t('Log Scale') : t('Log Scale ({0})', role.toUpperCase())}
              aria-pressed={isLog}
              onClick={() => plot.change(withScale(spec, role, isLog ? 'linear' : 'log'))}
            >
              {t({ message: 'log', comment: 'Logarithmic axis' })}
            </IconButton>
          </span>
        );
      })}
    </div>
  );
}

function useElement() {
  return useRef<HTMLDivElement>(null);
}
