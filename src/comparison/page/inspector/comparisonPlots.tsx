import { t } from '../../../pages/page/l10n';
import type { RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import { IconButton } from '../../../pages/page/widgets/parts';
import { type ComparisonProps, shareWords } from '../state/comparisonStore';

/** Styles that a file needs as attributes, since it lacks the page's style sheet. */
const COPIED_STYLES = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'fill-opacity',
  'font-family',
  'font-size',
] as const;

/** Pixels of a PNG file per pixel of the drawing. */
const PNG_SCALE = 4;

interface SavePlotProps extends ComparisonProps {
  drawing: RefObject<SVGSVGElement | null>;
  /** Proposed name of the file. */
  name: string;
}

/** Buttons that save a plot as a file. */
export function SavePlot({ store, drawing, name }: SavePlotProps) {
  const save = (type: 'png' | 'svg') => {
    const { current } = drawing;
    if (current) void store.saveDrawing(name, type, () => drawingFile(current, type));
  };
  return (
    <span class="save-plot">
      <IconButton icon="device-camera" label={t('Save Plot as PNG')} onClick={() => save('png')} />
      <IconButton icon="symbol-ruler" label={t('Save Plot as SVG')} onClick={() => save('svg')} />
    </span>
  );
}

const CURVE = { width: 260, height: 84, bottom: 16, inset: 8 };

/** F1 at each threshold. Each point is above the position of its threshold on the slider. */
export function ThresholdCurve({
  store,
  drawing,
}: ComparisonProps & { drawing: RefObject<SVGSVGElement | null> }) {
  const { width, height, inset } = CURVE;
  const zero = height - CURVE.bottom;
  const curvePoints = store.scores.curve.value.map(({ threshold, pooled }) => ({
    threshold,
    f1: pooled.f1,
    x: inset + ((width - 2 * inset) * (threshold * 20 - 10)) / 9,
    y: zero - (zero - 8) * (pooled.f1 ?? 0),
  }));
  const points = curvePoints.filter(({ f1 }) => f1 !== null);
  const current = points.find(({ threshold }) => threshold === store.scores.threshold.value);
  return (
    <svg
      ref={drawing}
      class="threshold-curve"
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={t('F1 at each threshold, pooled over all images')}
    >
      <line class="axis" x1={inset} y1={zero} x2={width - inset} y2={zero} />
      <line class="axis" x1={inset} y1={8} x2={width - inset} y2={8} />
      <text class="axis-words" x={width} y={12} text-anchor="end">
        1
      </text>
      <text class="axis-words" x={width} y={zero + 3} text-anchor="end">
        0
      </text>
      <text class="axis-words" x={0} y={height - 2}>
        {t.fixed(0.5, 2)}
      </text>
      <text class="axis-words" x={width / 2} y={height - 2} text-anchor="middle">
        {t('IoU threshold and F1')}
      </text>
      <text class="axis-words" x={width} y={height - 2} text-anchor="end">
        {t.fixed(0.95, 2)}
      </text>
      <polyline class="curve" points={points.map(({ x, y }) => `${x},${y}`).join(' ')} />
      {points.map(({ threshold, f1, x, y }) => (
        <circle key={threshold} class="curve-point" cx={x} cy={y} r="2.5">
          <title>{t('IoU ≥ {0}, F1 {1}', t.fixed(threshold, 2), shareWords(f1))}</title>
        </circle>
      ))}
      {current && <circle class="curve-current" cx={current.x} cy={current.y} r="5" />}
    </svg>
  );
}

const PLOT = { width: 260, height: 200, left: 40, bottom: 34, top: 8, right: 10 };

/** The number of objects of both sides in each image. Clicking a point shows its image. */
export function CountPlot({ store }: ComparisonProps) {
  const drawing = useRef<SVGSVGElement>(null);
  const images = store.scores.latest.value?.images ?? [];
  if (images.length < 2) return null;
  const { width, height, left, bottom, top, right } = PLOT;
  const maxCount = Math.max(
    1,
    ...images.map(({ objectsOfA, objectsOfB }) => Math.max(objectsOfA, objectsOfB)),
  );
  const x = (count: number) => left + ((width - left - right) * count) / maxCount;
  const y = (count: number) => height - bottom - ((height - top - bottom) * count) / maxCount;
  return (
    <section class="section">
      <h2>
        {t('Objects per Image')}
        <SavePlot store={store} drawing={drawing} name={t('{0} counts', store.title)} />
      </h2>
      <svg
        ref={drawing}
        class="count-plot"
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={t('Objects of A (across) and B (up) in each image; on the line both are equal')}
      >
        <line class="axis" x1={left} y1={y(0)} x2={width - right} y2={y(0)} />
        <line class="axis" x1={left} y1={y(0)} x2={left} y2={top} />
        <line class="axis equal" x1={x(0)} y1={y(0)} x2={x(maxCount)} y2={y(maxCount)} />
        <text class="axis-words" x={left} y={height - 20}>
          0
        </text>
        <text class="axis-words" x={width - right} y={height - 20} text-anchor="end">
          {t.number(maxCount)}
        </text>
        <text class="axis-words" x={left - 4} y={top + 8} text-anchor="end">
          {t.number(maxCount)}
        </text>
        <text class="axis-words" x={(left + width - right) / 2} y={height - 4} text-anchor="middle">
          {t('Objects of A')}
        </text>
        <text
          class="axis-words"
          transform={`translate(12 ${(top + height - bottom) / 2}) rotate(-90)`}
          text-anchor="middle"
        >
          {t('Objects of B')}
        </text>
        {images.map(({ objectsOfA, objectsOfB }, position) => (
          <circle
            key={position}
            class={position === store.images.position.value ? 'count-point current' : 'count-point'}
            cx={x(objectsOfA)}
            cy={y(objectsOfB)}
            r={position === store.images.position.value ? 5 : 3.5}
            onClick={() => void store.openImage(position)}
          >
            <title>{t('{0}: A {1}, B {2}', store.images.nameOf(position), objectsOfA, objectsOfB)}</title>
          </circle>
        ))}
      </svg>
    </section>
  );
}

/** A drawing of the page as a standalone file. */
async function drawingFile(drawing: SVGSVGElement, type: 'png' | 'svg'): Promise<ArrayBuffer> {
  const { width, height } = drawing.viewBox.baseVal;
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  const originals = [drawing, ...drawing.querySelectorAll('*')];
  const copies = [copy, ...copy.querySelectorAll('*')];
  originals.forEach((original, index) => {
    const style = getComputedStyle(original);
    for (const name of COPIED_STYLES) copies[index]?.setAttribute(name, style.getPropertyValue(name));
    copies[index]?.removeAttribute('class');
  });
  const background = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  const color = getComputedStyle(document.body).backgroundColor;
  for (const [name, value] of Object.entries({ width: '100%', height: '100%', fill: color }))
    background.setAttribute(name, value);
  copy.prepend(background);
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
