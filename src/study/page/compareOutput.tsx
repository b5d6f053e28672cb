import { t } from '../../pages/page/l10n';
import { Icon, WordButton } from '../../pages/page/widgets/parts';
import { openMenu } from '../../pages/page/widgets/popover';
import { chosenName } from './chosenMeasure';
import { compareFigure, figureImage } from './compareFigure';
import { fileEntries } from '../../drawing/page/plotFile';
import type { FigureSize } from './figureEdits';
import type { ShownComparison } from './compareModel';
import { type ComparePartProps, factsOf } from './comparePartProps';
import { captionBelow, compareWords } from './compareWords';

const SIZE_NAMES = {
  column: t.later('One Column (85 mm)'),
  columns: t.later('Two Columns (180 mm)'),
  slide: t.later('Slide (16:9)'),
} as const;

/** Buttons to save and to copy the figure and its values. */
export function Output(props: ComparePartProps) {
  const { compare, actions } = props;
  const shown = compare.shown.value;
  const hasPlot = shown !== undefined && shown.compared.groups.length > 0;
  const { size: figureSize = 'columns' } = compare.state.value.figure ?? {};
  const savePlot = (type: 'png' | 'svg') => {
    if (!shown) return;
    const { title, figure } = drawnFigure(props, shown);
    void actions.savePlot(title, type, async () =>
      (await figureImage(figure, figureSize, type)).arrayBuffer(),
    );
  };
  const copyImage = () => {
    if (!shown) return;
    // The browser requires the content type at the time of the click.
    const image = Promise.resolve().then(() =>
      figureImage(drawnFigure(props, shown).figure, figureSize, 'png'),
    );
    actions.copyImage(image);
  };
  const saveValues = (layout: 'long' | 'wide') =>
    shown && actions.saveValues(shown, layout, chosenName(shown.measure, shown.unit));
  return (
    <span class="compare-output">
      <WordButton icon="copy" label={t('Copy Image')} disabled={!hasPlot} onClick={copyImage} />
      <button
        type="button"
        class="button secondary"
        aria-haspopup="menu"
        aria-label={t({ message: 'Save', comment: 'Verb' })}
        disabled={!hasPlot}
        onClick={({ currentTarget }) =>
          openMenu(currentTarget, t({ message: 'Save', comment: 'Verb' }), [
            ...fileEntries(savePlot),
            ...(Object.keys(SIZE_NAMES) as FigureSize[]).map((size, at) => ({
              label: SIZE_NAMES[size](),
              checked: size === figureSize,
              ...(at === 0 && { startsGroup: true }),
              run: () => compare.editFigure({ size: size === 'columns' ? undefined : size }),
            })),
            { label: t('Save Values, One Row per Image…'), startsGroup: true, run: () => saveValues('long') },
            { label: t('Save Values, One Column per Condition…'), run: () => saveValues('wide') },
          ])
        }
      >
        <Icon name="save" /> <span class="button-words">{t({ message: 'Save', comment: 'Verb' })}</span>
      </button>
    </span>
  );
}

/** The figure for print, with its title. */
function drawnFigure(
  { compare, source, actions }: ComparePartProps,
  shown: ShownComparison,
): { title: string; figure: SVGSVGElement } {
  const { columns } = source.table;
  const words = compareWords(shown, columns);
  const caption = captionBelow(shown, factsOf(compare, shown, actions), columns);
  const effects = !compare.asksAboutNames;
  return { title: words.title, figure: compareFigure(shown, words, { caption, effects }) };
}
