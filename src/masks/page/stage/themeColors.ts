import { luminance, type Rgb } from '../../../base/colors';
import type { CanvasContext } from '../tiles/tiles';

/** Colors of the theme for the canvas, updated when the theme changes. */
export class ThemeColors {
  background = '';
  foreground = '';
  /** Color around the image: gray in any theme, so that image colors look the same. */
  backdrop = '';
  /** Color of the line around the image. */
  edge = '';
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

  /** A faint checkerboard in place of a missing background image. */
  checker(context: CanvasContext): CanvasPattern | string {
    this.checkerPattern ??= this.makeChecker(context);
    return this.checkerPattern ?? this.background;
  }

  private makeChecker(context: CanvasContext): CanvasPattern | null {
    const half = Math.round(8 * devicePixelRatio);
    const tile = new OffscreenCanvas(2 * half, 2 * half);
    const tileContext = tile.getContext('2d');
    if (!tileContext) return null;
    tileContext.fillStyle = this.background;
    tileContext.fillRect(0, 0, 2 * half, 2 * half);
    tileContext.fillStyle = this.foreground;
    tileContext.globalAlpha = 0.05;
    tileContext.fillRect(0, 0, 2 * half, 2 * half);
    tileContext.globalAlpha = 0.04;
    tileContext.fillRect(0, 0, half, half);
    tileContext.fillRect(half, half, half, half);
    return context.createPattern(tile, 'repeat');
  }

  private read(): void {
    const style = getComputedStyle(document.documentElement);
    this.background = style.getPropertyValue('--vscode-editor-background').trim() || 'black';
    this.foreground = style.getPropertyValue('--vscode-editor-foreground').trim() || 'white';
    const { backdrop, edge } = groundColors(
      luminance(cssColor(this.background)),
      style.getPropertyValue('--vscode-contrastBorder').trim(),
    );
    this.backdrop = backdrop;
    this.edge = edge;
    this.checkerPattern = null;
  }
}

/**
 * The neutral grays around an image, for a theme's background of this relative luminance: a
 * backdrop, and an edge that is visible against black, white and the backdrop. High contrast themes
 * keep their black or white.
 */
export function groundColors(background: number, contrastBorder: string): { backdrop: string; edge: string } {
  const dark = background < 0.5;
  if (contrastBorder) return { backdrop: dark ? 'rgb(0 0 0)' : 'rgb(255 255 255)', edge: contrastBorder };
  return dark
    ? { backdrop: 'rgb(24 24 24)', edge: 'rgb(110 110 110)' }
    : { backdrop: 'rgb(226 226 226)', edge: 'rgb(140 140 140)' };
}

/** A CSS color in RGB, parsed by the browser. */
function cssColor(color: string): Rgb {
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  if (!context) return [0, 0, 0];
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  return [red, green, blue];
}
