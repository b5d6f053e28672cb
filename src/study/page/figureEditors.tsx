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
 * Popovers to change titles, names of axes and conditions, their order, and colors of a figure,
 * each beside the clicked element. Closing a popover accepts typed text, except with Esc.
 */

function labelOf(what: FigureWord): string {
  if (what === 'title') return t({ message: 'Title', comment: 'Of a figure' });
  if (what === 'condition') return t('Name of the condition');
  return what === 'replicates' ? t('Name of the replicates') : t('Name of the axis');
}

type Word = Extract<PlotPart, { kind: 'word' }>;

/** Lets a user change words of the figure; of a condition its position too. */
export function editWord(compare: CompareModel, anchor: Element, word: Word): void {
  const { what, own, condition } = word;
  const before = wordNow(compare, what, own);
  let typed = before;
  let isKept = true;
  const { root } = openPopover({
    anchor,
    label: labelOf(what),
    className: 'figure-editor',
    view: close => (
      <>
        <WordField
          label={labelOf(what)}
          before={before}
          own={own}
          type={words => (typed = words)}
          close={close}
        />
        {condition !== undefined && <Places compare={compare} condition={condition} />}
      </>
    ),
    onClosed: () => {
      if (isKept && typed !== before) compare.rename(what, own, typed);
    },
  });
  // Esc restores words, with the focus anywhere in the popover.
  root.addEventListener('keydown', ({ key }) => (isKept &&= key !== 'Escape'), { capture: true });
}

function wordNow(compare: CompareModel, what: FigureWord, own: string): string {
  const { words = {} } = compare.state.peek().figure ?? {};
  const key = wordKey(what, own);
  return (Object.hasOwn(words, key) ? words[key] : undefined) ?? own;
}

interface WordFieldProps {
  label: string;
  before: string;
  own: string;
  type: (words: string) => void;
  close: () => void;
}

function WordField({ label, before, own, type, close }: WordFieldProps) {
  const value = useSignal(before);
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
        disabled={value.value === own}
        onClick={() => {
          change(own);
          close();
        }}
      >
        {t({ message: 'Reset', comment: 'Verb' })}
      </Button>
    </div>
  );
}

/** Moves a condition; not along an axis of numbers, where each has its place. */
function Places({ compare, condition }: { compare: CompareModel; condition: string }) {
  const { compared, figure } = compare.shown.value ?? {};
  if (!compared || compared.groups.length < 2) return null;
  if (compared.numbers && conditionAxis(compared.numbers)) return null;
  const order = orderedConditions(compared.groups, figure?.order);
  const at = order.indexOf(condition);
  const move = (button: HTMLElement, by: number) => {
    compare.move(condition, by);
    // At an end the button can't be pressed any more, and would lose the keyboard.
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

/** Lets a user change the color of replicates of a name. */
export function editColor(compare: CompareModel, anchor: Element, name: readonly string[]): void {
  const key = JSON.stringify(name);
  chooseColor({
    anchor,
    label: t('Color of {0}', name.join(' · ')),
    chosen: compare.state.peek().figure?.colors?.[key],
    choose: color => compare.recolor(key, color),
  });
}
