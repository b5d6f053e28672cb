/** Colors of the theme that the canvas needs, read again when the theme changes. */
export class ThemeColors {
  background = '';
  foreground = '';
  private checkerPattern: CanvasPattern | null = null;

  constructor(onChange: () => void) {
    this.read();
    const observer = new MutationObserver(() => {
      this.read();
      onChange();
    });
    observer.observe(document.documentElement, { attributeFilter: ['style', 'class'] });
    observer.observe(document.body, { attributeFilter: ['class', 'data-vscode-theme-id'] });
  }

  /** Faint squares that say: here is an image, but no background image of it. */
  checker(context: CanvasRenderingContext2D): CanvasPattern | string {
    this.checkerPattern ??= this.makeChecker(context);
    return this.checkerPattern ?? this.background;
  }

  private makeChecker(context: CanvasRenderingContext2D): CanvasPattern | null {
    const half = Math.round(8 * devicePixelRatio);
    const tile = new OffscreenCanvas(2 * half, 2 * half);
    const paint = tile.getContext('2d');
    if (!paint) return null;
    paint.fillStyle = this.background;
    paint.fillRect(0, 0, 2 * half, 2 * half);
    paint.fillStyle = this.foreground;
    paint.globalAlpha = 0.05;
    paint.fillRect(0, 0, 2 * half, 2 * half);
    paint.globalAlpha = 0.04;
    paint.fillRect(0, 0, half, half);
    paint.fillRect(half, half, half, half);
    return context.createPattern(tile, 'repeat');
  }

  private read(): void {
    const style = getComputedStyle(document.documentElement);
    this.background = style.getPropertyValue('--vscode-editor-background').trim() || 'black';
    this.foreground = style.getPropertyValue('--vscode-editor-foreground').trim() || 'white';
    this.checkerPattern = null;
  }
}
