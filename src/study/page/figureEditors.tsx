import { t } from '../../pages/page/l10n';
import { useSignal } from '@preact/signals';
import { Button } from '../../pages/page/widgets/parts';
import { chooseColor } from '../../pages/page/widgets/colorChoice';
import { openPopover } from '../../pages/page/widgets/popover';
import { type CompareModel } from './compareModel';
import { type FigureWord, orderedConditions, wordKey } from './figureEdits';
import type { PlotPart } from './comparisonTargets';
import { conditionAxis } from './conditionPlaces';

/*
 * Popovers next to a clicked element of a figure: for titles, names of axes and conditions, the
 * order of conditions, and colors. Closing a popover accepts the typed text, except with Esc.
 */

function labelOf(what: FigureWord): string {
  if (what === 'title') return t({ message: 'Title', comment: 'Of a figure' });
  if (what === 'condition') return t('Name of the condition');
  return what === 'replicates' ? t('Name of the replicates') : t('Name of the axis');
}

type Word = Extract<PlotPart, { kind: 'word' }>;

/** Lets a user change a text of the figure, and the position of a condition. */
export function editWord(compare: CompareModel, anchor: Element, word: Word): void {
  const { what, defaultText, condition } = word;
  const textBefore = currentText(compare, what, defaultText);
  let typed = textBefore;
  let isTextAccepted = true;
  const { root } = openPopover({
    anchor,
    label: labelOf(what),
    className: 'figure-editor',
    view: close => (
      <>
        <WordField
          label={labelOf(what)}
          textBefore={textBefore}
          defaultText={defaultText}
          type={words => (typed = words)}
          close={close}
        />
        {condition !== undefined && <MoveButtons compare={compare} condition={condition} />}
      </>
    ),
    onClosed: () => {
      if (isTextAccepted && typed !== textBefore) compare.rename(what, defaultText, typed);
    },
  });
  // Esc discards the text, with the focus anywhere in the popover.
  root.addEventListener('keydown', ({ key }) => (isTextAccepted &&= key !== 'Escape'), { capture: true });
}

function currentText(compare: CompareModel, what: FigureWord, defaultText: string): string {
  const { words = {} } = compare.state.peek().figure ?? {};
  const key = wordKey(what, defaultText);
  return (Object.hasOwn(words, key) ? words[key] : undefined) ?? defaultText;
}

interface WordFieldProps {
  label: string;
  textBefore: string;
  defaultText: string;
  type: (words: string) => void;
  close: () => void;
}

function WordField({ label, textBefore, defaultText, type, close }: WordFieldProps) {
  const value = useSignal(textBefore);
  const change = (words: string) => {
    value.value = words;
    type(words);
  };
  return (
    <div class="figure-word">
      <input
        class="input"
        aria-label={label}
        autofocus
        maxLength={200}
        value={value}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onInput={({ currentTarget }) => change(currentTarget.value)}
        onKeyDown={event => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          close();
        }}
      />
      <Button
        disabled={value.value === defaultText}
        onClick={() => {
          change(defaultText);
          close();
        }}
      >
        {t({ message: 'Reset', comment: 'Verb' })}
      </Button>
    </div>
  );
}

/** Buttons to move a condition; none on a numeric axis. */
function MoveButtons({ compare, condition }: { compare: CompareModel; condition: string }) {
  const { compared, figure } = compare.shown.value ?? {};
  if (!compared || compared.groups.length < 2) return null;
  if (compared.numbers && conditionAxis(compared.numbers)) return null;
  const order = orderedConditions(compared.groups, figure?.order);
  const at = order.indexOf(condition);
  const move = (button: HTMLElement, step: number) => {
    compare.move(condition, step);
    // At an end, the button becomes disabled and would lose the focus.
    button.closest('.figure-editor')?.querySelector('input')?.focus();
  };
  return (
    <div class="figure-word">
      <Button disabled={at <= 0} onClick={({ currentTarget }) => move(currentTarget, -1)}>
        {t('Move Left')}
      </Button>
      <Button disabled={at >= order.length - 1} onClick={({ currentTarget }) => move(currentTarget, 1)}>
        {t('Move Right')}
      </Button>
    </div>
  );
}

/** Lets a user change the color of the replicates with a name. */
export function editColor(compare: CompareModel, anchor: Element, name: readonly string[]): void {
  const key = JSON.stringify(name);
  chooseColor({
    anchor,
    label: t('Color of {0}', name.join(' · ')),
    chosen: compare.state.peek().figure?.colors?.[key],
    choose: color => compare.recolor(key, color),
  });
}
