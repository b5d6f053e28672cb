/** What of a drawing's look comes from the page, and stands in its file by itself. */
const LOOK = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'fill-opacity',
  'font-family',
  'font-size',
] as const;

/** Pixels of a PNG file for each of the drawing. */
const PNG_SCALE = 4;

/** A drawing of the page as the bytes of a file that needs nothing of the page. */
export async function drawingFile(drawing: SVGSVGElement, type: 'png' | 'svg'): Promise<ArrayBuffer> {
  const { width, height } = drawing.viewBox.baseVal;
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  const originals = [drawing, ...drawing.querySelectorAll('*')];
  const copies = [copy, ...copy.querySelectorAll('*')];
  originals.forEach((original, at) => {
    const style = getComputedStyle(original);
    for (const name of LOOK) copies[at]?.setAttribute(name, style.getPropertyValue(name));
    copies[at]?.removeAttribute('class');
  });
  const ground = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  const color = getComputedStyle(document.body).backgroundColor;
  for (const [name, value] of Object.entries({ width: '100%', height: '100%', fill: color }))
    ground.setAttribute(name, value);
  copy.prepend(ground);
  const file = new XMLSerializer().serializeToString(copy);
  if (type === 'svg') return new TextEncoder().encode(`${file}\n`).buffer;
  const url = URL.createObjectURL(new Blob([file], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = new OffscreenCanvas(width * PNG_SCALE, height * PNG_SCALE);
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer();
  } finally {
    URL.revokeObjectURL(url);
  }
}
