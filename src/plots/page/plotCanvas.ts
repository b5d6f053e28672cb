import type { PlotText } from '../../pages/page/pageText';
import { element, fill, icon, type Child } from '../../pages/page/widgets/element';

export interface PlotCanvasParts {
  text: PlotText;
  /** The plot itself; what has the focus in its place gives it to the plot. */
  stage: HTMLElement;
  onRetry: () => void;
}

/** The place of a plot in its card, with the plot or with why there is none. */
export class PlotCanvas {
  readonly root = element('div', { class: 'plot-canvas' });
  private readonly retry: HTMLButtonElement;

  constructor(private readonly parts: PlotCanvasParts) {
    const { text, onRetry } = parts;
    this.retry = element('button', { type: 'button', class: 'button secondary' }, text.get('retry'));
    this.retry.addEventListener('click', onRetry);
  }

  showPlot(): void {
    const { stage } = this.parts;
    if (stage.parentElement === this.root) return;
    const hasFocus = this.root.contains(document.activeElement);
    fill(this.root, stage);
    if (hasFocus) stage.focus();
  }

  /** There are no values. */
  showEmpty(): void {
    this.showInstead(icon('graph'), this.parts.text.get('nothingToPlot'));
  }

  /** The first data are on their way: says so if they take long. */
  showLoading(): void {
    if (this.root.hasChildNodes()) return;
    this.showInstead(icon('loading codicon-modifier-spin'));
    this.root.firstElementChild?.classList.add('plot-loading');
  }

  showFailure(words: string): void {
    // Drawn again, such as in another size, it isn't announced again.
    if (this.root.querySelector('[role="alert"]')?.textContent === words) return;
    const hasFocus = this.root.contains(document.activeElement);
    this.showInstead(icon('error'), element('span', { role: 'alert' }, words), this.retry);
    this.root.firstElementChild?.classList.add('error');
    if (hasFocus) this.retry.focus();
  }

  private showInstead(...content: Child[]): void {
    fill(this.root, element('div', { class: 'plot-empty' }, ...content));
  }
}
