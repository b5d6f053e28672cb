import { t } from '../../pages/page/l10n';
import { svgOfPoints } from './paintPoints';
import type { PlotDrawing } from './plotDrawing';

/** Menu entries that save a drawing as a file. */
export function fileEntries(save: (type: 'png' | 'svg') => void): { label: string; run: () => void }[] {
  return [
    { label: t('Save as PNG…'), run: () => save('png') },
    { label: t('Save as SVG…'), run: () => save('svg') },
  ];
}

/** A drawing as a file. If the browser creates no PNG, rejects with a text for the log. */
export function plotFile({ frame, layers, overlay }: PlotDrawing, type: 'png' | 'svg'): Promise<ArrayBuffer> {
  const copy = frame.root.cloneNode(true) as SVGSVGElement;
  if (layers) copy.append(svgOfPoints(layers, frame.box));
  if (overlay) copy.append(overlay.cloneNode(true));
  return figureFile(copy, type);
}

/** The file of a figure with all its marks; `pixels`: a PNG's width, default 2 × the figure's. */
export function figureFile(
  figure: SVGSVGElement,
  type: 'png' | 'svg',
  pixels = figure.width.baseVal.value * PNG_SCALE,
): Promise<ArrayBuffer> {
  return type === 'svg' ? Promise.resolve(svgFile(figure).buffer) : pngFile(figure, pixels);
}

/** Pixels of a saved image per pixel on the screen. */
const PNG_SCALE = 2;

/** A drawing as a separate SVG file. */
function svgFile(drawing: SVGSVGElement): Uint8Array<ArrayBuffer> {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  for (const element of copy.querySelectorAll('[data-screen-only]')) element.remove();
  copy.removeAttribute('class');
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  return new TextEncoder().encode(new XMLSerializer().serializeToString(copy));
}

/** A drawing as PNG with a width. If the browser creates none, rejects with a text for the log. */
async function pngFile(drawing: SVGSVGElement, width: number): Promise<ArrayBuffer> {
  const url = URL.createObjectURL(new Blob([svgFile(drawing)], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    const [{ value: figureWidth }, { value: figureHeight }] = [drawing.width.baseVal, drawing.height.baseVal];
    canvas.width = Math.round(width);
    canvas.height = Math.round((width * figureHeight) / figureWidth);
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve, 'image/png'));
    if (!blob) throw new Error('The canvas made no PNG');
    return await blob.arrayBuffer();
  } finally {
    URL.revokeObjectURL(url);
  }
}
