import { type PageWords, t } from '../../pages/page/l10n';
import { useComputed } from '@preact/signals';
import type { MasksText } from '../../pages/page/pageText';
import { CutName, IconButton, LassoIcon, WordButton } from '../../pages/page/widgets/parts';
import type { DragTool } from './state/layoutModel';
import type { MasksStore } from './state/masksStore';

interface ToolbarProps {
  store: MasksStore;
  text: MasksText;
}

/** The line above the image. */
export function Toolbar({ store, text }: ToolbarProps) {
  const { hasMasks, layout } = store;
  const isOneOfSeveral = store.images.length > 1;
  const details = layout.details.value;
  return (
    <header class="toolbar">
      {isOneOfSeveral && <ListButtons store={store} text={text} />}
      <Title store={store} text={text} />
      {isOneOfSeveral && <Place store={store} text={text} />}
      <span class="toolbar-gap" />
      {hasMasks && <Tools store={store} />}
      {hasMasks && <MasksButton store={store} text={text} />}
      <ZoomButtons store={store} text={text} />
      <IconButton
        icon="device-camera"
        label={text.get('saveView')}
        disabled={!layout.hasImage.value}
        onClick={() => void store.save()}
      />
      {hasMasks && (
        <IconButton icon="diff" label={text.get('compareMasks')} onClick={() => store.compareMasks()} />
      )}
      {hasMasks && (
        <WordButton
          icon="export"
          label={text.get('export')}
          hint={text.get('exportHint')}
          onClick={() => store.exportMasks()}
        />
      )}
      {hasMasks && (
        <WordButton icon="table" label={text.get('showTable')} onClick={() => store.openTable()} />
      )}
      <IconButton
        icon={details ? 'layout-sidebar-right' : 'layout-sidebar-right-off'}
        label={text.get(details ? 'hideDetails' : 'showDetails')}
        onClick={() => layout.toggleDetails()}
      />
    </header>
  );
}

/** Opens the list of images, which a narrow panel has no room for, and leads to the next ones. */
function ListButtons({ store: { list }, text }: ToolbarProps) {
  return (
    <span class="group">
      <IconButton
        class="list-button"
        icon="list-unordered"
        label={text.get('images')}
        aria-expanded={list.isOpen.value}
        onClick={() => list.toggle()}
      />
      <IconButton
        icon="chevron-left"
        label={text.get('previousImage')}
        disabled={!list.hasPrevious.value}
        onClick={() => list.go(-1)}
      />
      <IconButton
        icon="chevron-right"
        label={text.get('nextImage')}
        disabled={!list.hasNext.value}
        onClick={() => list.go(1)}
      />
    </span>
  );
}

/** What the image shown is called; what the page is, while there is none. */
function Title({ store: { image, title } }: ToolbarProps) {
  const name = image.name.value ?? title;
  return (
    <h1 class="toolbar-title" title={name === title ? name : `${name} — ${title}`}>
      <CutName name={name} />
    </h1>
  );
}

function Place({ store: { list }, text }: ToolbarProps) {
  const place = list.place.value;
  return (
    <span class="image-place">
      {text.get('imageOf', place < 0 ? '–' : place + 1, list.order.value.length)}
    </span>
  );
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

function MasksButton({ store: { look, layout }, text }: ToolbarProps) {
  const isHidden = look.masksHidden.value;
  return (
    <span class="group">
      <IconButton
        icon={isHidden ? 'eye-closed' : 'eye'}
        label={text.get(isHidden ? 'showMasks' : 'hideMasks')}
        disabled={!layout.hasImage.value}
        onClick={() => look.toggleMasks()}
      />
    </span>
  );
}

/** How large the image is shown. While it is zoomed only a text changes. */
function ZoomButtons({ store, text }: ToolbarProps) {
  const { layout } = store;
  const level = useComputed(() => {
    const scale = layout.scale.value;
    if (scale === undefined) return '';
    const percent = scale * 100;
    return text.get('percent', text.number(percent, percent < 10 ? 1 : 0));
  });
  const disabled = !layout.hasImage.value;
  const actual = text.get('zoomActual');
  return (
    <span class="group">
      <IconButton
        class="zoom-step"
        icon="zoom-out"
        label={text.get('zoomOut')}
        disabled={disabled}
        onClick={() => store.canvas.zoomBy(1 / 1.5)}
      />
      <output class="zoom-level" aria-label={text.get('zoomLevel')}>
        {level}
      </output>
      <IconButton
        class="zoom-step"
        icon="zoom-in"
        label={text.get('zoomIn')}
        disabled={disabled}
        onClick={() => store.canvas.zoomBy(1.5)}
      />
      <IconButton
        icon="screen-full"
        label={text.get('zoomFit')}
        disabled={disabled}
        onClick={() => store.canvas.fit()}
      />
      <IconButton
        class="text-button"
        label={actual}
        // What is read on the button is part of its name.
        aria-label={`1:1 ${actual}`}
        disabled={disabled}
        onClick={() => store.canvas.actualSize()}
      >
        1:1
      </IconButton>
    </span>
  );
}
