import { type PageWords, t } from '../../pages/page/l10n';
import { useComputed } from '@preact/signals';
import { CutName, IconButton, LassoIcon, WordButton } from '../../pages/page/widgets/parts';
import type { DragTool } from './state/layoutModel';
import type { MasksStore } from './state/masksStore';

interface ToolbarProps {
  store: MasksStore;
}

/** The toolbar above the image. */
export function Toolbar({ store }: ToolbarProps) {
  const { hasMasks, layout } = store;
  const hasSeveralImages = store.images.length > 1;
  const details = layout.details.value;
  return (
    <header class="toolbar">
      {hasSeveralImages && <ListButtons store={store} />}
      <Title store={store} />
      {hasSeveralImages && <Place store={store} />}
      <span class="toolbar-gap" />
      {hasMasks && <Tools store={store} />}
      {hasMasks && <MasksButton store={store} />}
      <ZoomButtons store={store} />
      <IconButton
        icon="device-camera"
        label={t('Save View as PNG… (S)')}
        disabled={!layout.hasImage.value}
        onClick={() => void store.save()}
      />
      {hasMasks && (
        <IconButton icon="diff" label={t('Compare Masks…')} onClick={() => store.compareMasks()} />
      )}
      {hasMasks && (
        <WordButton
          icon="export"
          label={t({ message: 'Export', comment: 'Verb' })}
          hint={t('Export Masks to COCO, QuPath, ImageJ or a Label Image…')}
          onClick={() => store.exportMasks()}
        />
      )}
      {hasMasks && <WordButton icon="table" label={t('Show Table')} onClick={() => store.openTable()} />}
      <IconButton
        icon={details ? 'layout-sidebar-right' : 'layout-sidebar-right-off'}
        label={details ? t('Hide Details') : t('Show Details')}
        onClick={() => layout.toggleDetails()}
      />
    </header>
  );
}

/** Opens the list of images in a narrow panel, and shows the previous or next image. */
function ListButtons({ store: { list } }: ToolbarProps) {
  return (
    <span class="group">
      <IconButton
        class="list-button"
        icon="list-unordered"
        label={t('Images')}
        aria-expanded={list.isOpen.value}
        onClick={() => list.toggle()}
      />
      <IconButton
        icon="chevron-left"
        label={t('Previous Image ([)')}
        disabled={!list.hasPrevious.value}
        onClick={() => list.go(-1)}
      />
      <IconButton
        icon="chevron-right"
        label={t('Next Image (])')}
        disabled={!list.hasNext.value}
        onClick={() => list.go(1)}
      />
    </span>
  );
}

/** The name of the current image, else of the page. */
function Title({ store: { image, title } }: ToolbarProps) {
  const name = image.name.value ?? title;
  return (
    <h1 class="toolbar-title" title={name === title ? name : `${name} — ${title}`}>
      <CutName name={name} />
    </h1>
  );
}

function Place({ store: { list } }: ToolbarProps) {
  const row = list.row.value;
  return <span class="image-place">{t('{0} of {1}', row < 0 ? '–' : row + 1, list.order.value.length)}</span>;
}

const TOOLS: readonly { tool: DragTool; icon: string; name: PageWords }[] = [
  { tool: 'move', icon: 'move', name: t.later('Pan (V)') },
  {
    tool: 'rectangle',
    icon: 'chrome-maximize',
    name: t.later('Select Objects with a Rectangle (R or Shift+Drag)'),
  },
  { tool: 'lasso', icon: 'blank', name: t.later('Select Objects with a Lasso (L)') },
];

function Tools({ store: { layout } }: Pick<ToolbarProps, 'store'>) {
  return (
    <span class="group tools">
      {TOOLS.map(({ tool, icon, name }) => (
        <IconButton
          key={tool}
          icon={icon}
          label={name()}
          aria-pressed={tool === layout.tool.value}
          disabled={!layout.hasImage.value}
          onClick={() => layout.use(tool)}
        >
          {tool === 'lasso' ? <LassoIcon /> : undefined}
        </IconButton>
      ))}
    </span>
  );
}

function MasksButton({ store: { look, layout } }: ToolbarProps) {
  const isHidden = look.masksHidden.value;
  return (
    <span class="group">
      <IconButton
        icon={isHidden ? 'eye-closed' : 'eye'}
        label={isHidden ? t('Show Masks') : t('Hide Masks (hold H to peek)')}
        disabled={!layout.hasImage.value}
        onClick={() => look.toggleMasks()}
      />
    </span>
  );
}

/** The zoom of the image. Zooming changes the text without rendering. */
function ZoomButtons({ store }: ToolbarProps) {
  const { layout } = store;
  const zoomLevel = useComputed(() => {
    const scale = layout.scale.value;
    if (scale === undefined) return '';
    const percent = scale * 100;
    return t('{0}%', t.number(percent, percent < 10 ? 1 : 0));
  });
  const disabled = !layout.hasImage.value;
  const actualSize = t('Actual Size (1)');
  return (
    <span class="group">
      <IconButton
        class="zoom-step"
        icon="zoom-out"
        label={t('Zoom Out (-)')}
        disabled={disabled}
        onClick={() => store.canvas.zoomBy(1 / 1.5)}
      />
      <output
        class="zoom-level"
        aria-label={t({ message: 'Zoom', comment: 'Noun: magnification of the view' })}
      >
        {zoomLevel}
      </output>
      <IconButton
        class="zoom-step"
        icon="zoom-in"
        label={t('Zoom In (+)')}
        disabled={disabled}
        onClick={() => store.canvas.zoomBy(1.5)}
      />
      <IconButton
        icon="screen-full"
        label={t('Fit to Panel (0 or F)')}
        disabled={disabled}
        onClick={() => store.canvas.fit()}
      />
      <IconButton
        class="text-button"
        label={actualSize}
        // The button's text is part of its name.
        aria-label={`1:1 ${actualSize}`}
        disabled={disabled}
        onClick={() => store.canvas.actualSize()}
      >
        1:1
      </IconButton>
    </span>
  );
}
