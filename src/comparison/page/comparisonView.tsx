import { t } from '../../pages/page/l10n';
import { Icon, IconButton, LinkButton, WordButton } from '../../pages/page/widgets/parts';
import { ComparisonInspector } from './inspector/comparisonInspector';
import { ComparedImages } from './comparedImages';
import { openShortcuts } from './comparisonKeys';
import type { ComparisonStage } from './stage/comparisonStage';
import { type ComparisonProps, viewName } from './state/comparisonStore';

interface ComparisonViewProps extends ComparisonProps {
  /** The image, which updates itself. */
  stage: ComparisonStage;
}

/** The page of a comparison from top to bottom. */
export function ComparisonView({ store, stage }: ComparisonViewProps) {
  const isEmpty = store.images.position.value < 0;
  return (
    <>
      <Toolbar store={store} stage={stage} />
      <div class="comparison-body">
        {(store.scores.latest.value?.images.length ?? 0) > 1 && <ComparedImages store={store} />}
        {isEmpty && store.scores.latest.value ? (
          <main class="page-message">
            <Icon name="info" />
            <h2>{t('No image was compared')}</h2>
            <p class="page-message-text">
              {t(
                'A and B have no image in common that can be compared. Pair those that are the same under Images Without a Partner.',
              )}
            </p>
          </main>
        ) : (
          <div class="comparison-stage" ref={element => element?.replaceChildren(stage.root)} />
        )}
        <ComparisonInspector store={store} />
      </div>
      <StatusLine store={store} />
      <div class="visually-hidden" role="status" aria-live="polite">
        {store.messages.said}
      </div>
    </>
  );
}

function Toolbar({ store, stage }: ComparisonViewProps) {
  const { canvas } = stage;
  const count = store.scores.latest.value?.images.length ?? 0;
  const row = store.images.order.value.indexOf(store.images.position.value);
  const name = store.images.nameOf(store.images.position.value);
  const { region } = store.comparing.state.value;
  return (
    <header class="toolbar">
      <h1 class="toolbar-title" title={name || store.title}>
        {name || store.title}
      </h1>
      {count > 1 && (
        <>
          <IconButton
            icon="chevron-left"
            label={t('Previous Image ([)')}
            disabled={row <= 0}
            onClick={() => void store.go(-1)}
          />
          <span class="image-place">{t('{0} of {1}', row + 1, count)}</span>
          <IconButton
            icon="chevron-right"
            label={t('Next Image (])')}
            disabled={row >= count - 1}
            onClick={() => void store.go(1)}
          />
        </>
      )}
      <span class="toolbar-gap" />
      {store.images.position.value >= 0 && (
        <>
          <IconButton
            class="spare"
            icon="zoom-out"
            label={t('Zoom Out (-)')}
            onClick={() => canvas.zoomBy(1 / 1.5)}
          />
          <IconButton
            class="spare"
            icon="zoom-in"
            label={t('Zoom In (+)')}
            onClick={() => canvas.zoomBy(1.5)}
          />
          <IconButton icon="screen-full" label={t('Fit Image (0)')} onClick={() => canvas.fit()} />
          <IconButton
            icon="edit"
            label={t('Judge Only a Region: Draw Around It (L)')}
            aria-pressed={store.look.isDrawing.value}
            onClick={() => store.look.toggleTool()}
          />
          {region && (
            <IconButton
              icon="clear-all"
              label={t('Judge Whole Images')}
              onClick={() => void store.compareRegion(null)}
            />
          )}
          <IconButton
            icon="device-camera"
            label={t('Save View as PNG (S)')}
            onClick={() => void store.saveDrawing(viewName(store), 'png', () => stage.png())}
          />
          <IconButton
            class="spare"
            icon="symbol-ruler"
            label={t('Save View as SVG')}
            onClick={() => void store.saveDrawing(viewName(store), 'svg', () => stage.svg())}
          />
        </>
      )}
      <IconButton icon="question" label={t('Keyboard Shortcuts')} onClick={() => openShortcuts()} />
      <WordButton icon="table" label={t('Pairs Table')} onClick={() => void store.openPairs()} />
      <WordButton icon="save" label={t('Save Comparison…')} onClick={() => void store.saveAll()} />
    </header>
  );
}

function StatusLine({ store }: ComparisonProps) {
  const share = store.comparing.share.value;
  const failure = store.messages.failure.value;
  return (
    <footer class="status-line">
      {store.comparing.isBusy.value && (
        <span class="status-item">
          <Icon name="loading" spins />
          <span role="status">{t('Comparing…')}</span>
          {share !== undefined && <span class="minor">{t('{0}%', Math.floor(share * 100))}</span>}
          <LinkButton onClick={() => store.comparing.cancel()}>{t('Cancel')}</LinkButton>
        </span>
      )}
      {failure !== undefined && (
        <span class="status-item notice error" role="alert">
          <Icon name="error" />
          <span class="status-words" title={failure}>
            {failure}
          </span>
        </span>
      )}
      {store.objects.filtered.value && (
        <span class="status-item">
          <Icon name="filter" />
          {t('Filtered by the table')}
          <span class="minor">
            {t('{0} of {1} rows', store.objects.filtered.value.rowCount, store.objects.filtered.value.total)}
          </span>
        </span>
      )}
      {store.comparing.state.value.region && (
        <span class="status-item">
          {t('Only the region is judged, in every image')}
          <LinkButton onClick={() => void store.compareRegion(null)}>{t('Judge Whole Images')}</LinkButton>
        </span>
      )}
      <span class="status-gap" />
      <span class="status-item minor">{store.title}</span>
    </footer>
  );
}
