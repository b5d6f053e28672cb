import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { PlotOnPage } from '../../drawing/page/plotAddition';
import { t } from '../../pages/page/l10n';
import { typedNumber } from '../../pages/page/numbers';
import { Button, IconButton, LassoIcon } from '../../pages/page/widgets/parts';
import { openPopover } from '../../pages/page/widgets/popover';
import type { OpenedParts } from '../../table/page/contribution';
import type { CountedPopulation } from '../populationRequests';
import { numbersOf, withNumbers } from './gateNumbers';
import type { GateAxes, GateTool } from './gateShapes';
import type { GatesModel, ShapeInPlot } from './gatesModel';
import { percent } from './gateWords';
import { NameField } from './nameField';

interface ToolsProps {
  model: GatesModel;
  plot: PlotOnPage;
  table: OpenedParts['model'];
}

const TOOLS = {
  interval: {
    words: t.later('Draw an Interval'),
    icon: 'M3.5 3v10M12.5 3v10M5.5 8h5M7 6.5 5.5 8 7 9.5M9 6.5 10.5 8 9 9.5',
  },
  rectangle: { words: t.later('Draw a Rectangle'), icon: 'M2.5 4.5h11v7h-11z' },
  ellipse: { words: t.later('Draw an Ellipse'), icon: 'M2.5 8a5.5 3.5 0 1 0 11 0 5.5 3.5 0 1 0-11 0z' },
  polygon: { words: t.later('Draw a Polygon'), icon: 'M5.5 3.5 12.5 5l1 5.5L7 12.5 2.5 8z' },
} as const satisfies Record<GateTool, { words: () => string; icon: string }>;

/** The icon for selecting bars. */
const BARS = 'M3.5 13V9h3v4M6.5 13V4h3v9M9.5 13V7h3v6M2 13h12';

/** The tools that draw gates in a plot, and the counts of the drawn or selected gate. */
export function GateTools({ model, plot, table }: ToolsProps) {
  const { axes, frame } = plot.drawing ?? {};
  if (!axes || !frame) return null;
  const draft = model.draft.value;
  if (draft?.plot === plot && draft.isNew && draft.isNaming) {
    const { name } = draft.population;
    return (
      <NameField
        class="gate-tools"
        initial={name}
        submitName={typed => model.addNamed(typed)}
        end={isCanceled => {
          focusPlot(document.activeElement);
          if (isCanceled) model.cancel();
        }}
      >
        <Counts counted={model.countedOf(name)} />
      </NameField>
    );
  }
  const kinds: readonly GateTool[] = axes.y ? ['rectangle', 'ellipse', 'polygon'] : ['interval'];
  const { value: tool } = model.tool;
  const active = tool?.plot === plot ? tool.kind : undefined;
  return (
    <div class="gate-tools" role="group" aria-label={t('Gates')}>
      <IconButton
        label={axes.y ? t('Select Points, or Draw around Them to Filter') : t('Select Bars to Filter')}
        aria-pressed={active === undefined}
        onClick={() => model.chooseTool(plot, undefined)}
      >
        {axes.y ? <LassoIcon /> : <ToolIcon d={BARS} />}
      </IconButton>
      {kinds.map(kind => (
        <IconButton
          key={kind}
          label={TOOLS[kind].words()}
          aria-pressed={active === kind}
          onClick={({ currentTarget }) => {
            model.chooseTool(plot, active === kind ? undefined : kind);
            focusPlot(currentTarget);
          }}
        >
          <ToolIcon d={TOOLS[kind].icon} />
        </IconButton>
      ))}
      <span class="gate-status">
        <Status model={model} plot={plot} table={table} axes={{ ...axes, box: frame.box }} tool={active} />
      </span>
    </div>
  );
}

/** Counts of the gate being drawn, else a hint about the tool, else the selected gate. */
function Status({
  model,
  plot,
  table,
  axes,
  tool,
}: ToolsProps & { axes: GateAxes; tool: GateTool | undefined }) {
  const draft = model.draft.value;
  const selection = model.selected.value;
  if (draft?.plot === plot && draft.isNew) return <Counts counted={model.countedOf(draft.population.name)} />;
  if (tool !== undefined) return <span class="gate-hint">{hintWords(tool)}</span>;
  const selected = model
    .shapesOn(axes)
    .find(({ name, part, isBand }) => !isBand && name === selection?.name && part === selection.part);
  if (!selected) return null;
  const { name, counted } = selected;
  return (
    <>
      <span class="gate-name" title={name}>
        {name}
      </span>
      <Counts counted={counted} />
      <IconButton
        icon="edit"
        label={t('Numbers of {0}', name)}
        onClick={({ currentTarget }) => openNumbers({ anchor: currentTarget, model, plot, table, selected })}
      />
      <IconButton
        icon="trash"
        label={t('Delete {0} with Its Children', name)}
        onClick={({ currentTarget }) => {
          focusPlot(currentTarget);
          model.remove(name);
        }}
      />
    </>
  );
}

function Counts({ counted }: { counted: CountedPopulation | undefined }) {
  if (!counted || counted.problem) return null;
  const { count, parentCount } = counted;
  return <span class="gate-counts">{t('{0} rows, {1}', count, percent(count, parentCount))}</span>;
}

interface NumbersOptions extends ToolsProps {
  anchor: Element;
  selected: ShapeInPlot;
}

/** Opens a form to edit the numbers of a gate. */
function openNumbers({ anchor, ...options }: NumbersOptions): void {
  openPopover({
    anchor,
    label: t('Numbers of {0}', options.selected.name),
    className: 'gate-numbers',
    view: close => <Numbers {...options} close={close} />,
  });
}

function Numbers({
  model,
  plot,
  table,
  selected,
  close,
}: Omit<NumbersOptions, 'anchor'> & { close: () => void }) {
  const problem = useSignal<string | undefined>(undefined);
  const form = useRef<HTMLFormElement>(null);
  const numbers = numbersOf(selected.gate, table.table.columns);
  const submit = () => {
    const fields = [...(form.current?.querySelectorAll('input') ?? [])];
    const typed = fields.map(({ value }, at) =>
      value === shownNumber(numbers[at]?.value ?? null)
        ? numbers[at]?.value
        : typedNumber(value, table.table.decimalComma),
    );
    const invalid = typed.findIndex(
      (value, at) => value === undefined || (value === null && !numbers[at]?.isOptional),
    );
    if (invalid >= 0) {
      problem.value = t('Enter a number.');
      fields[invalid]?.focus();
      return;
    }
    const changed = withNumbers(
      selected.gate,
      typed.map(value => value ?? null),
    );
    if ('problem' in changed) {
      problem.value = changed.problem;
      return;
    }
    // Unchanged numbers change nothing: a computed threshold isn't frozen.
    if (typed.some((value, at) => value !== numbers[at]?.value)) {
      model.change(plot, selected, changed.gate);
      model.store();
    }
    close();
  };
  return (
    <form
      ref={form}
      onSubmit={event => {
        event.preventDefault();
        submit();
      }}
    >
      <div class="gate-fields">
        {numbers.map(({ label, value }, at) => (
          <label key={label}>
            <span>{label}</span>
            <input
              class="input"
              inputMode="decimal"
              defaultValue={shownNumber(value)}
              {...(at === 0 && { autofocus: true })}
            />
          </label>
        ))}
      </div>
      {problem.value !== undefined && (
        <p class="gate-problem" role="alert">
          {problem.value}
        </p>
      )}
      <Button primary type="submit">
        {t({ message: 'Apply', comment: 'Typed numbers of a gate' })}
      </Button>
    </form>
  );
}

/** A number with 7 significant digits; if the user doesn't change it, it keeps all its digits. */
function shownNumber(value: number | null): string {
  return value === null ? '' : String(Number(value.toPrecision(7)));
}

/** Moves the keyboard focus to the plot of the card that contains an element. */
function focusPlot(inCard: Element | null): void {
  inCard?.closest('.plot-card')?.querySelector<HTMLElement>('.plot-stage')?.focus();
}

function hintWords(kind: GateTool): string {
  return kind === 'polygon'
    ? t('Click corners; double-click or Enter closes, Esc cancels.')
    : t('Drag over the plot, or press Enter; Esc cancels.');
}

/** Lines in the size and color of a codicon. */
function ToolIcon({ d }: { d: string }) {
  return (
    <svg class="drawn-icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path fill="none" stroke="currentColor" stroke-linejoin="round" d={d} />
    </svg>
  );
}
